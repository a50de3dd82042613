"""Gemini CLI by the payloads that the real client sent: what is recorded of them, and what is printed."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents.event import Edit, HookEvent
from hooklore.agents.gemini import AGENT
from hooklore.agents.gemini.registering import REGISTRATION
from hooklore.agents.rehearsal import Step
from hooklore.config import StoreLocation
from hooklore.hooks.parse import parse_event
from tests.support.agent import repository
from tests.support.member import Member

FIXTURES = Path(__file__).parents[2] / "fixtures" / "gemini"
NOTES = "hooklore-notes"
FAILED = "Exit code 1\nPressError: it refuses to start without torque"


def recorded(name: str) -> dict[str, Any]:
    """A payload as the client sent it."""
    found: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))
    return found


def parsed(payload: dict[str, Any]) -> HookEvent:
    """The event of a payload."""
    raw = json.dumps(payload).encode()
    return parse_event("gemini", str(payload["hook_event_name"]), "d1", {}, raw)


def shell(output: str, below: str = "", shown: object = None) -> dict[str, Any]:
    """The payload of a command's answer."""
    text = (
        f"<untrusted_context>\nOutput: {output}\n{below}Process Group PGID: 7\n</untrusted_context>"
    )
    response = {"llmContent": text, "returnDisplay": output if shown is None else shown}
    return recorded("AfterTool-run_shell_command") | {"tool_response": response}


@pytest.fixture
def member(store: StoreLocation, home: Path) -> Member:
    return Member("gemini", store, repository(home / "widgets"), home)


@pytest.mark.parametrize("line", ["Error: disk was full", "Exit Code: 3"])
def test_a_line_of_a_coloured_output_is_no_exit_status(line: str) -> None:
    rows = [
        [{"text": "started   "}],
        [{"text": line.split(maxsplit=1)[0]}, {"text": line[line.index(" ") :]}],
    ]

    assert parsed(shell(f"started\n{line}", shown=rows)).event == "after_tool"


def fails_and_is_fixed(member: Member) -> None:
    """A command fails, a file is edited, and the command passes."""
    edit = Edit(str(member.project / "press.toml"), "torque = 0", "torque = 47")
    member.told("failure", command="make press", error=FAILED)
    member.told("after_tool", edit=edit)
    member.told("after_tool", command="make press", output="ok")


@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.stem)
def test_every_recorded_payload_is_read_without_a_problem(path: Path) -> None:
    event = parsed(recorded(path.stem))

    assert (event.problem, event.payload_event) == (None, None)
    assert event.session_id == "5695e95a-f5c4-40e1-8937-aa5f8dc38c05"
    assert event.cwd in ("/home/u/repo", "/repo")


@pytest.mark.parametrize(
    ("name", "event", "tool_class"),
    [
        ("SessionStart", "session_start", None),
        ("BeforeAgent", "prompt", None),
        ("BeforeTool-run_shell_command", "before_tool", "command"),
        ("BeforeTool-replace", "before_tool", "edit"),
        ("BeforeTool-mcp_memory_recall", "before_tool", "mcp"),
        ("AfterTool-run_shell_command", "after_tool", "command"),
        ("AfterTool-run_shell_command-failed", "failure", "command"),
        ("AfterTool-run_shell_command-killed", "failure", "command"),
        ("AfterTool-run_shell_command-left-running", "after_tool", "command"),
        ("AfterTool-run_shell_command-background", "after_tool", "command"),
        ("AfterTool-replace", "after_tool", "edit"),
        ("AfterTool-replace-failed", "failure", "edit"),
        ("AfterTool-write_file", "after_tool", "write"),
        ("AfterTool-read_file", "after_tool", "read"),
        ("AfterTool-read_file-failed", "failure", "read"),
        ("AfterTool-glob", "after_tool", "search"),
        ("AfterTool-web_fetch-failed", "failure", "web"),
        ("AfterTool-mcp_memory_recall", "after_tool", "mcp"),
        ("AfterAgent", "answer", None),
        ("PreCompress", "other", None),
        ("SessionEnd", "session_end", None),
    ],
)
def test_a_payload_is_the_event_that_happened(
    name: str, event: str, tool_class: str | None
) -> None:
    found = parsed(recorded(name))

    assert (found.event, found.tool_class) == (event, tool_class)


# ---- the text that comes back


def test_a_prompt_is_the_users_words_without_our_notes_and_without_files(member: Member) -> None:
    event = parsed(recorded("BeforeAgent"))
    member.hook("BeforeAgent", recorded("BeforeAgent"))

    assert NOTES in recorded("BeforeAgent")["prompt"]
    assert event.text == "Do look at @a.txt please"
    (kept,) = member.records("prompt")
    assert kept["body"]["text"] == "Do look at @a.txt please"
    assert NOTES not in json.dumps(member.records())


def test_a_prompt_keeps_nothing_of_what_other_hooks_said(member: Member) -> None:
    prompt = "<hook_context>the weather of &lt;b&gt;Osaka&lt;/b&gt;</hook_context>\n\noil the press"
    member.hook("BeforeAgent", recorded("BeforeAgent") | {"prompt": prompt})

    assert member.records("prompt")[0]["body"]["text"] == "oil the press"


def test_an_answer_is_recorded_at_the_end_of_a_turn_without_an_end_of_the_session(
    member: Member,
) -> None:
    member.hook("AfterAgent", recorded("AfterAgent"))

    (answer,) = member.records("answer")
    assert answer["body"]["text"] == recorded("AfterAgent")["prompt_response"]
    assert answer["agent_id"] == "gemini"
    assert NOTES not in json.dumps(answer)


def test_an_end_that_is_announced_three_times_is_recorded_once_until_the_session_goes_on(
    member: Member,
) -> None:
    member.hook("AfterAgent", recorded("AfterAgent"))
    for _ in range(3):
        member.hook("SessionEnd", recorded("SessionEnd"))
    ends = len(member.records("session_end"))
    member.hook("AfterAgent", recorded("AfterAgent"))
    member.hook("SessionEnd", recorded("SessionEnd"))

    assert ends == 1
    assert len(member.records("session_end")) == 2


@pytest.mark.parametrize("prompt", ["", "  \n"])
def test_an_empty_prompt_leaves_no_record_and_nothing_is_printed(
    member: Member, prompt: str
) -> None:
    printed = member.hook("BeforeAgent", recorded("BeforeAgent") | {"prompt": prompt})

    assert (printed, member.records("prompt")) == (b"", [])


def test_compressions_that_compress_nothing_leave_no_record(member: Member) -> None:
    printed = [member.hook("PreCompress", recorded("PreCompress")) for _ in range(3)]
    by_user = member.hook("PreCompress", recorded("PreCompress") | {"trigger": "manual"})

    assert [*printed, by_user] == [b""] * 4
    assert [r["kind"] for r in member.records() if r["stream"] == "observation"] == ["compaction"]
    entry = REGISTRATION.entries(home=member.home)["PreCompress"]
    assert entry["matcher"] == "manual", "the client starts no process for the others"


# ---- tools


def test_the_output_of_a_command_has_neither_the_wrapper_nor_the_clients_lines() -> None:
    event = parsed(recorded("AfterTool-run_shell_command"))

    assert event.command == "echo hello-from-shell"
    assert event.call.intent == "echo"
    assert event.call.output is not None
    assert (event.call.output.text, event.call.output.outcome) == ("hello-from-shell", None)


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("AfterTool-run_shell_command-failed", "Exit Code: 3\nout\nerr", 3),
        ("AfterTool-run_shell_command-killed", "Signal: 9\n", None),
        ("AfterTool-read_file-failed", "File not found: /home/u/repo/nope.txt", None),
    ],
)
def test_a_failure_has_the_error_and_the_exit_status(
    name: str, text: str, status: int | None
) -> None:
    event = parsed(recorded(name))

    assert (event.text, event.exit_status) == (text, status)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("AfterTool-replace-failed", "harness"),
        ("AfterTool-read_file-failed", "harness"),
        ("AfterTool-run_shell_command-failed", None),
        ("AfterTool-web_fetch-failed", None),
    ],
)
def test_the_clients_own_tools_are_stopped_by_the_harness(name: str, reason: str | None) -> None:
    assert parsed(recorded(name)).stopped_by == reason


def test_a_command_that_the_user_cancelled_is_interrupted() -> None:
    text = "Command was cancelled by user before it could complete. There was no output before"
    payload = shell("") | {"tool_response": {"llmContent": text, "returnDisplay": ""}}

    event = parsed(payload)

    assert (event.event, event.stopped_by) == ("failure", "interrupted")


@pytest.mark.parametrize("shown", [None, [[{"text": "ansi"}]]])
def test_an_output_that_reads_like_an_exit_status_is_no_failure(shown: object) -> None:
    event = parsed(shell("Exit Code: 1\nall is well", shown=shown))

    assert event.event == "after_tool"
    assert event.call.output is not None
    assert event.call.output.text == "Exit Code: 1\nall is well"


def test_a_command_in_the_background_has_an_unknown_outcome(member: Member) -> None:
    member.hook("AfterTool", recorded("AfterTool-run_shell_command-background"))

    assert member.records("tool_result")[0]["body"]["outcome"] == "unknown"


def test_an_answer_of_which_only_the_beginning_came_is_no_success(member: Member) -> None:
    raw = json.dumps(recorded("AfterTool-run_shell_command-failed")).encode()
    facts = {"TRUE_SIZE": str(2 * len(raw))}

    event = parse_event("gemini", "AfterTool", "d1", facts, raw)

    assert (event.event, event.tool_class, event.call.output) == ("after_tool", "command", None)


def test_an_edit_names_its_file_by_the_path_that_the_client_found(member: Member) -> None:
    edit = parsed(recorded("AfterTool-replace")).call
    planned = parsed(recorded("BeforeTool-replace")).call
    written = parsed(recorded("AfterTool-write_file")).call

    assert edit.paths == planned.paths == ("/home/u/repo/a.txt",)
    assert edit.before_and_after == ("one", "uno")
    assert edit.changed_lines == ("-one", "+uno")
    assert written.paths == ("/home/u/repo/b.txt",)
    assert written.before_and_after == ("", "hello\n")


def test_the_answer_of_an_mcp_tool_is_unwrapped() -> None:
    event = parsed(recorded("AfterTool-mcp_memory_recall"))

    assert event.call.output is not None
    assert event.call.output.text == "MEMMARK_MCP_RECALL for sqlite"
    assert event.call.arguments == "query: sqlite"


@pytest.mark.parametrize("broken", [None, 3, [], "x", {"llmContent": 3}, {"error": []}, {}])
def test_an_answer_of_another_form_is_read_without_an_error(broken: object) -> None:
    payload = recorded("AfterTool-run_shell_command") | {"tool_response": broken}

    assert parsed(payload).event == "after_tool"


# ---- answers


def test_a_failure_is_answered_with_its_fix_in_the_clients_form(member: Member) -> None:
    fails_and_is_fixed(member)
    step = Step("failure", "s2", str(member.project), command="make press", error=FAILED)
    event, payload = AGENT.rehearsal().payload(step)

    answer = json.loads(member.hook(event, payload))

    assert event == "AfterTool"
    assert set(answer) == {"hookSpecificOutput"}
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert answer["hookSpecificOutput"]["hookEventName"] == "AfterTool"
    assert "press.toml" in answer["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("event", ["session_start", "prompt", "after_tool", "failure", "answer"])
def test_an_answer_is_one_json_object_or_nothing(member: Member, event: Any) -> None:
    member.user_says("Always oil the press before a run")
    fails_and_is_fixed(member)
    given: dict[str, Any] = {
        "session_start": {"source": "startup"},
        "prompt": {"prompt": "shall I oil the press before a run?"},
        "after_tool": {"command": "make press", "output": "ok"},
        "failure": {"command": "make press", "error": FAILED},
        "answer": {"prompt": "oil it", "answer": "done"},
    }[event]

    printed = member.answer(Step(event, "s2", str(member.project), **given))

    known = {"hookSpecificOutput", "systemMessage"}
    assert not printed or set(json.loads(printed)) <= known
    assert event == "prompt" or bool(printed) is (event in ("session_start", "failure"))


def test_a_successful_tool_is_answered_with_nothing(member: Member) -> None:
    assert member.told("after_tool", command="make press", output="ok") == ""


def test_a_step_shows_no_note_because_its_text_would_reach_no_model(member: Member) -> None:
    fails_and_is_fixed(member)
    shown = len(member.records("access"))
    member.session = "s3"

    printed = member.answer(Step("before_tool", "s3", str(member.project), command="make press"))

    assert printed == b""
    assert len(member.records("access")) == shown


def test_a_decision_that_a_person_makes_is_refused_to_the_agent(member: Member) -> None:
    step = Step("before_tool", "s1", str(member.project), command="hooklore approve abc")

    answer = json.loads(member.answer(step))

    assert answer["decision"] == "deny"
    assert "only the user decides this" in answer["reason"]
    assert set(answer) == {"decision", "reason"}


def test_a_resumed_session_is_told_its_brief_again_because_its_file_has_lost_it(
    member: Member,
) -> None:
    member.user_says("Always oil the press before a run")

    first = member.told("session_start", source="startup")
    again = member.told("session_start", source="startup")
    resumed = member.told("session_start", source="resume")

    assert "oil the press" in first
    assert again == ""
    assert "oil the press" in resumed


def test_the_brief_after_a_clear_comes_with_the_next_prompt(member: Member) -> None:
    member.user_says("Always oil the press before a run")

    cleared = member.told("session_start", source="clear")
    first = member.told("prompt", prompt="what now?")
    second = member.told("prompt", prompt="and then?")

    assert cleared == ""
    assert "oil the press" in first
    assert second == ""


# ---- the registration


def test_a_limit_in_milliseconds_leaves_a_hook_the_time_that_it_may_take() -> None:
    for event, group in REGISTRATION.entries(home=Path("/home/u")).items():
        assert group["hooks"][0]["timeout"] > 1_000 * AGENT.events[event].seconds


@pytest.mark.parametrize("event", AGENT.events)
def test_a_hook_exits_0_in_silence_where_nothing_is_installed(event: str, home: Path) -> None:
    entry = REGISTRATION.entries(home=home)[event]
    (line,) = REGISTRATION.commands(entry)
    assert isinstance(line, str)

    done = subprocess.run(
        ["bash", "-c", line], env={"HOME": str(home), "PATH": os.defpath}, input=b"{}",
        capture_output=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_start_without_an_interpreter_is_said_in_json(home: Path) -> None:
    (home / ".local" / "share" / "hooklore").mkdir(parents=True)
    (line,) = REGISTRATION.commands(REGISTRATION.entries(home=home)["SessionStart"])

    done = subprocess.run(
        ["bash", "-c", str(line)], env={"HOME": str(home), "PATH": os.defpath},
        capture_output=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, b"")
    said = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert said.startswith("shared memory unreadable")
