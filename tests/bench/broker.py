"""What the broker takes in: 16 clients at once, each event on a connection of its own, as hooks send it."""

import os
import selectors
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hooklore.hooks.delivery import Delivery
from hooklore.resident.wire import encode_frame
from tests.bench.base import percentile
from tests.bench.home import Home

Figures = dict[str, float]

CLIENTS: Final = 16
EVENT_BYTES: Final = 650
_BURSTS: Final = 9
_CALM_EVENTS, _CALM_BURSTS = 250, 4
_RATES: Final = frozenset(("broker_events_s",))
_TICK: Final = os.sysconf("SC_CLK_TCK")


def measure(home: Home, events: int) -> Figures:
    """Events a second, latency, and the resident's CPU an event: the better quartile of several bursts.

    The full path: redact, validate, score, append, flush. The CPU counts what the index costs, too,
    though that comes later and off the path. What else happens on a shared host only adds to a burst.
    """
    home.start()
    burst(home, events)
    bursts = [burst(home, events) for _ in range(_BURSTS)]
    return {name: _quartile(name, [each[name] for each in bursts]) for name in bursts[0]}


def _quartile(name: str, values: list[float]) -> float:
    return sorted(values, reverse=name in _RATES)[len(values) // 4]


def burst(home: Home, events: int) -> Figures:
    """Send that many events to the resident that runs; the figures of this burst alone."""
    (pid,) = home.residents()
    home.wait_until_indexed()
    before, started = cpu_seconds(pid), time.perf_counter()
    times = _load(home, "event", events)
    seconds = time.perf_counter() - started
    home.wait_until_indexed()
    return {
        "broker_events_s": events / seconds,
        "broker_p50_ms": percentile(times, 0.5) * 1e3,
        "broker_p99_ms": percentile(times, 0.99) * 1e3,
        "broker_cpu_us": (cpu_seconds(pid) - before) / events * 1e6,
    }


def calm_p99_ms(home: Home) -> float:
    """Send several short bursts; the p99 of the calmest, for a pause of the host in a burst is its p99."""
    times = [_load(home, "calm", _CALM_EVENTS) for _ in range(_CALM_BURSTS)]
    return min(percentile(each, 0.99) for each in times) * 1e3


def cpu_seconds(pid: int) -> float:
    """User and system time of a process."""
    return _seconds(Path(f"/proc/{pid}/stat"))


def _seconds(stat: Path) -> float:
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


@dataclass(slots=True)
class _Client:
    """One of the clients: what it has sent and when."""

    connection: socket.socket
    started: float
    received: bytearray = field(default_factory=bytearray)

    def is_answered(self) -> bool:
        """Whether the answer is whole; it must acknowledge."""
        self.received += self.connection.recv(65536)
        if b"\n" not in self.received:
            return False
        assert self.received.startswith(b"stored "), bytes(self.received)
        return True


def _load(home: Home, name: str, events: int) -> list[float]:
    """Send that many events, 16 under way at a time; the seconds from connecting to the answer."""
    frames = _frames(home, f"{name}-{time.time_ns()}", events)
    times: list[float] = []
    with selectors.DefaultSelector() as waiting:
        for _, frame in zip(range(CLIENTS), frames, strict=False):
            _send(home, frame, waiting)
        while len(times) < events:
            for key, _ in waiting.select():
                client: _Client = key.data
                if not client.is_answered():
                    continue
                times.append(time.perf_counter() - client.started)
                waiting.unregister(client.connection)
                client.connection.close()
                if (following := next(frames, None)) is not None:
                    _send(home, following, waiting)
    return times


def _send(home: Home, frame: bytes, waiting: selectors.BaseSelector) -> None:
    started = time.perf_counter()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(str(home.place.socket))
    connection.sendall(frame)
    waiting.register(connection, selectors.EVENT_READ, _Client(connection, started))


def _frames(home: Home, name: str, events: int) -> Iterator[bytes]:
    facts = {"CLAUDE_PROJECT_DIR": str(home.project), "CLAUDE_CODE_ENTRYPOINT": "cli"}
    for number in range(events):
        payload = home.result(f"{name}-{number:06d}", EVENT_BYTES)
        yield encode_frame(Delivery("claude", "PostToolUse", os.urandom(16).hex(), payload, facts))
