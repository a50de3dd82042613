"""The real client runs a literal get, recall or remember without a question and without a rule."""

import json
from pathlib import Path

import pytest

from hooklore.records.record import Record
from tests.claude.api import bash, say
from tests.claude.terminal import Terminal
from tests.conftest import wait_until
from tests.support.installed import Machine, client_at

pytestmark = pytest.mark.client

DEFAULT_MODE = ("--permission-mode", "default")
QUESTION = "Do you want to proceed?"
KEPT = (
    'hooklore remember --title "Locks are independent" --when "鍵の同期" '
    '"Each lock is managed alone, whatever the others do."'
)


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    """A machine whose settings have the hooks and no permission rule; the script of `pip` is on PATH."""
    machine = Machine(client_at(claude_binary, tmp_path))
    machine.run("hooks", "install", "--user", "--no-permissions", "--no-server")
    return machine


def settings(machine: Machine) -> Path:
    return machine.claude.home / ".claude" / "settings.json"


def test_the_agent_keeps_and_opens_a_memory_and_nobody_is_asked(machine: Machine) -> None:
    turns = [
        bash(KEPT),
        bash('hooklore get "prices are net"'),
        bash("hooklore recall 'how are prices stored?'"),
        say("all done"),
    ]

    machine.run("hooklore", "remember", "--title", "Prices are net", "Prices are stored in cents.")

    with Terminal(machine.claude, turns, DEFAULT_MODE) as session:
        session.type("keep it")
        session.send("all done")
        told = json.dumps([r.body for r in session.api.requests], ensure_ascii=False)

    kept = [Record(record) for record in machine.records() if record["stream"] == "memory"]
    assert [record.body.title for record in kept] == ["Prices are net", "Locks are independent"]
    assert "permissions" not in json.loads(settings(machine).read_text())
    assert told.count("Prices are net: Prices are stored in cents.") >= 1
    assert "error: " not in told


def test_the_launchers_path_is_permitted_as_the_name_is(machine: Machine) -> None:
    own = f"'{machine.claude.home}/.local/share/hooklore/hooklore'"

    with Terminal(
        machine.claude, [bash(KEPT.replace("hooklore", own, 1)), say("all done")], DEFAULT_MODE
    ) as session:
        session.type("keep it")
        session.send("all done")

    kept = [Record(record) for record in machine.records() if record["stream"] == "memory"]
    assert [record.body.title for record in kept] == ["Locks are independent"]


def test_another_command_of_ours_is_asked_about(machine: Machine) -> None:
    turns = [bash(f"{KEPT} --scope global"), say("all done")]

    with Terminal(machine.claude, turns, DEFAULT_MODE) as session:
        session.type("keep it")
        session.send(QUESTION)

    assert "memory" not in [record["stream"] for record in machine.records()]


def test_a_rule_of_the_users_that_forbids_it_still_holds(machine: Machine) -> None:
    path = settings(machine)
    document = json.loads(path.read_text())
    document["permissions"] = {"deny": ["Bash(hooklore remember:*)"]}
    path.write_text(json.dumps(document))

    session = machine.claude.run("keep it", [bash(KEPT), say("all done")])

    assert session.rc == 0
    assert "memory" not in [record["stream"] for record in machine.records()]
    wait_until(lambda: "prompt" in machine.kinds(), "the prompt")
