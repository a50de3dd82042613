"""A resident with hundreds of connections that bring nothing serves hooks as before."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hooklore.hooks.delivery import Delivery
from hooklore.resident import call
from hooklore.resident.wire import encode_frame
from tests.support.launcher import Launcher, prompt

_HOSTILE = 500
_HALF = encode_frame(Delivery("claude", "Stop", "0" * 32, b"x" * 4096))[:-1]


@pytest.fixture
def hooks(home: Path) -> Launcher:
    """A home with the launcher in it, and a resident that answers.

    Hooks wait for their answers however busy the machine is, so that each is served once.
    """
    found = Launcher(home).lay_out(is_patient=True)
    found.run("UserPromptSubmit", prompt("before"))
    found.wait_for_resident()
    return found


class Crowd:
    """Connections of one resident, a third of them idle, a third half sent, a third dribbling."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stopping = threading.Event()
        self._all = [self._connect(number) for number in range(_HOSTILE)]
        self._thread = threading.Thread(target=self._dribble)
        self._thread.start()

    def _connect(self, number: int) -> socket.socket:
        found = socket.socket(socket.AF_UNIX)
        found.connect(str(self._path))
        if number % 3 == 1:
            found.sendall(_HALF)
        return found

    def _dribble(self) -> None:
        """Send a byte on each dribbling connection, again and again. One that was closed is opened again."""
        while not self._stopping.is_set():
            for number in range(2, _HOSTILE, 3):
                try:
                    self._all[number].sendall(b"H")
                except OSError:
                    self._all[number].close()
                    with suppress(OSError):
                        self._all[number] = self._connect(number)
            self._stopping.wait(0.02)

    def leave(self) -> None:
        """Close all connections."""
        self._stopping.set()
        self._thread.join()
        for each in self._all:
            each.close()


@pytest.fixture
def crowd(hooks: Launcher) -> Iterator[Crowd]:
    found = Crowd(hooks.place.socket)
    yield found
    found.leave()


@pytest.mark.usefixtures("crowd")
def test_hooks_are_answered_beside_hundreds_of_connections_that_bring_nothing(
    hooks: Launcher,
) -> None:
    (resident,) = hooks.residents()

    ran = [hooks.run("UserPromptSubmit", prompt(f"prompt {n}")) for n in range(20)]
    told = call.request_status(hooks.place)

    assert {(each.status, each.stderr) for each in ran} == {(0, b"")}
    assert not any("memory" in each.context for each in ran)
    assert sorted(hooks.prompts()) == sorted(["before", *(f"prompt {n}" for n in range(20))])
    assert hooks.residents() == [resident]
    assert not hooks.mark.exists()
    assert told is not None
    assert told["served"] == 21
