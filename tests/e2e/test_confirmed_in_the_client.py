"""The real client asks the person before an agent changes what only a person decides."""

import json
from pathlib import Path

import pytest

from tests.claude.api import bash, said, say
from tests.claude.terminal import ENTER, ESCAPE, Terminal
from tests.support.installed import Machine, client_at, install

pytestmark = pytest.mark.client

QUESTION = "Do you want to proceed?"
MARKS = {
    "CLAUDECODE": "1",
    "CLAUDE_CODE_SESSION_ID": "5d3a6f7e-6c1d-4a57-9f3e-0a1b2c3d4e5f",
}


@pytest.fixture
def machine(claude_binary: Path, tmp_path: Path) -> Machine:
    return install(client_at(claude_binary, tmp_path))


@pytest.fixture
def waiting(machine: Machine) -> str:
    """The id of what an agent said against the user."""
    machine.run("hooklore", "remember", "We use postgres 15.", "--key", "config:db")
    done = machine.outcome(
        "hooklore", "remember", "We use mysql 8.", "--key", "config:db", "--json", marks=MARKS
    )
    return str(json.loads(done.stdout)["id"])


def approvals(machine: Machine) -> int:
    return sum(bool(record.get("approves")) for record in machine.records())


@pytest.mark.req("AC-22")
@pytest.mark.parametrize("mode", ["default", "auto", "bypassPermissions"])
def test_yes_approves_once(machine: Machine, waiting: str, mode: str) -> None:
    turns = [bash(f"hooklore approve {waiting}"), say("all done")]
    args = ("--permission-mode", mode)

    with Terminal(machine.claude, turns, args) as session:
        session.type("approve it")
        session.send(QUESTION)
        session.wait_for("in the place of")
        session.answer(ENTER, "all done")

    assert approvals(machine) == 1
    assert machine.run("hooklore", "get", "config:db") == "We use mysql 8.\n"


@pytest.mark.parametrize("key", [ESCAPE, "2"])
def test_no_and_escape_leave_nothing_that_could_be_used_later(
    machine: Machine, waiting: str, key: str
) -> None:
    turns = [bash(f"hooklore approve {waiting}"), say("all done")]

    with Terminal(machine.claude, turns) as session:
        session.type("approve it")
        session.send(QUESTION)
        session.answer(key, "Interrupted")
        given = "\n".join(said(m) for r in session.api.requests for m in r.messages)

    assert approvals(machine) == 0
    assert "--confirmed" not in given
    held = list((machine.place.directory / "confirmations").iterdir())
    assert all(waiting not in path.read_text() for path in held)


@pytest.mark.parametrize(
    "command",
    [
        "hooklore approve {id}",
        "sh -c 'hooklore approve {id}'",
        "script -qec 'env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID hooklore approve {id}' /dev/null",
    ],
)
def test_without_a_user_and_wrapped_nothing_changes(
    machine: Machine, waiting: str, command: str
) -> None:
    session = machine.claude.run("approve it", [bash(command.format(id=waiting)), say("all done")])

    told = json.dumps(session.turns()[-1].body)
    assert approvals(machine) == 0
    assert "only the user decides this" in told


def test_what_the_user_types_behind_an_exclamation_mark_is_refused_with_the_way_to_do_it(
    machine: Machine, waiting: str
) -> None:
    with Terminal(machine.claude, [say("all done")]) as session:
        session.press("!")
        session.type(f"hooklore approve {waiting}")
        session.press(ENTER)
        session.wait_for("only a person decides it")

    assert approvals(machine) == 0
