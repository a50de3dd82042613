"""Lines that identify a failure, and those that stand in the output of unrelated commands."""

import time
from pathlib import Path
from typing import Any

import pytest

from hooklore.failures.common_lines import distinctive_lines
from hooklore.hooks.project import project_keys
from hooklore.index.view import View
from hooklore.records.draft import Draft
from hooklore.records.record import Record
from tests.support.agent import Agent, repository

BANNER = "toolbelt: error: the alias pp is shadowed, reload your profile"
ERROR = "PressError: no torque at /home/a/mill/press.py:31"
BANNER_LINE, ERROR_LINE = BANNER, "presserror: no torque at press.py"
FAILED = f"{BANNER}\n{ERROR}"


def view_of(agent: Agent) -> View:
    view = View(agent.place)
    view.refresh()
    return view


def lines_of(agent: Agent, error: dict[str, Any]) -> list[str]:
    """Return the lines that identify a recorded error."""
    view = view_of(agent)
    found = distinctive_lines(view, Record(error))
    view.close()
    return found


def lines_of_last(agent: Agent) -> list[str]:
    """Return the lines that identify the newest error of the log."""
    return lines_of(agent, agent.records("error")[-1])


def ran(agent: Agent, command: str, text: str, kind: str = "tool_result", **fields: Any) -> str:
    """Record a command that ran, as its hook does, with limits of its own; return its id."""
    outcome = "failure" if kind == "error" else "success"
    body = {
        "command": command, "key": command, "outcome": outcome, "text": text, "tool": "Bash",
        "errors": text.splitlines() if kind == "error" else [],
    }  # fmt: skip
    record = Record.of(
        stream="observation", kind=kind, agent_id="claude", basis="tool",
        session_id=agent.session, body=body, **fields,
    )  # fmt: skip
    keys = project_keys(str(agent.project), None, str(agent.home))
    (receipt,) = agent.broker.append([Draft(record, keys)])
    return str(receipt.id)


def test_a_failure_is_identified_by_its_error_line(agent: Agent) -> None:
    agent.fails("make press", ERROR)

    assert lines_of_last(agent) == [ERROR_LINE]


def test_a_line_that_failures_of_unrelated_programs_have_identifies_nothing(agent: Agent) -> None:
    for number, command in enumerate(("cargo build", "tsc -p .", "docker build .")):
        agent.fails(command, f"{BANNER}\nRollError: {'x' * (number + 3)} is loose")
    agent.fails("make press", FAILED)

    assert lines_of_last(agent) == [ERROR_LINE]


def test_one_error_may_be_reported_by_few_programs_and_by_many_commands_of_one(
    agent: Agent,
) -> None:
    for command in (
        "cargo build",
        "tsc -p .",
        "make a",
        "make b",
        "make c",
        "make d",
        "make press",
    ):
        agent.fails(command, ERROR)

    assert lines_of_last(agent) == [ERROR_LINE]


def test_a_line_that_two_other_commands_passed_with_identifies_nothing(agent: Agent) -> None:
    agent.passes("cargo build", f"{BANNER}\nbuilt")
    agent.fails("make press", FAILED)
    before = lines_of_last(agent)
    agent.passes("make lint", f"\x1b[33m{BANNER}\x1b[0m\r\nclean")

    assert (before, lines_of_last(agent)) == ([BANNER_LINE, ERROR_LINE], [ERROR_LINE])


def test_a_line_that_the_same_command_passed_with_identifies_nothing(agent: Agent) -> None:
    agent.passes("make press", f"{BANNER}\npressed")
    agent.fails("make press", FAILED)

    assert lines_of_last(agent) == [ERROR_LINE]


@pytest.mark.parametrize(
    "commands",
    [
        ("cat press.log", "grep -r torque .", "git log --oneline", "gh run view 3 --log"),
        ("make press | tail -3", "make roll || true", "make lint; echo done"),
    ],
    ids=["print what they read", "hide their exit status"],
)  # fmt: skip
def test_commands_that_say_nothing_of_their_own_make_no_line_common(
    agent: Agent, commands: tuple[str, ...]
) -> None:
    agent.fails("make press", ERROR)
    for command in commands:
        agent.passes(command, ERROR)

    assert lines_of_last(agent) == [ERROR_LINE]


@pytest.mark.parametrize(
    "limits",
    [{"is_private": True}, {"visibility": "session"}, {"visibility": "agent-only", "role": "reasoner"}],
)  # fmt: skip
def test_runs_with_limited_readers_are_not_counted(agent: Agent, limits: dict[str, Any]) -> None:
    agent.fails("make press", FAILED)
    for number in range(300):
        ran(agent, f"make part-{number}", BANNER, **limits)

    assert lines_of_last(agent) == [BANNER_LINE, ERROR_LINE]


def test_many_private_runs_take_no_place_of_open_ones(agent: Agent) -> None:
    agent.fails("make press", FAILED)
    for number in range(3):
        ran(agent, f"make part-{number}", BANNER)
    for number in range(300):
        ran(agent, f"make part-{number}", "quiet", is_private=True)

    assert lines_of_last(agent) == [ERROR_LINE]


def test_many_private_failures_take_no_place_of_open_ones(agent: Agent) -> None:
    agent.fails("make press", FAILED)
    for program in ("cargo", "tsc", "docker"):
        ran(agent, f"{program} build", BANNER, "error")
    for number in range(210):
        ran(agent, f"make part-{number}", "quiet")
        ran(agent, f"make part-{number}", BANNER, "error", is_private=True)

    assert lines_of(agent, agent.records("error")[0]) == [ERROR_LINE]


def test_runs_of_another_project_are_not_counted(agent: Agent, tmp_path: Path) -> None:
    elsewhere = Agent(agent.place, repository(tmp_path / "forge"), agent.home)
    for command in ("make press", "make a", "make b"):
        elsewhere.passes(command, BANNER)
    elsewhere.broker.close()
    agent.fails("make press", FAILED)

    assert lines_of_last(agent) == [BANNER_LINE, ERROR_LINE]


def test_forgotten_runs_are_not_counted(agent: Agent) -> None:
    agent.fails("make press", FAILED)
    ids = [ran(agent, f"make part-{number}", BANNER) for number in range(3)]
    counted = lines_of_last(agent)
    body = {"targets": ids}
    agent.broker.append(
        [Draft.of(None, stream="control", kind="tombstone", agent_id="person", basis="user",
                  scope="global", body=body)]
    )  # fmt: skip

    assert (counted, lines_of_last(agent)) == ([ERROR_LINE], [BANNER_LINE, ERROR_LINE])


@pytest.mark.parametrize(
    ("command", "error", "lines"),
    [
        ("ls a b", "press.lock", []),
        ("make press", "pressed_twice", []),
        ("make press", "nothing to press", ["nothing to press"]),
        ("gh pr checks 3", "press\tpending\t0\thttps://e.example/3", []),
        ("gh pr checks 3", "no checks reported on the reel branch", ["no checks reported on the reel branch"]),
        ("cat a b", "the reel", []),
        ("make press", "", []),
    ],
)  # fmt: skip
def test_a_line_that_reports_nothing_must_say_something(
    agent: Agent, command: str, error: str, lines: list[str]
) -> None:
    agent.fails(command, error)

    assert lines_of_last(agent) == lines


@pytest.mark.parametrize(
    "fields",
    [
        {"error": "The user doesn't want to take this action right now. STOP."},
        {"error": "Sibling tool call errored"},
        {"error": f"Exit code 1\n{ERROR}", "is_interrupt": True},
        {"error": "File has not been read yet.", "tool_name": "Edit", "tool_input": {"file_path": "/a"}},
        {"error": ERROR, "tool_name": "mcp__mill__press", "tool_input": {}},
        {"error": ERROR, "tool_name": "WebFetch", "tool_input": {"url": "https://e.example"}},
    ],
)  # fmt: skip
def test_what_is_no_failure_of_the_project_is_identified_by_nothing(
    agent: Agent, fields: dict[str, Any]
) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": "make a"}, "tool_use_id": "t"}
    agent.hook("PostToolUseFailure", **given | fields)

    assert agent.records("error")[-1]["body"]["text"]
    assert lines_of_last(agent) == []


def test_the_same_failure_ten_thousand_times_is_compared_as_fast(agent: Agent) -> None:
    agent.fails("make press", FAILED)
    (first,) = agent.records("error")
    record = Record(first).without("id", "hash", "delivery_id", "natural_key")
    keys = project_keys(str(agent.project), None, str(agent.home))
    agent.broker.append([Draft(record, keys) for _ in range(10_000)])
    view = view_of(agent)
    distinctive_lines(view, Record(first))

    begun = time.process_time()
    found = distinctive_lines(view, Record(first))

    assert found == [BANNER_LINE, ERROR_LINE]
    assert time.process_time() - begun < 0.05
    view.close()


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


@pytest.mark.parametrize(
    "fields",
    [
        {"error": REFUSED},
        {"error": "Permission to use Bash with command make press has been denied."},
        {"error": "<tool_use_error>Cancelled: parallel tool call Bash(make b) errored</tool_use_error>"},
        {"error": "Exit code 137\n[Request interrupted by user for tool use]\npressing...."},
        {"error": "File does not exist.", "tool_name": "Read", "tool_input": {"file_path": "/a/b.py"}},
    ],
)  # fmt: skip
def test_a_stopped_tool_leaves_no_failure_no_fix_and_nothing_open(
    agent: Agent, fields: dict[str, Any]
) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": "make press"}}
    told = []
    for session in ("s1", "s2", "s3"):
        agent.starts(session)
        for number in range(2):
            answer = agent.told(
                "PostToolUseFailure", **given | fields, tool_use_id=f"{session}{number}"
            )
            told.append(answer)
        agent.passes("git switch main")
        agent.passes("make press")
        agent.hook("SessionEnd", reason="other")

    brief = agent.starts("s4")

    assert told == [""] * 6
    assert agent.records("fix") == []
    assert all(not end["body"]["sections"]["unresolved"] for end in agent.records("session_end"))
    assert fields["error"][:20] not in brief
    assert {each["body"]["outcome"] for each in agent.records("error")} == {"partial"}


def test_an_error_that_a_passing_run_logs_amid_its_output_identifies_nothing(agent: Agent) -> None:
    log = "✓ rolls\nerror: the reel is gone\n" + "✓ unrolls, as it should\n" * 100
    agent.passes("make press", log)
    agent.fails("make press", f"error: the reel is gone\n{ERROR}")

    (passed,) = agent.records("tool_result")
    assert "reel is gone" not in passed["body"]["text"]
    assert passed["body"]["passing_errors"] == ["error: the reel is gone"]
    assert lines_of_last(agent) == [ERROR_LINE]


def test_of_commands_that_print_what_they_read_no_errors_are_recorded(agent: Agent) -> None:
    agent.passes("cat press.log", ERROR)
    agent.passes("make press", "pressed")

    assert not any("passing_errors" in each["body"] for each in agent.records("tool_result"))


@pytest.mark.parametrize(
    ("error", "lines"),
    [
        (f"{ERROR}\n" + "pressing\n" * 130_000, [ERROR_LINE]),
        ("x" * (1 << 20), []),
        (bytes(range(256)).decode("utf-8", "replace") * 400, []),
        ("\x00" * 5_000 + f"\n{ERROR}\n" + "\x00" * 5_000, [ERROR_LINE]),
        ("\n \n\t\n", []),
        ("─" * 500 + "\n" + "12 34 56\n" * 50, []),
        ("roll 1%|█   |\r" * 2_000 + f"\r\n{ERROR}\r\n", [ERROR_LINE]),
        (f"\x1b[2K\x1b[1G\x1b[31m{ERROR}\x1b[0m", [ERROR_LINE]),
        (r"C:\Users\a\mill\press.py:31: error: no torque", ["press.py: error: no torque"]),
    ],
    ids=["long", "one line", "bytes", "nuls", "blank", "a frame", "progress", "colours", "windows"],
)
def test_a_failure_of_any_form_is_kept_and_identified_by_what_it_says(
    agent: Agent, error: str, lines: list[str]
) -> None:
    begun = time.process_time()

    agent.fails("make press", error)

    assert time.process_time() - begun < 1.0
    assert agent.records("error")[-1]["body"]["outcome"] == "failure"
    assert lines_of_last(agent) == lines
