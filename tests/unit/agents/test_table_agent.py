"""An agent whose client has the common form of hooks is a table: `tests/support/table_agent.py`."""

import json
from pathlib import Path
from typing import Any

import pytest

from hooklore.agents import registry
from hooklore.agents.event import Edit
from hooklore.agents.rehearsal import Step
from hooklore.cli.doctor.settings_files import settings_facts
from hooklore.cli.install import install, settings_path, uninstall
from hooklore.config import StoreLocation
from tests.support.agent import repository
from tests.support.member import Member
from tests.support.table_agent import AGENT

THEIRS = '{\n    // mine\n    "colour": "blue" // as ever\n}\n'
FAULT = "PressError: it refuses to start without torque"


@pytest.fixture(autouse=True)
def anvil(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry line."""
    monkeypatch.setitem(registry.MODULES, "anvil", "tests.support.table_agent")


@pytest.fixture
def member(store: StoreLocation, home: Path) -> Member:
    return Member("anvil", store, repository(home / "widgets"), home)


def payload(event: str, folder: Path, **fields: Any) -> dict[str, Any]:
    """A payload as the client sends it."""
    return {"hook_event_name": event, "task": "a1", "cwd": str(folder), **fields}


def doctor(home: Path) -> dict[str, tuple[bool | None, str]]:
    """The lines of the doctor about the client's settings."""
    found = settings_facts(AGENT, home, home, None, {})
    checks = ((name, check(found)) for name, check in AGENT.diagnosis().checks)
    lines = {name: (check.ok, check.detail) for name, check in checks}
    registered = sum(len(file.groups) for file in found.loaded)
    unregistered = AGENT.diagnosis().unregistered(found)
    return lines | {"registration": (bool(registered), unregistered.fix or "")}


def test_a_delivered_event_is_recorded_and_its_fix_told(member: Member) -> None:
    blow = {"tool": "strike", "ref": "b1", "with": {"line": "make press", "why": "to see"}}
    missed = payload("BlowMissed", member.project, blow={**blow, "fault": FAULT})
    press = {"file": f"{member.project}/press.toml", "old": "torque = 0", "new": "torque = 47"}
    edit = {"tool": "reshape", "ref": "b2", "with": press, "came": {"text": "done"}}
    again = {**blow, "ref": "b3", "came": {"text": "pressed"}}

    assert member.hook("BlowMissed", missed) == b""
    member.hook("BlowStruck", payload("BlowStruck", member.project, blow=edit))
    member.hook("BlowStruck", payload("BlowStruck", member.project, blow=again))
    told = json.loads(member.hook("BlowMissed", {**missed, "task": "a2"}))

    (failure, _), (fix,) = member.records("error"), member.records("fix")
    assert (failure["agent_id"], failure["session_id"]) == ("anvil", "a1")
    assert failure["body"]["command"] == "make press"
    assert fix["agent_id"] == "anvil"
    assert told["hookSpecificOutput"]["hookEventName"] == "BlowMissed"
    assert "press.toml" in told["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("before", [None, "", "{}", THEIRS, THEIRS.replace("\n", "\r\n")])
def test_an_install_is_taken_out_byte_for_byte(home: Path, before: str | None) -> None:
    path = settings_path("user", home=home, project_dir=home, agent="anvil")
    if before is not None:
        path.parent.mkdir()
        path.write_bytes(before.encode())

    install("user", home=home, project_dir=home, agent="anvil")
    between, healthy = AGENT.registration().format.read(path.read_text()), doctor(home)
    uninstall(home=home, project_dir=home)

    assert list(between["hooks"]) == list(AGENT.events)
    assert between["hooks"]["BlowStruck"][0]["matcher"] == "^(?!(?:look)$)"
    assert "hooklore" in between["mcpServers"]
    assert healthy["settings files"] == (True, "1 loaded here, all valid")
    assert healthy["hooks enabled"][0]
    assert healthy["registration"][0]
    assert doctor(home)["registration"] == (False, "hooks install --agent anvil")
    assert (path.read_bytes().decode() if path.exists() else None) == before


def test_the_doctor_tells_what_stops_the_hooks(home: Path) -> None:
    path = settings_path("user", home=home, project_dir=home, agent="anvil")
    path.parent.mkdir()

    path.write_text('{"cold": true}')
    stopped = doctor(home)["hooks enabled"]
    path.write_text('{"cold": ')
    broken = doctor(home)["settings files"]

    assert stopped == (False, f"`cold` in `{path}` stops every hook")
    assert broken[0] is False
    assert broken[1].endswith("Anvil does not start with it")


def test_its_rehearsal_is_written_by_the_same_table(member: Member) -> None:
    edit = Edit("/p/a.toml", "x = 0", "x = 1")

    event, fields = AGENT.rehearsal().payload(Step("after_tool", "a1", "/p", edit=edit))

    given = {"file": "/p/a.toml", "old": "x = 0", "new": "x = 1"}
    blow = {"tool": "reshape", "with": given, "came": {"text": "done"}}
    assert (event, fields) == ("BlowStruck", payload("BlowStruck", Path("/p"), blow=blow))
