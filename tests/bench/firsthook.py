"""What a hook costs when the broker is not there, or does not answer."""

import os
import signal
import statistics
import time
from typing import Final

from tests.bench.base import run
from tests.bench.home import Home

Figures = dict[str, float]

_FIRST: Final = 5
_AT_ONCE: Final = 200
_STOPS: Final = 5
_TURNS: Final = 6
_WITHIN: Final = 30.0


def measure(home: Home, base: str) -> Figures:
    """All three; `base` is the bare interpreter."""
    return _first_of_all(home) | _many_at_once(home) | _stopped(home, base)


def _first_of_all(home: Home) -> Figures:
    """Seconds of the hook that has to start the broker: the median, and the worst."""
    taken = []
    for _ in range(_FIRST):
        taken.append(first_of_all(home))
        home.wait_until_indexed()
    return {"first_hook_s": statistics.median(taken), "first_hook_worst_s": max(taken)}


def first_of_all(home: Home) -> float:
    """End the resident and run a hook that has to start another; the hook's seconds."""
    home.stop()
    given = home.payload("SessionStart", f"first-{time.time_ns()}", source="startup")
    ran = home.hook("SessionStart", given)
    assert ran.stdout.startswith(b"{"), "the first hook was not answered"
    return ran.seconds


def _many_at_once(home: Home) -> Figures:
    """Seconds until all of 200 hooks started together are stored, and how many residents there were."""
    home.stop()
    before = home.recorded("PostToolUse")
    started = time.perf_counter()
    running = [
        home.begin("PostToolUse", home.result(f"crowd-{started}-{number}", 650))
        for number in range(_AT_ONCE)
    ]
    slowest = 0.0
    for pid in running:
        assert os.waitpid(pid, 0)[1] == 0
        slowest = time.perf_counter() - started
    residents = len(home.residents())
    stored = _wait_until_stored(home, before + _AT_ONCE)
    return {
        "crowd_stored": stored - before,
        "crowd_stored_s": time.perf_counter() - started,
        "crowd_slowest_s": slowest,
        "crowd_residents": residents,
    }


def _stopped(home: Home, base: str) -> Figures:
    """What a hook takes beyond 20 ms, × base, from the third on while the resident is stopped.

    The worst of four in a row, the base run in turns with them; the median of several times.
    """
    worst, beyond = [], []
    before, made = home.recorded("PostToolUse"), 0
    for _ in range(_STOPS):
        os.kill(home.start(), signal.SIGSTOP)
        taken, bare = [], []
        for _ in range(_TURNS):
            unique = f"stopped-{time.time_ns()}"
            taken.append(home.hook("PostToolUse", home.result(unique, 650)).seconds)
            bare.append(run([base, "-I", "-c", "pass"], {}).seconds)
            made += 1
        worst.append(max(taken[2:]))
        beyond.append((worst[-1] - 0.020) / statistics.median(bare))
        assert _wait_until_stored(home, before + made) == before + made
        home.stop()
    return {
        "stopped_beyond_20ms_x": statistics.median(beyond),
        "stopped_worst_ms": max(worst) * 1e3,
    }


def _wait_until_stored(home: Home, wanted: int) -> int:
    """How many there are, at the latest when 30 s are over."""
    end = time.monotonic() + _WITHIN
    while (stored := home.recorded("PostToolUse")) < wanted and time.monotonic() < end:
        time.sleep(0.05)
    return stored
