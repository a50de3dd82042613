"""Lines that identify a failure, and those that stand in the output of unrelated commands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.broker.common_lines import distinctive_lines
from hooklore.config import StoreLocation
from hooklore.index.view import View
from hooklore.records.record import Record
from tests.support.agent import Agent, repository

BANNER = "toolbelt: error: the alias pp is shadowed, reload your profile"
REFUSED = "The user doesn't want to take this action right now. STOP what you are doing."


@pytest.fixture
def agent(store: StoreLocation, tmp_path: Path, home: Path) -> Iterator[Agent]:
    found = Agent(store, repository(tmp_path / "mill"), home)
    found.starts("s1")
    yield found
    found.broker.close()


def lines_of_last(agent: Agent) -> list[str]:
    """Return the lines that identify the newest error of the log."""
    view = View(agent.place)
    view.refresh()
    found = distinctive_lines(view, Record(agent.records("error")[-1]))
    view.close()
    return found


def test_a_failure_is_identified_by_its_error_line(agent: Agent) -> None:
    agent.fails("make press", "PressError: no torque at /home/a/mill/press.py:31")

    assert lines_of_last(agent) == ["presserror: no torque at press.py"]


def test_a_line_that_failures_of_unrelated_programs_have_identifies_nothing(agent: Agent) -> None:
    for number, command in enumerate(("make a", "cargo build", "tsc -p .", "docker build .")):
        agent.fails(command, f"{BANNER}\nPressError: {'x' * (number + 3)} is loose")

    assert lines_of_last(agent) == ["presserror: xxxxxx is loose"]


@pytest.mark.parametrize("error", [REFUSED, "Sibling tool call errored"])
def test_a_command_that_was_stopped_is_identified_by_nothing(agent: Agent, error: str) -> None:
    agent.hook(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": "make a"}, tool_use_id="t",
        error=error,
    )  # fmt: skip

    assert lines_of_last(agent) == []
