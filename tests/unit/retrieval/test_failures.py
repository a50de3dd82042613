"""Notes on failures that come back, and the guard against commands that will fail again."""

import json
import re
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hooklore.config import RecallSettings, Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.runner import Runner
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from hooklore.text.token_estimate import estimate_tokens
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


def test_a_failure_outside_of_projects_brings_its_fix_there(
    store: StoreLocation, home: Path
) -> None:
    agent = Agent(store, home, home)
    solved(agent)
    agent.starts("s2")
    told = agent.fails("bun run typecheck", TURBO)
    agent.broker.close()

    assert "bun install" in told


def test_a_failure_without_a_fix_is_told_with_how_many_sessions_saw_it_and_since_when(
    agent: Agent,
) -> None:
    for session in ("s1", "s2", "s3"):
        agent.starts(session)
        agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'")
    agent.starts("s4")

    told = agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'")

    (note,) = (line for line in told.splitlines() if line.startswith("- "))
    assert note.startswith(f"- seen in 3 other sessions since {today()} [")
    assert "trust" not in told
    assert estimate_tokens(note) <= 25


def test_a_failure_that_fewer_than_three_other_sessions_saw_is_not_told_without_a_fix(
    agent: Agent,
) -> None:
    for session in ("s1", "s1", "s1", "s2"):
        agent.starts(session)
        agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'")
    agent.starts("s3")

    assert agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'") == ""


def test_a_failure_of_what_the_session_itself_changed_is_not_told_to_have_been_seen(
    agent: Agent,
) -> None:
    error = "src/press.py:3: error: the name 'gear' is unknown"
    for session in ("s1", "s2", "s3"):
        agent.starts(session)
        agent.fails("make check", error)
    agent.starts("s4")
    agent.edits("src/press.py", "gear = 3")

    own = agent.fails("make check", error)
    agent.starts("s5")
    agent.edits("src/express.py", "gear = 3")
    others = agent.fails("make check", error)

    assert own == ""
    assert "- seen in 4 other sessions" in others


def test_of_two_failed_tests_the_note_names_the_one_that_was_seen_before(agent: Agent) -> None:
    known = "FAILED tests/test_press.py::test_turns_left - ValueError: no torque on the shaft"
    new = "FAILED tests/test_press.py::test_turns_right - KeyError: 'spindle'"
    for session in ("s1", "s2", "s3"):
        agent.starts(session)
        agent.fails("pytest -q", f"{known}\n1 failed in 0.02s")
    agent.starts("s4")

    told = agent.fails("pytest -q", f"{new}\n{known}\n2 failed in 0.02s")

    (note,) = (line for line in told.splitlines() if line.startswith("- "))
    assert note.startswith("- test_turns_left was seen in 3 other sessions since ")
    assert estimate_tokens(note) <= 25


def test_the_same_failure_in_one_session_is_not_told_to_that_session(agent: Agent) -> None:
    agent.starts("s1")
    for _ in range(3):
        told = agent.fails("npm test", "Error: ENOENT: no such file, open 'dist/queue.md'")

    assert told == ""


def test_a_failure_that_came_ten_thousand_times_is_told_as_fast_as_one_that_came_a_hundred_times(
    agent: Agent,
) -> None:
    agent.starts("s1")
    agent.fails("npm test", ENOENT)
    first = Record(agent.records("error")[0])

    repeat(agent, first, 100)
    few = seconds_to_tell(agent, "s2")
    repeat(agent, first, 9_900)
    many = seconds_to_tell(agent, "s3")

    assert many < 8 * few


ENOENT = "Error: ENOENT: no such file, open 'dist/queue.md'"


def repeat(agent: Agent, failure: Record, times: int) -> None:
    """Append a failure again and again, and index it."""
    plain = failure.without("id", "hash", "delivery_id", "natural_key")
    drafts = [
        Draft(plain.with_fields(delivery_id=uuid.uuid4().hex, session_id=f"old-{n}"))
        for n in range(times)
    ]
    agent.broker.append(drafts)
    agent.broker.index()


def seconds_to_tell(agent: Agent, session: str) -> float:
    """Return the CPU seconds in which a session that meets the failure is told how often it was seen."""
    agent.starts(session)
    begin = time.process_time()
    told = agent.fails("npm test", ENOENT)
    seconds = time.process_time() - begin
    assert re.search(r"- seen in at least \d\d other sessions since", told)
    return seconds


def test_a_failure_that_says_nothing_is_known_by_its_command(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("make all", "make: *** No rule to make target 'all'.  Stop.")
    agent.edits("Makefile", "all: press")
    agent.passes("make all")
    agent.starts("s2")

    assert "all: press" in agent.fails("make all", "make: *** No rule to make target 'all'.  Stop.")


def today() -> str:
    """Return the date of a record that is made now."""
    return datetime.now(UTC).date().isoformat()


def repeats_told(agent: Agent, session: str) -> list[str]:
    """Return the lines of a new session's brief about commands that failed the same way twice."""
    brief = agent.starts(session)
    _, _, after = brief.partition("Failed the same way in the last two sessions that ran it")
    return [line for line in after.splitlines() if line.startswith("- `")]


def broken_again(agent: Agent, *sessions: str) -> None:
    """Play sessions that end with the failure that `solved` ended."""
    for session in sessions:
        agent.starts(session)
        agent.fails("bun run lint", TURBO)


def test_a_session_begins_with_the_command_that_failed_the_same_way_in_the_last_two(
    agent: Agent,
) -> None:
    solved(agent)
    broken_again(agent, "s2", "s3")

    (told,) = repeats_told(agent, "s4")

    assert "what made it pass was `bun install`" in told


def test_a_session_begins_with_the_failure_itself_where_no_fix_is_known(agent: Agent) -> None:
    broken_again(agent, "s1", "s2")

    (told,) = repeats_told(agent, "s3")

    assert told.startswith("- `bun run lint` failed")


def test_a_failure_without_a_fix_is_no_news_to_the_fourth_session(agent: Agent) -> None:
    broken_again(agent, "s1", "s2", "s3")

    assert repeats_told(agent, "s4") == []


@pytest.mark.parametrize("last", ["one session", "passed since", "another cause", "a look"])
def test_a_session_does_not_begin_with_another_failure(agent: Agent, last: str) -> None:
    command = "ls build" if last == "a look" else "bun run lint"
    for session in ("s1",) if last == "one session" else ("s1", "s2"):
        agent.starts(session)
        error = "TypeError: press is not a function"
        agent.fails(command, error if (session, last) == ("s2", "another cause") else TURBO)
        if last == "passed since":
            agent.passes(command)

    assert repeats_told(agent, "s3") == []


def test_a_session_begins_with_a_command_that_every_session_has_to_set_up(agent: Agent) -> None:
    for session in ("s1", "s2"):
        agent.starts(session)
        agent.fails("bun run lint", TURBO)
        agent.passes("bun install")
        agent.passes("bun run lint")

    (told,) = repeats_told(agent, "s3")

    assert "what made it pass was `bun install`" in told


def test_a_command_that_the_last_sessions_did_not_run_is_not_told_at_the_start(
    agent: Agent,
) -> None:
    broken_again(agent, "s1", "s2")
    agent.starts("s3")
    agent.starts("s4")

    assert repeats_told(agent, "s5") == []


def test_the_cure_of_another_missing_module_is_not_told(agent: Agent) -> None:
    error = "error: Cannot find module '{}' from 'src/press/loader.ts'"
    agent.starts("s1")
    agent.fails("bun test src/press", error.format("fast-mill"))
    agent.passes("bun install")
    agent.passes("bun test src/press")
    agent.starts("s2")

    other = agent.fails("bun test src/press", error.format("slow-lathe"))
    same = agent.fails("bun test src/press", error.format("fast-mill"))

    assert "bun install" not in other
    assert "what made it pass was `bun install`" in same


def test_an_edit_that_names_no_error_is_not_told_when_the_failure_came_back(agent: Agent) -> None:
    error = "make: *** No rule to make target 'all'.  Stop."
    agent.starts("s1")
    agent.fails("make all", error)
    agent.edits("Makefile", "all: press")
    agent.passes("make all")
    for session in ("s2", "s3"):
        agent.starts(session)
        agent.edits("lathe.py", session)
        agent.fails("make all", error)
    agent.starts("s4")

    told = agent.fails("make all", error)

    assert "all: press" not in told
    assert "seen in 3 other sessions" in told


def test_a_brief_keeps_no_failure_back_that_failed_twice_in_one_session(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("bun run lint", TURBO)
    agent.fails("bun run lint", TURBO)

    assert repeats_told(agent, "s2") == []


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

    assert "what passed instead was `gh pr create --title one --body text`" in told


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


def test_a_command_that_was_run_in_another_folder_is_told_with_the_folder(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("cd press && cargo build", "sh: 1: cd: press: No such file or directory")
    agent.passes("cargo build")
    agent.fails("cd lathe && cargo doc", "sh: 1: cd: lathe: No such file or directory")
    agent.passes("cd tools/lathe && cargo doc")
    agent.starts("s2")

    first = agent.fails("cd press && cargo build", "sh: 1: cd: press: No such file or directory")
    second = agent.fails("cd lathe && cargo doc", "sh: 1: cd: lathe: No such file or directory")

    assert "what passed instead was the same without `cd press`" in first
    assert "what passed instead was the same in `tools/lathe`" in second


@pytest.mark.parametrize(
    ("failing", "passing"),
    [
        ("npx eslint src/press.ts", "bunx eslint src/press.ts"),
        ("pip install lathe", "uv pip install lathe"),
        ("pnpm run bundle:press", "bun run bundle:press"),
    ],
)
def test_the_same_task_by_another_program_is_the_fix(
    agent: Agent, failing: str, passing: str
) -> None:
    agent.starts("s1")
    agent.fails(failing, "error: this project is configured for another program")
    agent.passes(passing)
    agent.starts("s2")

    told = agent.fails(failing, "error: this project is configured for another program")

    assert f"`{passing}`" in told


@pytest.mark.parametrize(
    "passing",
    [
        "make deploy-dry",
        "git commit -m 'make deploy again'",
        "grep 'make deploy' README.md",
        "echo make deploy",
    ],
)
def test_a_command_that_only_holds_the_words_of_a_failed_one_is_not_its_fix(
    agent: Agent, passing: str
) -> None:
    agent.starts("s1")
    agent.fails("make deploy", "Error: the press of the mill refuses the torque")
    agent.passes(passing)

    assert agent.records("fix") == []


def test_a_push_of_another_repository_ends_no_failure_of_this_one(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("git -C press push", "error: failed to push some refs to 'press.git'")
    agent.passes("git -C lathe push")

    assert agent.records("fix") == []


def test_a_command_of_the_same_sort_much_later_is_not_the_fix(agent: Agent) -> None:
    agent.starts("s1")
    agent.fails("git commit -m one", "error: gpg failed to sign the data")
    for number in range(20):
        agent.passes(f"cat notes-{number}.md")
    agent.passes("git commit -m two")

    assert agent.records("fix") == []


def solved_and_broken_again(agent: Agent) -> None:
    """Play a failure with a fix in one session, and the same failure without one in the next two."""
    solved(agent)
    broken_again(agent, "s1b", "s2")


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

    assert "what made it pass was `bun install`" in reason
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


@pytest.mark.parametrize("last", ["passes", "another cause", "no fix", "one session"])
def test_a_guarded_command_runs_where_it_may_well_pass(guarded: Agent, last: str) -> None:
    guarded.starts("s1")
    if last != "no fix":
        guarded.fails("bun run build", TURBO)
        guarded.passes("bun install")
        guarded.passes("bun run build")
    guarded.fails("bun run lint", TURBO)
    if last != "one session":
        guarded.starts("s2")
    cause = "error: no-unused-vars in press.ts" if last == "another cause" else TURBO
    guarded.fails("bun run lint", cause)
    if last == "passes":
        guarded.passes("bun run lint")
    guarded.starts("s3")

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
