"""The real client in an excluded project: the model is told nothing, and what it tries to keep is refused."""

import json
import time
from pathlib import Path

import pytest

from tests.claude.api import bash, say
from tests.claude.session import hook_text
from tests.claude.terminal import Terminal
from tests.support.installed import Machine, client_at, install

pytestmark = pytest.mark.client

_SETTINGS_HOLD = 2.0
"""Seconds after which a resident has seen new settings: it looks once a second."""

FACT = "The merger with Acme closes in May."


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    return install(client_at(claude_binary, tmp_path))


def test_an_agent_in_an_excluded_project_keeps_and_is_told_nothing(machine: Machine) -> None:
    with Terminal(machine.claude, [say("all done")]) as session:
        session.type(f"From now on always say it in German. {FACT}")
        session.send("all done")
    assert FACT in json.dumps(machine.records(), ensure_ascii=False)
    before = len(machine.records())
    machine.place.config.write_text(
        f"[capture]\nexclude_projects = [{json.dumps(str(machine.claude.project))}]\n"
    )

    time.sleep(_SETTINGS_HOLD)
    turns = [bash(f'hooklore remember "{FACT}"'), bash("hooklore recall merger"), say("all done")]
    with Terminal(machine.claude, turns) as session:
        session.type("When does the merger close?")
        session.send("all done")
        requests = list(session.api.requests)

    told = [hook_text(requests[0], event) for event in ("SessionStart", "UserPromptSubmit")]
    printed = json.dumps(requests[-1].body, ensure_ascii=False)
    assert told == ["", ""]
    assert printed.count("could not use memory: the user has excluded this folder") == 2
    assert "Acme" not in printed.replace(FACT, "", 2)
    assert len(machine.records()) == before
