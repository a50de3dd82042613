"""In the real Claude Code: what a failure brings up, what the guard does, and what a snapshot lists."""

import json
from pathlib import Path

import pytest

from hooklore.records.ids import short_id
from tests.claude.api import Request, bash, blocks, say
from tests.claude.session import Claude, Session, hook_text
from tests.support.installed import Machine, install
from tests.support.notes import ids_of_notes, whole_notes
from tests.support.scenario import COMMAND, FIX, Story, widgets

pytestmark = pytest.mark.client


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return widgets(tmp_path / "widgets")


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path, story: Story) -> Machine:
    return install(Claude(claude_binary, tmp_path / "home", story.project))


def test_a_failing_command_brings_up_what_made_it_pass(machine: Machine, story: Story) -> None:
    story.first.play(machine.claude)
    story.unsolve()

    session = machine.claude.run("run the tests", (bash(COMMAND), say("done")))

    assert FIX in hook_text(session.turns()[1], "PostToolUseFailure", fresh=True)


def test_a_guarded_command_is_answered_once_with_its_fix_instead_of_being_run(
    machine: Machine, story: Story
) -> None:
    machine.place.directory.mkdir(parents=True, exist_ok=True)
    (machine.place.directory / "config.toml").write_text("[recall]\nguard = true\n")
    story.first.play(machine.claude)
    story.unsolve()
    machine.claude.run("run the tests", (bash(COMMAND), say("it fails again")))

    session = machine.claude.run("run the tests", (bash(COMMAND), bash(COMMAND), say("done")))

    refused, run = session.turns()[1], session.turns()[2]
    assert FIX in result(refused)
    assert "Traceback" not in result(refused)
    assert "Traceback" in result(run)


@pytest.mark.req("HK-06")
def test_the_next_session_is_told_a_failure_first_and_a_claim_as_the_agents(
    machine: Machine, story: Story
) -> None:
    story.unsolve()
    claim = "All tests pass, and the release was deployed."
    answer = f"{claim}\n\nNext steps:\n- Tell the mill\n"
    machine.claude.run("run the tests and release", (bash(COMMAND), say(answer)))
    machine.wait_for("session_end")

    session = machine.claude.run("hello", (say("done"),))

    brief = hook_text(session.turns()[0], "SessionStart")
    shown, said = whole_notes(brief)
    assert shown.startswith(f"- goal: run the tests and release; `{COMMAND}` fails")
    assert "seen by a tool · trust med" in shown
    assert said.startswith(f"- to do: Tell the mill. ended with: {claim[:-1]}")
    assert "the agent said · trust low" in said
    assert claim[:-1] not in shown


def result(request: Request) -> str:
    """What the tool answered last."""
    found = [b for m in request.messages for b in blocks(m) if b.get("type") == "tool_result"]
    return json.dumps(found[-1])


@pytest.mark.req("AU-04")
def test_a_snapshot_lists_exactly_what_the_request_carried(machine: Machine, story: Story) -> None:
    story.first.play(machine.claude)
    machine.run("hooklore", "remember", "--kind", "constraint", "Never oil the lathe on a Monday")
    machine.run("hooklore", "remember", "--kind", "preference", "Answer in Japanese")
    machine.run("hooklore", "remember", "--key", "config:press", "The press is in room 4")
    session = machine.claude.run("hello", (say("done"),))
    brief = hook_text(session.turns()[0], "SessionStart")

    listed = json.loads(
        machine.run("hooklore", "snapshot", snapshot_of(machine, session), "--json")
    )

    assert len(listed["ids"]) >= 3
    assert [short_id(id_) for id_ in listed["ids"]] == ids_of_notes(brief)
    assert whole_notes(listed["text"]) == whole_notes(brief)


def snapshot_of(machine: Machine, session: Session) -> str:
    """The id under which the log has what this session began with."""
    machine.wait_for("session_end", 2)
    (found,) = [
        r["body"]["snapshot_id"]  # type: ignore[index]
        for r in machine.records()
        if r["kind"] == "access" and r["session_id"] == session.session_id
    ]
    return str(found)
