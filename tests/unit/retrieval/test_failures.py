"""Notes on failures that come back, and the guard against commands that will fail again."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.log.line import encode_line
from hooklore.records.record import Record
from tests.support.agent import Agent, repository

TURBO = "Volta error: Could not locate executable `turbo` in your project."


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "widgets"), home)
    yield found
    found.broker.close()


def solved(agent: Agent, session: str = "s1") -> None:
    """Play a session in which a command fails, and another one makes it pass."""
    agent.starts(session)
    agent.fails("bun run lint", TURBO)
    agent.passes("bun install")
    agent.passes("bun run lint")


def test_a_failure_of_another_command_with_the_same_cause_brings_the_fix(agent: Agent) -> None:
    solved(agent)
    agent.starts("s2")

    assert "bun install" in agent.fails("bun run typecheck 2>&1", TURBO)


def test_a_cause_in_nearly_the_same_words_brings_the_fix(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails(
        "bun test a.ts", "error: Cannot find module '@mill/core' from '/home/a/mill/src/a.ts'"
    )
    agent.passes("bun run build --filter=@mill/core")
    agent.passes("bun test a.ts")
    agent.starts("s2")

    told = agent.fails("bun test", "error: Cannot find module '@mill/core' from '/tmp/x/src/b.ts'")

    assert "--filter=@mill/core" in told


def test_a_failure_without_a_fix_is_told_with_how_often_it_was_seen(agent: Agent) -> None:
    for session in ("s1", "s2"):
        agent.starts(session)
        agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'")
    agent.starts("s3")

    told = agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'")

    assert "`npm test` failed: Error: ENOENT" in told
    assert "2 times" in told


def test_a_failure_that_says_nothing_is_known_by_its_command(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("make all", "make: *** No rule to make target 'all'.  Stop.")
    agent.edits("Makefile", "all: press")
    agent.passes("make all")
    agent.starts("s2")

    assert "all: press" in agent.fails("make all", "make: *** No rule to make target 'all'.  Stop.")


def fixes_told(agent: Agent, session: str) -> str:
    """Return what the brief of a new session says of failures and what made them pass."""
    brief = agent.starts(session)
    _, _, after = brief.partition("What came back lately, and what made it pass (")
    return "\n".join(line for line in after.splitlines() if "` failed" in line)


def solved_in_two_sessions(agent: Agent, error: str, *, by_edit: bool) -> None:
    """Play the same failure and its fix in two sessions, then a session with another failure."""
    for session in ("s1", "s2"):
        agent.starts(session)
        agent.fails("bun run lint", error)
        if by_edit:
            agent.edits("package.json", '"turbo": "2"')
        else:
            agent.passes("bun install")
        agent.passes("bun run lint")
    agent.starts("s3")
    agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'")
    agent.passes("npm run build")
    agent.passes("npm test")


def test_a_session_begins_with_the_command_that_mended_what_failed_in_several_sessions(
    agent: Agent,
) -> None:
    solved_in_two_sessions(agent, TURBO, by_edit=False)

    told = fixes_told(agent, "s4")

    assert "ran `bun install`" in told
    assert "npm run build" not in told
    assert {fix["body"]["fix_kind"] for fix in agent.records("fix")} == {"command"}


@pytest.mark.parametrize(
    "error", [TURBO, "turbo: nothing to do. What made it pass: ran `turbo login` yesterday"]
)
def test_a_session_does_not_begin_with_an_edit_of_an_earlier_one_whatever_the_error_said(
    agent: Agent, error: str
) -> None:
    solved_in_two_sessions(agent, error, by_edit=True)

    told = fixes_told(agent, "s4")

    assert "package.json" not in told
    assert [fix["body"]["fix_kind"] for fix in agent.records("fix")] == ["edit", "edit", "command"]


def test_a_failure_that_went_away_by_itself_is_recorded_as_a_later_run(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("bun run lint", TURBO)
    agent.passes("bun run lint")

    assert [fix["body"]["fix_kind"] for fix in agent.records("fix")] == ["rerun"]


def test_of_fixes_of_an_older_version_the_sentence_says_that_a_command_made_it_pass(
    agent: Agent,
) -> None:
    """An older version wrote no `fix_kind`; its lines are read as they stand."""
    solved_in_two_sessions(agent, TURBO, by_edit=False)
    forget_fix_kinds(agent)
    agent.broker.close()
    today = Agent(agent.place, agent.project, agent.home)

    told = fixes_told(today, "s4")
    today.broker.close()

    assert "ran `bun install`" in told


def forget_fix_kinds(agent: Agent) -> None:
    """Write the log as a version without `fix_kind` wrote it, each line with its valid hash."""
    lines = []
    for fields in agent.records():
        fields["body"].pop("fix_kind", None)
        del fields["hash"]
        lines.append(encode_line(Record(fields)))
    agent.place.log.write_bytes(b"".join(lines))
    shutil.rmtree(agent.place.directory / "index", ignore_errors=True)


def test_that_a_look_into_a_folder_failed_before_is_not_told(agent: Agent) -> None:
    for session in ("s1", "s2"):
        agent.starts(session)
        agent.fails("ls build/queue", "ls: build/queue: No such file or directory")
    agent.starts("s3")

    assert agent.fails("ls build/queue", "ls: build/queue: No such file or directory") == ""


def test_a_repaired_command_is_the_fix_of_the_one_that_failed(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("gh pr create --title one --label docs", "could not add label: 'docs' not found")
    agent.passes("gh pr create --title one --body text")
    agent.starts("s2")

    told = agent.fails(
        "gh pr create --title two --label docs", "could not add label: 'docs' not found"
    )

    assert "What made it pass: ran `gh pr create --title one --body text`" in told


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("pytest", "pytest tests/one.py"),
        ("ls build", "ls src"),
        ("gh pr create --label docs", "gh pr view 3"),
        ("python -c 'import a'", "python -c 'import b'"),
    ],
)
def test_another_command_is_not_the_fix_of_one_that_failed(
    agent: Agent, failed: str, passed: str
) -> None:
    agent.starts("s1")
    agent.fails(failed, "FileNotFoundError: no such file: queue.md")
    agent.passes(passed)

    assert agent.records("fix") == []


def test_a_command_of_the_same_sort_much_later_is_not_the_fix(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("git commit -m one", "error: gpg failed to sign the data")
    for number in range(20):
        agent.passes(f"cat notes-{number}.md")
    agent.passes("git commit -m two")

    assert agent.records("fix") == []


def solved_and_broken_again(agent: Agent) -> None:
    """Play a failure with a fix in one session, and the same failure without one in the next."""
    solved(agent)
    agent.starts("s2")
    agent.fails("bun run lint", TURBO)


def refused(agent: Agent, command: str) -> str:
    answer = agent.hook(
        "PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id=command
    ).get("hookSpecificOutput", {})
    assert answer.get("permissionDecision", "deny") == "deny"
    return str(answer.get("permissionDecisionReason", ""))


@pytest.fixture
def guarded(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    project, settings = (
        repository(tmp_path / "widgets"),
        Settings(recall=RecallSettings(guard=True)),
    )
    found = Agent(store, project, home, settings)
    yield found
    found.broker.close()


def test_a_guarded_command_that_failed_the_same_way_twice_is_answered_with_its_fix(
    guarded: Agent,
) -> None:
    solved_and_broken_again(guarded)
    guarded.starts("s3")

    reason = refused(guarded, "bun run lint")

    assert "What made it pass: ran `bun install`" in reason
    assert "setting recall.guard" in reason


def test_a_guarded_command_is_refused_once_a_session(guarded: Agent) -> None:
    solved_and_broken_again(guarded)
    guarded.starts("s3")
    refused(guarded, "bun run lint")

    assert refused(guarded, "bun run lint 2>&1") == ""


def test_a_refusal_that_is_delivered_twice_is_the_same_twice(guarded: Agent) -> None:
    solved_and_broken_again(guarded)
    guarded.starts("s3")
    payload = {
        "session_id": "s3", "cwd": str(guarded.project), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "bun run lint"}, "tool_use_id": "t",
    }  # fmt: skip
    delivery = Delivery("claude", "PreToolUse", "twice", json.dumps(payload).encode())

    first = guarded.runner.run(delivery).stdout
    other = Runner(guarded.broker, str(guarded.home), time.time_ns).run(delivery).stdout

    assert b'"deny"' in first
    assert json.loads(first) == json.loads(other)


@pytest.mark.parametrize("last", ["passes", "another cause", "no fix", "once"])
def test_a_guarded_command_runs_where_it_may_well_pass(guarded: Agent, last: str) -> None:
    guarded.starts("s1")
    if last != "once":
        guarded.fails("bun run lint", TURBO)
    if last != "no fix":
        guarded.fails("bun run build", TURBO)
        guarded.passes("bun install")
        guarded.passes("bun run build")
    cause = "error: no-unused-vars in press.ts" if last == "another cause" else TURBO
    guarded.fails("bun run lint", cause)
    if last == "passes":
        guarded.passes("bun run lint")
    guarded.starts("s2")

    assert refused(guarded, "bun run lint") == ""


def test_an_edit_that_failed_twice_is_not_refused(guarded: Agent) -> None:
    file = str(guarded.project / "press.ts")
    given = {"file_path": file, "old_string": "a", "new_string": "b"}
    failing = {"tool_name": "Edit", "tool_input": given, "error": "File has not been read yet."}
    for session in ("s1", "s2"):
        guarded.starts(session)
        guarded.hook("PostToolUseFailure", tool_use_id=f"{session}-f", **failing)
        if session == "s1":
            guarded.passes("touch press.ts")
            guarded.hook(
                "PostToolUse", tool_name="Edit", tool_input=given, tool_use_id="ok",
                tool_response={"filePath": file},
            )  # fmt: skip
    guarded.starts("s3")
    guarded.hook("PostToolUseFailure", tool_use_id="s3-f", **failing)
    guarded.starts("s4")

    assert guarded.records("fix") == []
    assert guarded.hook("PreToolUse", tool_name="Edit", tool_input=given, tool_use_id="t") == {}


def test_nothing_is_refused_without_the_guard(agent: Agent) -> None:
    solved_and_broken_again(agent)
    agent.starts("s3")

    assert refused(agent, "bun run lint") == ""


def test_a_brief_tells_of_older_sessions_what_comes_back_and_a_command_mends(agent: Agent) -> None:
    for session in ("s1", "s2"):
        solved(agent, session)
    agent.fails("make one", "TypeError: one is not a function")
    agent.edits("one.ts", "export const one = 1")
    agent.passes("make one")
    agent.starts("s3")
    agent.fails("make two", "TypeError: two is not a function")
    agent.edits("two.ts", "export const two = 2")
    agent.passes("make two")

    brief = agent.starts("s4")

    assert "ran `bun install`" in brief
    assert "export const" not in brief
