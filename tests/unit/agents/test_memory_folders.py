"""Each agent's module finds the folder that its client names, as the real client was seen to name it."""

import pytest

from hooklore.agents.registry import get_agent

CLAUDE = "/home/u/.claude/projects/-srv-mill-sub/5c1e.jsonl"
OTHER = "/srv/config/projects/-srv-mill/5c1e.jsonl"
LONG = f"/tmp/long-directory-name-{'x' * 100}/another-name-{'y' * 110}"


def folders(agent: str, transcript: str, *tops: str) -> tuple[str, ...]:
    files = get_agent(agent).memory_files()
    assert files is not None
    return files.find_folders(transcript, tops)


@pytest.mark.parametrize(
    ("top", "slug"),
    [
        ("/srv/mill", "-srv-mill"),
        ("/srv/Pro ject_é.x", "-srv-Pro-ject---x"),
        ("/srv/Pro ject_e\u0301.x", "-srv-Pro-ject---x"),
        ("/srv/製粉所", "-srv----"),
        ("/srv/\N{SCROLL}", "-srv---"),
    ],
)
def test_claudes_folder_has_a_dash_for_each_utf_16_unit_that_is_no_letter_and_no_digit(
    top: str, slug: str
) -> None:
    assert folders("claude", CLAUDE, top)[0] == f"/home/u/.claude/projects/{slug}/memory"


def test_a_long_name_is_cut_and_ends_in_its_hash() -> None:
    slug = folders("claude", CLAUDE, LONG)[0].split("/")[-2]

    assert slug[:200] == LONG.replace("/", "-")[:200]
    assert slug[200:] == "-vniwv"


def test_the_folder_of_the_transcript_is_the_second_choice_and_the_config_directory_is_its() -> (
    None
):
    assert folders("claude", CLAUDE, "/srv/mill") == (
        "/home/u/.claude/projects/-srv-mill/memory",
        "/home/u/.claude/projects/-srv-mill-sub/memory",
    )
    assert folders("claude", OTHER, "/srv/mill") == ("/srv/config/projects/-srv-mill/memory",)


def test_gemini_and_codex_have_theirs_beside_their_transcripts() -> None:
    gemini = "/home/u/.gemini/tmp/mill/chats/session-2026-11-21T03-21-5695e95a.jsonl"
    codex = "/home/u/.codex/sessions/2026/11/21/rollout-2026-11-21T03-23-59-01a1.jsonl"

    assert folders("gemini", gemini) == ("/home/u/.gemini/tmp/mill/memory",)
    assert folders("codex", codex) == ("/home/u/.codex/memories",)


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
@pytest.mark.parametrize(
    "transcript", ["", "/", "s.jsonl", "/srv/s.jsonl", "/sessions/", "/chats/"]
)
def test_a_transcript_elsewhere_leads_nowhere(agent: str, transcript: str) -> None:
    assert folders(agent, transcript, "/srv/mill") == ()
