"""`hooklore memory` lists and searches memories, and has second names of other verbs."""

import pytest

from hooklore.cli import main
from hooklore.cli.main import hooklore_application
from tests.unit.cli.conftest import Memory, Printed, Run, said


def texts(printed: Printed) -> list[str]:
    """Return the texts of the records that `--json` printed."""
    return [record["body"]["content_md"] for record in printed.records]


@pytest.fixture
def kept(hooklore: Run, memory: Memory, at_terminal: None) -> None:
    """Write memories of several kinds and scopes, one of which is replaced, one waits, one is forgotten."""
    said(hooklore, "We use sqlite", "--key", "config:db")
    said(hooklore, "We use postgres", "--key", "config:db")
    said(hooklore, "共有記憶は一行である", "--kind", "fact", "--scope", "global")
    said(hooklore, "codex alone", "--agent", "codex", "--scope", "agent:codex", "--basis", "tool")
    said(hooklore, "a guess", "--agent", "codex", "--confidence", "low")
    hooklore("forget", said(hooklore, "gone"), "--yes")
    memory.hook("UserPromptSubmit", prompt="We use 記憶 here")


@pytest.mark.req("CL-01")
def test_memory_list_has_what_stands_by_scope_and_kind(hooklore: Run, kept: None) -> None:
    everything = hooklore("memory", "list", "--json")
    printed = hooklore("memory", "list", "--scope", "project", "--kind", "config")

    assert texts(everything) == ["codex alone", "共有記憶は一行である", "We use postgres"]
    assert texts(hooklore("memory", "list", "--json", "-n", "1")) == ["codex alone"]
    assert texts(hooklore("memory", "list", "--json", "--scope", "agent:codex")) == ["codex alone"]
    assert texts(hooklore("memory", "list", "--json", "--kind", "fact", "--scope", "global")) == [
        "共有記憶は一行である"
    ]
    assert texts(hooklore("memory", "list", "--json", "--agent", "claude")) == [
        "共有記憶は一行である", "We use postgres",
    ]  # fmt: skip
    assert len(printed.lines) == 1
    assert printed.lines[0].endswith("config:db: We use postgres")


@pytest.mark.req("CL-01")
def test_exit_codes_are_documented_and_kept(hooklore: Run, memory: Memory) -> None:
    found = [
        hooklore("memory", "list").rc,
        hooklore("memory", "list", "--scope", "project:nowhere").rc,
        hooklore("memory", "list", "--kind", "prompt").rc,
    ]

    assert found == [0, 1, 2]
    assert "0 fine, 1 an expected problem, 2 usage" in str(main.__doc__)
    assert "memory" in [group.name for group in hooklore_application().registered_groups]


@pytest.mark.req("CL-01")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), ["codex alone", "共有記憶は一行である", "We use postgres"]),
        (("-n", "2"), ["codex alone", "共有記憶は一行である"]),
        (("--scope", "global"), ["共有記憶は一行である"]),
        (("--scope", "project"), ["We use postgres"]),
        (("--scope", "project:widgets"), ["We use postgres"]),
        (("--scope", "agent:codex"), ["codex alone"]),
        (("--scope", "agent:claude"), []),
        (("--kind", "fact"), ["codex alone", "共有記憶は一行である"]),
        (("--kind", "config"), ["We use postgres"]),
        (("--kind", "config", "--kind", "fact", "-n", "1"), ["codex alone"]),
        (("--kind", "fact", "--scope", "project"), []),
        (("--kind", "bug"), []),
    ],
)
def test_memory_list_keeps_to_the_scope_and_the_kind(
    hooklore: Run, kept: None, options: tuple[str, ...], expected: list[str]
) -> None:
    found, plain = (
        hooklore("memory", "list", "--json", *options),
        hooklore("memory", "list", *options),
    )

    assert texts(found) == expected
    assert (found.rc, plain.rc) == (0, 0)
    assert [line.rpartition("  ")[2].rpartition(": ")[2] for line in plain.lines] == expected
    assert ("nothing found" in plain.err) is not bool(expected)


@pytest.mark.req("CL-02")
def test_two_japanese_characters_are_found(hooklore: Run, kept: None) -> None:
    assert texts(hooklore("memory", "search", "記憶", "--json")) == ["共有記憶は一行である"]
    assert "共有記憶は一行である" in hooklore("search", "記憶", "--stream", "memory").out


@pytest.mark.req("RF-26")
def test_a_search_by_keyword_is_the_newest_first_and_at_most_ten(
    hooklore: Run, memory: Memory
) -> None:
    for number in range(12):
        said(hooklore, f"note {number} of the ＰＲＥＳＳ", "--key", f"fact:no_{number}")
    said(hooklore, "of the mill", "--key", "fact:press_and_mill")

    found = texts(hooklore("memory", "search", "press", "--json"))

    assert found == ["of the mill", *(f"note {n} of the ＰＲＥＳＳ" for n in range(11, 2, -1))]
    assert texts(hooklore("memory", "search", "press", "note", "--json", "-n", "99"))[-1] == (
        "note 0 of the ＰＲＥＳＳ"
    )
    assert hooklore("memory", "search", "nowhere").err == "nothing found\n"


@pytest.mark.parametrize("verb", ["cleanup", "consolidate", "pending", "archive", "janitor"])
def test_the_other_verbs_of_memory_are_the_same_commands(
    hooklore: Run, kept: None, verb: str
) -> None:
    there, here = hooklore("memory", verb), hooklore(verb)

    assert (there.rc, there.out, there.err) == (here.rc, here.out, here.err)


@pytest.mark.req("CL-01")
@pytest.mark.parametrize("mark", ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"])
def test_inside_an_agent_memory_lists_this_project_and_global_only(
    hooklore: Run, memory: Memory, kept: None, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    (memory.home / "gadgets" / ".git").mkdir(parents=True)
    (memory.home / "gadgets" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(memory.home / "gadgets")
    said(hooklore, "Gadgets are red")
    said(hooklore, "its own", "--agent", "claude", "--scope", "agent:claude", "--basis", "tool")
    monkeypatch.chdir(memory.folder)
    here = ["共有記憶は一行である", "We use postgres"]
    everything = texts(hooklore("memory", "list", "--json"))

    monkeypatch.setenv(mark, "1")

    assert "Gadgets are red" in everything
    assert texts(hooklore("memory", "list", "--json")) == here
    assert texts(hooklore("memory", "search", "e", "--json")) == ["We use postgres"]
    assert texts(hooklore("memory", "list", "--json", "--scope", "project:gadgets")) == []
    assert "Gadgets" not in hooklore("memory").out


def test_memory_without_a_verb_lists(hooklore: Run, kept: None) -> None:
    bare, listed = hooklore("memory"), hooklore("memory", "list")

    assert bare.rc == 0
    assert bare.out == listed.out
    assert "We use postgres" in bare.out
