"""Codex CLI by the payloads that the real client sent: what is recorded of them, and what is printed."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.agent import Answer
from hooklore.agents.codex import AGENT
from hooklore.agents.codex.patch_text import file_patches
from hooklore.agents.codex.registering import GROUPS, REGISTRATION
from hooklore.agents.codex.rollout import (
    command_status,
    session_of_transcript,
    session_source,
    token_totals,
)
from hooklore.agents.event import Edit, HookEvent
from hooklore.agents.rehearsal import Step
from hooklore.config import StoreLocation
from hooklore.hooks.parse import parse_event
from tests.support.agent import repository
from tests.support.member import Member

FIXTURES = Path(__file__).parents[2] / "fixtures" / "codex"
ROLLOUT = FIXTURES / "rollout.jsonl"
NAME = "rollout-2026-11-22T22-13-30-01a20552-51d0-7152-8a94-fa73def1ad88.jsonl"
NOTES = "hooklore-notes"
FAILED = "Exit code 1\nPressError: it refuses to start without torque"


def recorded(name: str) -> dict[str, Any]:
    """A payload as the client sent it."""
    found: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))
    return found


def parsed(payload: dict[str, Any]) -> HookEvent:
    """The event of a payload."""
    raw = json.dumps(payload).encode()
    return parse_event("codex", str(payload["hook_event_name"]), "d1", {}, raw)


def failed(rollout: Path = ROLLOUT) -> dict[str, Any]:
    """The payload of a command that exited 3, with its rollout in a place of ours."""
    return recorded("PostToolUse-Bash-failed") | {"transcript_path": str(rollout)}


@pytest.fixture
def member(store: StoreLocation, home: Path, tmp_path: Path) -> Member:
    return Member("codex", store, repository(home / "widgets"), home)


@pytest.fixture
def rollout(tmp_path: Path) -> str:
    """A place for the session's rollout."""
    return str(tmp_path / "rollout.jsonl")


def fails_and_is_fixed(member: Member, rollout: str) -> None:
    """A command fails, a file is edited, and the command passes."""
    edit = Edit(str(member.project / "press.toml"), "torque = 0", "torque = 47")
    member.told("failure", command="make press", error=FAILED, tool_use_id="1", transcript=rollout)
    member.told("after_tool", edit=edit, tool_use_id="2")
    member.told(
        "after_tool", command="make press", output="ok", tool_use_id="3", transcript=rollout
    )


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_every_recorded_payload_is_read_without_a_problem(path: Path) -> None:
    event = parsed(recorded(path.stem))

    assert (event.problem, event.payload_event) == (None, None)
    assert event.session_id
    assert event.session_id.startswith("01a")
    assert event.cwd == "/repo"


@pytest.mark.parametrize(
    ("name", "event", "tool_class"),
    [
        ("SessionStart", "session_start", None),
        ("UserPromptSubmit", "prompt", None),
        ("UserPromptSubmit-subagent", "other", None),
        ("PreToolUse-Bash", "before_tool", "command"),
        ("PreToolUse-apply_patch", "before_tool", "edit"),
        ("PreToolUse-mcp__memory__recall", "before_tool", "mcp"),
        ("PreToolUse-spawn_agent", "before_tool", "agent"),
        ("PostToolUse-Bash", "after_tool", "command"),
        ("PostToolUse-apply_patch", "after_tool", "edit"),
        ("Stop", "answer", None),
        ("SubagentStart", "agent_start", None),
        ("PreCompact", "before_compaction", None),
        ("PostCompact", "after_compaction", None),
        ("SessionEnd", "session_end", None),
    ],
)
def test_a_payload_is_the_event_that_happened(
    name: str, event: str, tool_class: str | None
) -> None:
    found = parsed(recorded(name))

    assert (found.event, found.tool_class) == (event, tool_class)


# ---- commands: the payload has no exit status, the rollout has


def test_a_command_that_failed_is_told_by_its_rollout() -> None:
    event = parsed(failed())

    assert (event.event, event.exit_status, event.stopped_by) == ("failure", 3, None)
    assert event.text == "Exit code 3\na\n"
    assert event.command == "echo a; exit 3"


def test_a_command_without_a_rollout_has_an_unknown_outcome(tmp_path: Path) -> None:
    event = parsed(failed(tmp_path / "nowhere.jsonl"))

    assert event.event == "after_tool"
    assert event.call.output
    assert event.call.output.outcome == "unknown"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", None),
        ("not json\n", None),
        ('{"payload":{"item":{"type":"CommandExecution","id":"c","exit_code":"3"}}}\n', None),
        ('{"payload":{"item":{"type":"CommandExecution","id":"c","exit_code":true}}}\n', None),
        ('{"payload":{"item":{"type":"CommandExecution","id":"c2","exit_code":3}}}\n', None),
        ('{"payload":{"item":{"type":"CommandExecution","id":"c","exit_code":0}}}', 0),
        ('{"id":1}\n{"payload":{"item":{"type":"CommandExecution","id":"c","exit_code":4}}}\n', 4),
    ],
)  # fmt: skip
def test_an_exit_status_is_read_from_a_whole_line_of_that_call_alone(
    tmp_path: Path, text: str, status: int | None
) -> None:
    path = tmp_path / NAME
    path.write_text(text)

    assert command_status(str(path), "c") == status


def test_an_exit_status_stands_behind_an_output_of_a_mebibyte(tmp_path: Path) -> None:
    item = {"type": "CommandExecution", "id": "c", "output": "x" * (1 << 20), "exit_code": 9}
    path = tmp_path / NAME
    path.write_text(json.dumps({"payload": {"item": item}}, separators=(",", ":")) + "\n")

    assert command_status(str(path), "c") == 9


def test_a_rollout_that_is_no_file_is_read_as_nothing(tmp_path: Path) -> None:
    fifo, link = tmp_path / "fifo", tmp_path / "link"
    os.mkfifo(fifo)
    link.symlink_to(ROLLOUT)

    assert [command_status(str(each), "call_1") for each in (fifo, link, tmp_path)] == [None] * 3
    assert command_status("\0", "call_1") is None


def test_the_tokens_of_a_session_are_the_clients_last_count() -> None:
    assert token_totals(str(ROLLOUT)) == {
        "input": 3000,
        "output": 90,
        "cache_creation": 0,
        "cache_read": 600,
    }
    assert token_totals("/nowhere") == {}


def test_a_rollout_is_named_after_its_session() -> None:
    assert session_of_transcript(NAME) == "01a20552-51d0-7152-8a94-fa73def1ad88"
    assert session_of_transcript("history.jsonl") is None


@pytest.mark.parametrize(
    ("source", "typed"), [("cli", True), ("vscode", True), ("exec", False), ("mcp", False)]
)
def test_a_person_types_where_the_rollout_names_a_terminal(
    tmp_path: Path, source: str, typed: bool
) -> None:
    path = tmp_path / NAME
    head = {"type": "session_meta", "payload": {"thread_source": "user", "source": source}}
    path.write_text(json.dumps(head, separators=(",", ":")) + "\n")

    event = parsed(recorded("UserPromptSubmit") | {"transcript_path": str(path)})

    assert (event.entrypoint, event.is_interactive) == (source, typed)


def test_a_subagent_is_never_typed_to() -> None:
    path = str(FIXTURES / "rollout-subagent.jsonl")
    event = parsed(recorded("UserPromptSubmit-subagent") | {"transcript_path": path})

    assert session_source({"transcript_path": path}) == "exec"
    assert (event.event, event.is_interactive, event.role) == ("other", False, "researcher")


def test_the_task_of_a_subagent_is_no_prompt_of_the_user(member: Member) -> None:
    payload = recorded("UserPromptSubmit-subagent") | {"cwd": str(member.project)}

    assert member.hook("UserPromptSubmit", payload) == b""
    assert member.records("prompt") == []


# ---- edits


def test_a_patch_names_its_files_and_its_lines() -> None:
    event = parsed(recorded("PostToolUse-apply_patch"))

    assert event.paths == ("/repo/a.txt", "/repo/b.txt", "/repo/sub/d.txt")
    assert event.call.edits == (
        Edit("/repo/b.txt", "one", "uno"),
        Edit("/repo/sub/d.txt", "", "x"),
    )
    assert event.call.changed_lines == ("-one", "+uno", "+x")


def test_a_deleted_file_is_named() -> None:
    assert parsed(recorded("PostToolUse-apply_patch-deleted")).paths == ("/repo/b.txt",)


@pytest.mark.parametrize(
    "patch", ["", "*** Update File:", "-x\n+y", "*** Move to: b\n", "\n" * 1000, "*** Add File: \0"]
)
def test_a_patch_of_any_form_is_read_without_an_error(patch: str) -> None:
    file_patches(patch, "/repo")


@pytest.mark.parametrize(
    "broken", [None, 1, "x", [], ["a", 2], {"command": 1}, {"command": ["ls", 1]}]
)
@pytest.mark.parametrize("tool", ["Bash", "apply_patch", "spawn_agent", "mcp__x__y", None])
def test_an_input_of_another_form_is_read_without_an_error(broken: object, tool: object) -> None:
    payload = recorded("PostToolUse-Bash") | {"tool_name": tool, "tool_input": broken}

    assert parsed(payload | {"tool_response": broken}).problem is None


def test_an_mcp_tool_that_failed_is_a_failure() -> None:
    response = {"content": [{"type": "text", "text": "no such table"}], "isError": True}
    event = parsed(recorded("PostToolUse-mcp__memory__recall") | {"tool_response": response})

    assert (event.event, event.text, event.exit_status) == ("failure", "no such table", None)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("exec command rejected by user", "refused"),
        ("patch rejected by user", "refused"),
        ("user cancelled MCP tool call", "cancelled"),
        ("aborted by user after 1.2s", "interrupted"),
        ("Command blocked by PreToolUse hook: no", "harness"),
        ("unsupported call: update_plan", "harness"),
        ("Exit code 1\naborted by user", None),
        ("no such table", None),
    ],
)
def test_the_clients_words_tell_who_stopped_a_tool(error: str, reason: str | None) -> None:
    assert AGENT.stops.stopped_by("command", error) == reason


# ---- answers


def test_a_failure_is_answered_with_its_fix_in_the_clients_form(
    member: Member, rollout: str
) -> None:
    fails_and_is_fixed(member, rollout)
    member.session = "s2"

    step = Step("failure", "s2", str(member.project), command="make press", error=FAILED,
                tool_use_id="9", transcript=rollout)  # fmt: skip
    answer = json.loads(member.answer(step))

    assert answer.keys() == {"hookSpecificOutput"}
    assert answer["hookSpecificOutput"].keys() == {"hookEventName", "additionalContext"}
    assert answer["hookSpecificOutput"]["hookEventName"] == "PostToolUse"
    assert "torque = 47" in answer["hookSpecificOutput"]["additionalContext"]


def test_a_successful_tool_is_answered_with_nothing(member: Member, rollout: str) -> None:
    step = Step("after_tool", "s1", str(member.project), command="ls", output="a",
                tool_use_id="1", transcript=rollout)  # fmt: skip

    assert member.answer(step) == b""


EVERYTHING = Answer("context", "notice", None, None, None, None, "permission")


@pytest.mark.parametrize("event", AGENT.events)
@pytest.mark.parametrize(
    "answer",
    [
        EVERYTHING,
        Answer(context="c", refusal="no"),
        Answer(stop_reason="stop", context="c", notice="n"),
        Answer(question="may it?", changed_input={"command": "x"}),
    ],
)
def test_an_answer_has_no_field_that_the_client_does_not_know(event: str, answer: Answer) -> None:
    printed = AGENT.print_answer(event, answer)

    AGENT.rehearsal().context(event, printed)
    assert event != "SessionEnd" or printed == b""


@pytest.mark.parametrize("letter", ["x", "記", "𠮷", '"', "\ud800"])
def test_an_answer_stays_below_the_bytes_that_the_client_shows_whole(letter: str) -> None:
    text = "\n".join(["<notes>", *(letter * 100 for _ in range(1000)), "</notes>"])

    printed = AGENT.print_answer("SessionStart", Answer(context=text, notice="n" * 2000))

    context = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert len(printed) <= 9000
    assert len(context.encode()) < 10_000
    assert context.endswith("</notes>")


def test_a_decision_that_a_person_makes_is_refused_to_the_agent(member: Member) -> None:
    step = Step(
        "before_tool", "s1", str(member.project), command="hooklore approve 1", tool_use_id="1"
    )

    told = json.loads(member.answer(step))["hookSpecificOutput"]

    assert told["permissionDecision"] == "deny"
    assert "only the user decides this" in told["permissionDecisionReason"]
    assert told.keys() == {"hookEventName", "permissionDecision", "permissionDecisionReason"}


def test_a_resumed_session_is_told_its_brief_once(member: Member) -> None:
    member.user_says("Never press sprockets on Fridays")

    first = member.told("session_start", source="startup")
    again = member.told("session_start", source="resume")

    assert "sprockets" in first
    assert again == ""


def test_a_turn_is_recorded_at_its_end_without_an_end_of_the_session(member: Member) -> None:
    member.told("prompt", prompt="How do we press?")
    member.told("answer", answer="With torque 47.")

    assert [each["body"]["text"] for each in member.records("answer")] == ["With torque 47."]


# ---- the registration


UNREADABLE = (
    '[ ! -d "$HOME/.local/share/hooklore" ] || echo \'{"systemMessage": "hooklore cannot start: run its '
    'installer again", "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": '
    '"shared memory unreadable: the interpreter of hooklore is gone; do not answer from memory"}}\''
)


def test_the_definitions_are_those_that_users_have_trusted() -> None:
    """A change of one character would make the client skip the hook until its user trusts it again."""
    run = '"$HOME/.local/share/hooklore/python" -I -S "$HOME/.local/share/hooklore/hooks/codex/'
    limits = {"SessionStart": 10, "SessionEnd": 3}
    matchers = {"PreToolUse": "Bash|apply_patch|spawn_agent|web_search"}

    for event, group in REGISTRATION.entries(home=Path("/home/u")).items():
        last = f"|| {UNREADABLE} || exit 0" if event == "SessionStart" else "|| exit 0"
        entry = re.sub("(?<=[a-z])(?=[A-Z])", "_", event).lower()
        (hook,) = group["hooks"]
        assert hook["command"] == f'{run}{entry}.py" {last}'
        assert hook["timeout"] == limits.get(event, 5)
        assert group.get("matcher") == matchers.get(event)


def test_the_definitions_are_the_same_for_every_home_and_setting() -> None:
    one = REGISTRATION.entries(home=Path("/home/a"))

    assert one == REGISTRATION.entries(home=Path("/home/b"), capture_reads=True)


def test_the_limit_in_the_settings_leaves_a_hook_the_time_that_it_may_take() -> None:
    assert all(event.limit > event.seconds for event in AGENT.events.values())
    assert AGENT.events["SessionEnd"].limit <= 3


@pytest.mark.parametrize("event", AGENT.events)
@pytest.mark.parametrize("state", ["nothing", "no entry files", "no interpreter", "broken"])
def test_a_hook_exits_0_whatever_is_missing(event: str, home: Path, state: str) -> None:
    folder = home / ".local" / "share" / "hooklore"
    (folder / "hooks" / "codex").mkdir(parents=True)
    if state == "nothing":
        shutil.rmtree(folder)
    if state == "no entry files":
        (folder / "python").symlink_to("/usr/bin/python3")
    if state == "broken":
        (folder / "python").write_text("#!/bin/sh\nexit 2\n")
        (folder / "python").chmod(0o755)

    done = subprocess.run(
        ["/bin/sh", "-c", GROUPS.command(event)], env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        input=b"{}", capture_output=True, timeout=20,
    )  # fmt: skip

    speaks = event == "SessionStart" and state != "nothing"
    assert done.returncode == 0
    assert ("shared memory unreadable" in AGENT.rehearsal().context(event, done.stdout)) == speaks
    assert speaks or done.stdout == b""
