"""What the harness can show of the real client, with no hooklore in sight."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.claude.api import SUMMARY, ApiError, Turn, bash, delegate, say
from tests.claude.session import Claude, SessionTimeoutError, hook_text, shown, spoken
from tests.conftest import wait_until
from tests.processes import is_alive
from tests.support.scenario import ANSWER, COMMAND, ERROR, FIX, PASSED, SUBAGENT, widgets

pytestmark = pytest.mark.client

EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"),
    *("SubagentStart", "SubagentStop", "Stop", "StopFailure", "PreCompact", "PostCompact"),
    "SessionEnd",
)
TELLING = (*EVENTS[:5], "SubagentStart")


@pytest.fixture
def claude(claude_binary: Path, tmp_path: Path) -> Claude:
    project = tmp_path / "project"
    project.mkdir()
    return Claude(claude_binary, tmp_path / "home", project)


@dataclass(frozen=True)
class Recording:
    """A settings file whose hooks append every payload to one file."""

    settings: Path
    file: Path

    @property
    def args(self) -> tuple[str, ...]:
        return ("--settings", str(self.settings))

    def payloads(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def events(self) -> list[str]:
        return [payload["hook_event_name"] for payload in self.payloads()]

    def wait_for(self, event: str) -> None:
        """Return once the hook of this event has written its payload."""
        wait_until(lambda: f'"{event}"' in self.file.read_text(), f"a payload of {event}")

    def of(self, event: str) -> list[dict[str, Any]]:
        return [p for p in self.payloads() if p["hook_event_name"] == event]


def registered(commands: Mapping[str, str]) -> dict[str, Any]:
    return {
        "hooks": {
            event: [{"hooks": [{"type": "command", "command": command}]}]
            for event, command in commands.items()
        }
    }


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    found = Recording(tmp_path / "settings.json", tmp_path / "payloads.jsonl")
    command = f"cat >> {shlex.quote(str(found.file))}"
    found.settings.write_text(json.dumps(registered(dict.fromkeys(EVENTS, command))))
    return found


def context(event: str, text: str) -> str:
    """A command that prints an answer with additional context."""
    answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return f"printf %s {shlex.quote(json.dumps(answer))}"


def test_a_failing_and_a_passing_command_reach_the_recording_hook(
    claude: Claude, recording: Recording
) -> None:
    turns = [bash("echo oops >&2; exit 3"), bash("echo fine"), say("both ran")]

    session = claude.run("run two commands", turns, args=recording.args)

    assert session.rc == 0
    assert session.results == ("both ran",)
    assert session.stderr == ""
    assert [request.number for request in session.turns()] == [0, 1, 2]
    assert recording.events() == [
        *("SessionStart", "UserPromptSubmit"),
        *("PreToolUse", "PostToolUseFailure", "PreToolUse", "PostToolUse"),
        *("Stop", "SessionEnd"),
    ]
    assert recording.of("UserPromptSubmit")[0]["prompt"] == "run two commands"
    assert "oops" in recording.of("PostToolUseFailure")[0]["error"]
    assert recording.of("PostToolUse")[0]["tool_response"]["stdout"] == "fine"
    assert recording.of("Stop")[0]["last_assistant_message"] == "both ran"
    assert {p["session_id"] for p in recording.payloads()} == {session.session_id}
    assert {run["exit_code"] for run in session.hook_runs} == {0}
    assert session.session_id in {path.stem for path in session.transcripts}


def test_a_subagent_takes_its_lane_and_hands_its_answer_back(
    claude: Claude, recording: Recording
) -> None:
    turns = [delegate("SUB-MARK look around"), say("heard")]
    lane = [bash("echo inside"), say("SUB-ANSWER")]

    session = claude.run("delegate", turns, {"SUB-MARK": lane}, args=recording.args)

    first, second = session.turns("SUB-MARK")
    assert "SUB-MARK look around" in spoken(first)[0]
    assert "inside" in spoken(second)[-1]
    assert "SUB-ANSWER" in spoken(session.turns()[-1])[-1]
    (started,) = recording.of("SubagentStart")
    (stopped,) = recording.of("SubagentStop")
    (ran,) = (p for p in recording.of("PostToolUse") if p["tool_name"] == "Bash")
    assert started["agent_type"] == "general-purpose"
    assert started["agent_id"] == stopped["agent_id"] == ran["agent_id"]
    assert stopped["last_assistant_message"] == "SUB-ANSWER"


@pytest.mark.parametrize("how", ["--resume", "--continue"])
def test_a_resumed_session_keeps_its_id_and_its_history(
    claude: Claude, recording: Recording, how: str
) -> None:
    before = claude.run("the first prompt", [say("the first answer")])
    which = (how, before.session_id) if how == "--resume" else (how,)

    after = claude.run("and now", [say("the second")], args=(*which, *recording.args))

    conversation = "\n".join(spoken(after.turns()[0]))
    assert after.session_id == before.session_id
    assert [p["source"] for p in recording.of("SessionStart")] == ["resume"]
    assert "the first prompt" in conversation
    assert "the first answer" in conversation


def test_compact_in_one_process_leaves_the_summary(claude: Claude, recording: Recording) -> None:
    prompts = ["the first prompt", "/compact", "and now"]

    session = claude.run(prompts, [say("first"), say("second")], args=recording.args)

    assert session.results == ("first", "", "second")
    assert [request.kind for request in session.requests] == ["turn", "compact", "turn"]
    assert len(session.session_ids) == 1
    assert SUMMARY in "\n".join(spoken(session.turns()[-1]))
    assert [p["source"] for p in recording.of("SessionStart")] == ["startup", "compact"]
    events = recording.events()
    assert events.index("PreCompact") < events.index("PostCompact")
    assert recording.of("PostCompact")[0]["trigger"] == "manual"


def test_clear_in_one_process_starts_another_session(claude: Claude, recording: Recording) -> None:
    prompts = ["the first prompt", "/clear", "and now"]

    session = claude.run(prompts, [say("first"), say("second")], args=recording.args)

    old, new = session.session_ids
    assert session.session_id == new
    assert "the first prompt" not in json.dumps(session.turns()[-1].body)
    assert [(p["source"], p["session_id"]) for p in recording.of("SessionStart")] == [
        ("startup", old),
        ("clear", new),
    ]
    assert [(p["reason"], p["session_id"]) for p in recording.of("SessionEnd")] == [
        ("clear", old),
        ("other", new),
    ]


def test_a_refused_request_ends_the_turn_with_stop_failure(
    claude: Claude, recording: Recording
) -> None:
    # As the last thing in a session it would not do: the client that leaves ends this hook
    # some 20 ms after its start.
    refused = Turn(error=ApiError(message="the script says no"))
    goes_on = Turn("fine", meanwhile=lambda: recording.wait_for("StopFailure"))

    session = claude.run(["go", "again"], [refused, goes_on], args=recording.args)

    assert "the script says no" in session.results[0]
    assert session.results[1] == "fine"
    assert len(recording.of("StopFailure")) == 1
    assert [p["last_assistant_message"] for p in recording.of("Stop")] == ["fine"]


def test_a_session_that_ends_refused_exits_with_1(claude: Claude) -> None:
    session = claude.run("go", [Turn(error=ApiError(message="the script says no"))])

    assert session.rc == 1
    assert "the script says no" in session.results[0]


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-opus-4-8", "claude-sonnet-4-5"])
def test_the_text_of_every_hook_is_found_whatever_its_role(
    claude: Claude, tmp_path: Path, model: str
) -> None:
    texts = {event: f"told at {event}\n\nsecond paragraph 日本語" for event in TELLING}
    settings = tmp_path / "telling.json"
    settings.write_text(json.dumps(registered({e: context(e, t) for e, t in texts.items()})))
    turns = [bash("exit 3"), bash("echo fine"), delegate("SUB-MARK look"), say("done")]
    args = ("--settings", str(settings), "--model", model)

    session = claude.run("go", turns, {"SUB-MARK": [say("looked")]}, args=args)

    start, failed, passed, _ = session.turns()
    (sub,) = session.turns("SUB-MARK")
    for request, event in (
        *((start, "SessionStart"), (start, "UserPromptSubmit"), (sub, "SubagentStart")),
        *((failed, "PreToolUse"), (failed, "PostToolUseFailure")),
        *((passed, "PostToolUse"), (passed, "PreToolUse")),
    ):
        assert hook_text(request, event, fresh=True) == texts[event], event
    assert hook_text(passed, "SessionStart") == texts["SessionStart"]
    assert hook_text(passed, "SessionStart", fresh=True) == ""
    assert hook_text(passed, "PreToolUse") == "\n\n".join([texts["PreToolUse"]] * 2)
    assert hook_text(passed, "PreToolUse:Bash") == hook_text(passed, "PreToolUse")
    assert hook_text(passed, "PreToolUse:Edit") == ""
    assert not any("told at" in line for line in spoken(passed))


def test_silent_hooks_leave_the_conversation_as_it_is_without_them(
    claude: Claude, recording: Recording, tmp_path: Path
) -> None:
    turns = [bash("exit 3"), delegate("SUB-MARK look"), say("done")]
    lanes = {"SUB-MARK": [say("looked")]}
    elsewhere = Claude(claude.binary, tmp_path / "other", claude.project)

    hooked = claude.run("go", turns, lanes, args=recording.args)
    bare = elsewhere.run("go", turns, lanes)

    assert [spoken(r) for r in hooked.requests] == [spoken(r) for r in bare.requests]
    assert [shown(r) for r in hooked.requests] == [shown(r) for r in bare.requests]


def test_hooks_of_a_plugin_folder_run(claude: Claude, recording: Recording, tmp_path: Path) -> None:
    plugin = tmp_path / "plugin"
    for folder in (".claude-plugin", "hooks"):
        (plugin / folder).mkdir(parents=True)
    (plugin / ".claude-plugin" / "plugin.json").write_text('{"name": "recorder"}')
    recording.settings.rename(plugin / "hooks" / "hooks.json")

    claude.run("go", [say("done")], args=("--plugin-dir", str(plugin)))

    assert recording.events() == ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]


def test_a_test_can_act_between_a_request_and_its_answer(claude: Claude) -> None:
    marker = claude.project / "marker"
    marker.touch()
    turns = [Turn(tool_use=bash("ls marker").tool_use, meanwhile=marker.unlink), say("done")]

    session = claude.run("go", turns)

    assert '"is_error": true' in spoken(session.turns()[-1])[-1]


def test_a_client_that_does_not_end_is_killed_with_its_commands(claude: Claude) -> None:
    hangs = bash("echo $$ > pid; exec tail -f /dev/null")
    usual = claude.run("go", [bash("true"), say("done")]).seconds

    with pytest.raises(SessionTimeoutError, match="did not end in time"):
        claude.run("go", [hangs], timeout=1.0 + 4 * usual)

    pid = int((claude.project / "pid").read_text())
    wait_until(lambda: not is_alive(pid), "the end of the command")


def test_the_standard_story_plays_to_its_end_without_memory(claude: Claude, tmp_path: Path) -> None:
    story = widgets(tmp_path / "widgets")
    client = Claude(claude.binary, claude.home, story.project)

    first = story.first.play(client)
    solved = (story.project / "widgets.toml").read_text()
    story.unsolve()
    second = story.second.play(client)

    failed, *_, passed = (spoken(r)[-1] for r in first.turns()[1:])
    assert ERROR in failed
    assert PASSED in passed
    assert FIX in solved
    assert first.results == (ANSWER,)
    assert COMMAND in spoken(second.turns()[1])[-2]
    assert ERROR in spoken(second.turns()[1])[-1]
    assert "tomllib" in spoken(second.turns(SUBAGENT)[1])[-1]
    assert FIX not in json.dumps([request.body for request in second.requests])
    assert (first.rc, second.rc) == (0, 0)
