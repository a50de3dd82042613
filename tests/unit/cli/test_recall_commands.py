"""`hooklore recall`, `why QUERY` and `explain-query` explain a query, its results and their choice."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Memory, Run

RULE = "Deploy keys rotate on the first Tuesday, by the quartermaster script"
BAR = re.compile(
    r"words weigh (\S+) and are (\d+)% of the sentence, shown from (\S+)(?: or (\d+)%)? on$"
)
POOL = (
    "The checkout worker must not run with more than six tasks, PgBouncer gives it 120 connections"
)
TASKS = "Can the checkout worker run with ten tasks for the sale?"
ASKED = "How do the deploy keys rotate with the quartermaster script?"


@pytest.fixture
def kept(hooklore: Run, memory: Memory) -> Memory:
    """Return a project with a rule, another memory, and a private memory."""
    memory.hook("SessionStart", source="startup")
    assert hooklore("remember", RULE, "--scope", "project").rc == 0
    hooklore("remember", "The office plants get water on Fridays", "--scope", "project")
    assert hooklore("remember", "The quartermaster dislikes deploy keys", "--private").rc == 0
    return memory


def explained(hooklore: Run, *words: str) -> dict[str, Any]:
    (found,) = hooklore(*words, "--json").records
    return dict(found)


@pytest.mark.req("AU-02")
def test_why_a_prompt_brings_up_a_memory_is_told_with_its_scores(
    hooklore: Run, kept: Memory
) -> None:
    found = explained(hooklore, "why", ASKED)

    best = found["candidates"][0]
    assert best["shown"] is True
    assert best["verdict"] == "shown"
    assert best["list"] == "memory"
    assert best["score"] == pytest.approx(sum(best["parts"].values()))
    assert {"deploy", "quartermast"} <= set(best["shared"])
    assert found["shown"] == [best["id"]]
    assert RULE in found["text"]


@pytest.mark.req("AU-02")
def test_what_it_says_is_shown_is_what_the_hook_shows(hooklore: Run, kept: Memory) -> None:
    found = explained(hooklore, "recall", "--explain", ASKED)
    context = kept.hook("UserPromptSubmit", "s-2", prompt=ASKED)

    assert context
    assert context == found["text"]


@pytest.mark.req("AU-02")
def test_what_is_not_specific_is_told_with_the_gates_reason(hooklore: Run, kept: Memory) -> None:
    question = "Is there a Tuesday on which you would paint the office?"
    found = explained(hooklore, "why", question)
    printed = hooklore("why", question)

    assert found["shown"] == []
    assert found["candidates"]
    assert all(not each["shown"] for each in found["candidates"])
    verdict = found["candidates"][0]["verdict"]
    assert verdict.startswith("not specific enough: its shared words weigh ")
    assert verdict.endswith("% of the sentence, shown from 9.1 or 42% on"), "half, in a small store"
    assert "a hook shows nothing" in printed.out
    assert "not specific enough" in printed.out


@pytest.mark.req("AU-02")
def test_the_figure_from_which_a_note_is_shown_is_the_bar_of_that_note(
    hooklore: Run, memory: Memory
) -> None:
    words = "the press refuses to start because its torque sensor reports zero newton metres"
    asked = "Why does the torque sensor of the press report zero newton metres?"
    memory.hook("UserPromptSubmit", "s-1", prompt=f"Find out why {words}.")
    memory.hook("Stop", "s-1", last_assistant_message=f"I looked into it: {words} again.")

    found = explained(hooklore, "why", asked)

    figures = [BAR.search(each["verdict"]) for each in found["candidates"]]
    assert any(figures)
    for weight, coverage, bar, most in (each.groups() for each in figures if each):
        assert float(weight) < float(bar)
        assert most is None or int(coverage) < int(most)


@pytest.mark.req("AU-02")
def test_what_was_shown_in_a_session_already_is_left_out_by_name(
    hooklore: Run, kept: Memory
) -> None:
    kept.hook("UserPromptSubmit", "s-2", prompt=ASKED)

    found = explained(hooklore, "why", ASKED, "--session", "s-2")

    assert found["shown"] == []
    verdicts = [each["verdict"] for each in found["candidates"]]
    assert "already shown in this session" in verdicts


@pytest.mark.req("AU-02")
def test_a_note_that_sessions_left_unused_is_left_out_for_that_reason(
    hooklore: Run, memory: Memory
) -> None:
    hooklore("remember", POOL, "--scope", "project", "--kind", "fact")
    told = [use_nothing(memory, f"s-{number}") for number in range(6)]

    found = explained(hooklore, "why", TASKS)
    printed = hooklore("why", TASKS, "--agent", "codex")

    assert "PgBouncer" in told[0]
    assert "PgBouncer" not in told[-1]
    assert found["shown"] == []
    (verdict,) = (c["verdict"] for c in found["candidates"] if c["list"] == "memory")
    assert re.fullmatch(
        r"sessions that were shown it did not use it: "
        r"that takes 0\.\d\d off 0\.\d\d above its bar",
        verdict,
    )
    assert "did not use it" in printed.out
    assert "surer" not in printed.out


def use_nothing(memory: Memory, session: str) -> str:
    """Ask in a new session, and answer with nothing of what was shown. Return what was shown."""
    told = memory.hook("UserPromptSubmit", session, prompt=TASKS)
    memory.hook("Stop", session, last_assistant_message="Sure, I did so.")
    return told


@pytest.mark.req("AU-02")
def test_what_the_reader_may_not_see_is_a_count_and_nothing_else(
    hooklore: Run, kept: Memory
) -> None:
    dull = hooklore("remember", "Quartermaster keys are dull", "--private", "--scope", "project")
    assert dull.rc == 0

    found = hooklore("why", ASKED, "--json")
    (fields,) = found.records

    assert fields["hidden"] == 1
    assert "dull" not in found.out
    assert "dislikes" not in found.out
    assert hooklore("why", ASKED).out.count(
        "1 more share words with it and are not for this reader"
    )


@pytest.mark.req("AU-02")
def test_an_agent_is_told_no_figure_that_counts_what_it_may_not_see(
    hooklore: Run, kept: Memory
) -> None:
    found = explained(hooklore, "why", ASKED, "--agent", "codex")
    printed = hooklore("why", "Is there a Tuesday for the office?", "--agent", "codex")

    assert found["candidates"]
    for each in found["candidates"]:
        assert not {"score", "parts", "confidence"} & set(each)
    assert "not specific enough" in printed.out
    assert "score" not in printed.out
    assert "not specific enough:" not in printed.out


@pytest.mark.req("AU-02")
def test_recall_lists_what_an_agent_here_may_see_best_first(hooklore: Run, kept: Memory) -> None:
    printed = hooklore("recall", "quartermaster deploy keys")

    assert len(printed.lines) == 1
    assert RULE in printed.lines[0]
    assert hooklore("recall", "submarine").err == "nothing found\n"


@pytest.mark.req("AU-02", "SC-07")
def test_an_id_is_explained_as_a_record_and_any_other_text_as_a_question(
    hooklore: Run, kept: Memory
) -> None:
    id_ = kept.of("fact")[0]["id"]

    assert "prior" in explained(hooklore, "why", id_)
    assert "prior" in explained(hooklore, "why", id_[:13])
    assert "candidates" in explained(hooklore, "why", "facade")


def payload(folder: Path, **fields: Any) -> str:
    """Return a file with a hook's payload."""
    path = folder / "payload.json"
    path.write_text(json.dumps({"session_id": "s-7", "cwd": str(folder)} | fields))
    return str(path)


def edit(folder: Path, path: str) -> str:
    given = {"file_path": str(folder / path), "old_string": "a", "new_string": "b"}
    return payload(folder, hook_event_name="PreToolUse", tool_name="Edit", tool_input=given)


@pytest.mark.req("RF-01")
def test_a_payload_tells_its_trigger_and_the_scopes_that_follow(
    hooklore: Run, kept: Memory
) -> None:
    found = explained(hooklore, "explain-query", "--payload", edit(kept.folder, "src/auth/jwt.py"))

    assert found["trigger"] == "before_tool"
    assert found["scopes"][0] == "session:s-7"
    assert found["scopes"][1].startswith("project:widgets")
    assert found["scopes"][2:] == ["agent:claude", "role:orchestrator", "global"]
    assert "constraint" in found["kinds"]


@pytest.mark.req("RF-02")
def test_the_keywords_of_an_edit_are_the_words_of_its_path(hooklore: Run, kept: Memory) -> None:
    found = explained(hooklore, "explain-query", "--payload", edit(kept.folder, "src/auth/jwt.py"))

    assert {"auth", "jwt"} <= set(found["keywords"])
    assert found["paths"] == ["src/auth/jwt.py"]


@pytest.mark.req("RF-02", "RF-22")
def test_a_prompt_tells_its_words_kinds_and_times(hooklore: Run, kept: Memory) -> None:
    prompt = payload(
        kept.folder, hook_event_name="UserPromptSubmit", prompt="What broke the press in 2026-02?"
    )

    found = explained(hooklore, "explain-query", "--payload", prompt)
    printed = hooklore("explain-query", "--payload", prompt)

    assert "press" in found["keywords"]
    assert found["kinds"][0] == "memory"
    assert len(found["times"]) == 1
    assert [each[:7] for each in found["times"][0]] in (
        ["2026-02", "2026-03"],
        ["2026-01", "2026-02"],
    )
    assert "keywords" in printed.out
    assert len(kept.of("prompt")) == 0


def test_a_payload_of_no_event_says_what_to_do(hooklore: Run, kept: Memory, tmp_path: Path) -> None:
    nameless = payload(tmp_path, prompt="hello")

    assert "hint: name it" in hooklore("explain-query", "--payload", nameless).err
    assert (
        "could not read the payload" in hooklore("explain-query", "--payload", "missing.json").err
    )
    named = hooklore("explain-query", "--payload", nameless, "--event", "UserPromptSubmit")
    assert named.rc == 0


@pytest.mark.req("RF-01")
def test_an_event_that_asks_nothing_says_so(hooklore: Run, kept: Memory) -> None:
    stop = payload(kept.folder, hook_event_name="Stop", last_assistant_message="done")

    found = explained(hooklore, "explain-query", "--payload", stop)

    assert found["recalls"] is False
    assert found["kinds"] == []


@pytest.mark.req("HK-10", "SK-11")
def test_a_memory_can_be_kept_for_files_and_for_a_type_of_agent(
    hooklore: Run, kept: Memory
) -> None:
    options = ("--path", "a/**", "--path", "*.sql", "--agent-type", "reviewer")

    assert hooklore("remember", "Check the order of columns", *options).rc == 0

    record = kept.of("fact")[-1]
    assert record["agent_type"] == "reviewer"
    assert record["body"]["paths"] == ["a/**", "*.sql"]


@pytest.mark.req("AU-02")
def test_what_was_replaced_is_named_to_the_person_and_not_to_an_agent(
    hooklore: Run, kept: Memory
) -> None:
    hooklore("remember", f"{RULE}, formerly", "--scope", "project", "--key", "fact:keys")
    hooklore("remember", f"{RULE}, at last", "--scope", "project", "--key", "fact:keys")

    person, agent = hooklore("why", ASKED), hooklore("why", ASKED, "--agent", "codex")

    (replaced,) = (line for line in person.lines if "formerly" in line)
    assert "replaced, ended or expired" in replaced
    assert "at last" in agent.out
    assert "formerly" not in agent.out


@pytest.mark.req("AU-02")
def test_what_waits_is_said_to_wait_until_it_is_answered(hooklore: Run, kept: Memory) -> None:
    guess = ("--agent", "claude", "--basis", "inferred", "--json")
    waiting = hooklore("remember", f"{RULE}, it seems", *guess).records[0]["id"]

    before = hooklore("why", ASKED)
    hooklore("reject", waiting)
    after = hooklore("why", ASKED)

    (line,) = (line for line in before.lines if "it seems" in line)
    assert "waits until you approve it" in line
    assert "replaced, ended or expired" not in line
    assert "waits until you approve it" not in after.out


@pytest.mark.req("AU-02")
@pytest.mark.parametrize(
    ("options", "readers"),
    [
        (("--private",), "the person alone"),
        (("--scope", "global"), "agents everywhere"),
        (("--scope", "project"), "agents in project:widgets"),
        (
            ("--scope", "global", "--path", "*.sql", "--agent-type", "reviewer"),
            "agents everywhere, only for subagents of type reviewer, only for files *.sql",
        ),
    ],
)
def test_why_says_of_a_record_who_is_told(
    hooklore: Run, kept: Memory, options: tuple[str, ...], readers: str
) -> None:
    id_ = hooklore("remember", "Columns are sorted by name", "--json", *options).records[0]["id"]

    assert explained(hooklore, "why", id_)["readers"] == readers
    assert hooklore("why", id_).lines[1].endswith(f"; told to {readers}")
