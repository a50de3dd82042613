"""What fifty connections that bring nothing add to a hook's wait for its answer."""

import os
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from hooklore.hooks.delivery import Delivery
from hooklore.resident import call
from tests.bench.base import interleaved, percentile
from tests.bench.home import Home
from tests.bench.hooks import PAYLOAD_BYTES

Figures = dict[str, float]

_CONNECTIONS: Final = 50
_ROUNDS: Final = 500


def recording(home: Home) -> Callable[[], float]:
    """A recording hook without its process; it gives the seconds that it waits for its answer."""

    def record() -> float:
        unique = os.urandom(16).hex()
        given = Delivery("claude", "PostToolUse", unique, home.result(unique, PAYLOAD_BYTES))
        started = time.perf_counter()
        answer = call.send_delivery(home.place, given)
        seconds = time.perf_counter() - started
        assert answer == ("stored", b"")
        return seconds

    return record


def beside_idle(home: Home, record: Callable[[], float]) -> Callable[[], float]:
    """What gives the seconds of `record` beside fifty new, silent connections."""

    def beside() -> float:
        with ExitStack() as connections:
            for _ in range(_CONNECTIONS):
                idle = connections.enter_context(socket.socket(socket.AF_UNIX))
                idle.connect(str(home.place.socket))
            return record()

    return beside


def measure(home: Home) -> Figures:
    """The wait of a recording hook beside fifty new, silent connections, less that of one alone, in ms.

    The start of the hook's process is left out: nothing that the resident does can change it.
    """
    pid = home.start()
    alone = recording(home)
    tasks = {"alone": alone, "beside": beside_idle(home, alone)}
    taken = interleaved(tasks, _ROUNDS)
    assert home.pid() == pid, "the hooks ended the resident"
    return {
        f"idle_connections_p{share}_ms": 1e3
        * (percentile(taken["beside"], share / 100) - percentile(taken["alone"], share / 100))
        for share in (50, 99)
    }
