"""The end of a session starts the janitor in the resident, and no hook waits for the janitor."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hooklore.errors import ResidentUnreachable
from hooklore.maintenance import janitor
from hooklore.resident import call
from tests.conftest import wait_until
from tests.support.desk import Desk
from tests.support.launcher import Launcher
from tests.support.writers import records

pytestmark = pytest.mark.timeout(180)

_QUICK_RESIDENT = """
import os, sys, time
from hooklore.maintenance import janitor
from hooklore.resident import server
from hooklore.resident.__main__ import main

server._TICK_SECONDS = server._GATHER_SECONDS = 0.01
server._JANITOR_TICKS = 5
inspect = janitor.inspect_store
begun, may_go = sys.argv[1], sys.argv[2]

def inspect_store(*given, **more):
    open(begun, "w").close()
    while not os.path.exists(may_go):
        time.sleep(0.01)
    return inspect(*given, **more)

janitor.inspect_store = inspect_store
main(["--root", sys.argv[3]])
"""
"""A resident that rests after a twentieth of a second, and whose janitor waits until it may go on."""


@pytest.fixture
def hooks(home: Path) -> Launcher:
    """Return a home with the launcher in it."""
    return Launcher(home).lay_out(is_patient=True)


@pytest.fixture
def begun(hooks: Launcher, tmp_path: Path) -> Iterator[Path]:
    """Run a quick resident, and yield the file that tells that its janitor has begun."""
    path, root = tmp_path / "begun", hooks.place.root
    words = [sys.executable, "-c", _QUICK_RESIDENT, str(path), str(tmp_path / "may_go"), root]
    with subprocess.Popen(words, env=hooks.environment({}), stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: call.request_status(hooks.place), "the resident")
        yield path
        process.kill()


def ended(hooks: Launcher, session: str) -> int:
    """Run the hook of a session's end, and return its exit status."""
    payload = {
        "session_id": session, "cwd": "/nowhere", "hook_event_name": "SessionEnd", "reason": "other",
    }  # fmt: skip
    return hooks.run("SessionEnd", payload).status


def served(hooks: Launcher) -> object:
    """Return how many hooks the resident has answered, None while it answers nothing."""
    with suppress(ResidentUnreachable):
        return (call.request_status(hooks.place) or {}).get("served")
    return None


def sessions_ended(hooks: Launcher) -> list[object]:
    return [r["session_id"] for r in records(hooks.place) if r["kind"] == "session_end"]


@pytest.mark.req("CO-03")
def test_the_end_of_a_session_starts_the_janitor_which_no_hook_waits_for(
    hooks: Launcher, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    desk = Desk(hooks.place)
    first = desk.says("We use sqlite", "config:db_engine").id
    janitor.inspect_store_if_due(hooks.place, lambda: False)
    second = desk.says("We listen on 8080", "config:port").id
    desk.broker.close()
    begun = request.getfixturevalue("begun")

    statuses = [ended(hooks, "s-1")]
    wait_until(begun.exists, "the janitor's begin")
    statuses.append(ended(hooks, "s-2"))
    wait_until(lambda: served(hooks) == 2, "the resident's answer to both hooks")
    during = (janitor.load_janitor_report(hooks.place) or {})["pins"]
    (tmp_path / "may_go").touch()

    assert statuses == [0, 0]
    assert sessions_ended(hooks) == ["s-1", "s-2"]
    assert during == [first]
    wait_until(
        lambda: (janitor.load_janitor_report(hooks.place) or {})["pins"] == [second, first],
        "the janitor's report",
    )
