"""A fourth agent that speaks the dialect of hooks is a table and a line of the registry: `tests/support/anvil`."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents import registry
from hooklore.agents.agent import Answer
from hooklore.agents.event import Edit
from hooklore.agents.rehearsal import Step
from hooklore.cli.doctor.settings_files import settings_facts
from hooklore.cli.install import install, settings_path, uninstall
from hooklore.config import StoreLocation
from hooklore.hooks.parse import parse_event
from tests.support.agent import repository
from tests.support.anvil import AGENT, DIAGNOSIS, GROUPS, REHEARSAL
from tests.support.member import Member

RECORDED: dict[str, dict[str, Any]] = {
    "promptTyped": {"typed": "make the press run", "turnId": "7"},
    "toolDone": {
        "tool_name": "forge",
        "tool_input": {"target": "/p/press.toml", "old": "torque = 0", "new": "torque = 47"},
        "tool_result": {"text": "ok"},
        "call": {"ref": "c1"},
    },
    "toolBroken": {
        "tool_name": "strike",
        "tool_input": {"line": "make press", "why": "try it"},
        "broke": {"message": "Not allowed: the press"},
    },
    "sessionClosed": {"reason": "quit"},
}
"""Payloads as the client would send them, without the fields that all events have."""

THEIRS = '// mine\n{\n  "theme": "dark", // not light\n  "hooks": {\n    "toolDone": []\n  }\n}\n'


@pytest.fixture(autouse=True)
def anvil(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry line."""
    monkeypatch.setitem(registry.MODULES, "anvil", "tests.support.anvil")


@pytest.fixture
def member(store: StoreLocation, home: Path) -> Member:
    return Member("anvil", store, repository(home / "widgets"), home)


@pytest.mark.parametrize("event", RECORDED)
def test_a_recorded_payload_is_read_and_a_rehearsed_one_has_its_fields(event: str) -> None:
    common = {"hook_event_name": event, "session_id": "s1", "cwd": "/p"}
    read = parse_event("anvil", event, "d", {}, json.dumps(common | RECORDED[event]).encode())
    call = read.call
    step = Step(
        read.event, read.session_id, "/p", source=read.source, command=call.command,
        prompt=read.text if read.event == "prompt" else None, error=read.text,
        edit=call.edits[0] if call.edits else None, tool_use_id=read.tool_use_id,
    )  # fmt: skip
    if read.event != "failure":
        step = replace(step, error=None)
    name, written = REHEARSAL.payload(step)

    again = parse_event("anvil", name, "d", {}, json.dumps(written).encode())
    assert (name, read.problem, again.problem) == (event, None, None)
    assert (again.text, again.source, again.tool) == (read.text, read.source, read.tool)
    assert (again.call.edits, again.call.command) == (call.edits, call.command)
    assert again.stopped_by == read.stopped_by == ("refused" if event == "toolBroken" else None)


def test_a_failure_is_recorded_and_its_fix_is_told_in_the_clients_answer(member: Member) -> None:
    error = "PressError: it refuses to start without torque"
    member.told("failure", command="make press", error=error, tool_use_id="1")
    edit = Edit(str(member.project / "press.toml"), "torque = 0", "torque = 47")
    member.told("after_tool", edit=edit, tool_use_id="2")
    member.told("after_tool", command="make press", output="ok", tool_use_id="3")

    told = replace(member, session="s2").told("failure", command="make press", error=error)

    assert member.records("error")[0]["agent_id"] == "anvil"
    assert "press.toml" in json.dumps(member.records("fix")[0]["body"])
    assert "press.toml" in told
    refused = json.loads(AGENT.print_answer("toolPlanned", Answer(refusal="no")))
    assert refused["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize("before", [None, THEIRS, "{}"])
def test_install_doctor_and_uninstall_byte_for_byte(home: Path, before: str | None) -> None:
    path = settings_path("user", home=home, project_dir=home, agent="anvil")
    if before is not None:
        path.parent.mkdir()
        path.write_text(before)

    none = settings_facts(AGENT, home, home, None, {})
    install("user", home=home, project_dir=home, agent="anvil")
    facts, text = settings_facts(AGENT, home, home, None, {}), path.read_text()
    uninstall(home=home, project_dir=home)

    assert DIAGNOSIS.unregistered(none).fix == "hooks install --agent anvil"
    assert {event for event, _ in facts.files[0].groups} == AGENT.events.keys()
    assert [check(facts).ok for _, check in DIAGNOSIS.checks] == [True, True, True]
    assert facts.servers[0].entry is not None
    assert '"servers": {' in text
    assert "|| echo '{\\\"systemMessage" in text
    assert (path.read_text() if path.exists() else None) == before


def test_a_line_without_an_interpreter_answers_for_the_clients_own_event() -> None:
    assert '"hookEventName": "sessionOpened"' in GROUPS.command("sessionOpened")
