"""What it takes to make everything derived again, and how large that is."""

import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.home import Home

Figures = dict[str, float]

_MILLION = 1_000_000


def measure(home: Home, events: int, clock: Callable[[], float] = time.perf_counter) -> Figures:
    """Seconds a million events, and the bytes of the index over those of the log. No resident may run."""
    with home.broker() as broker:
        started = clock()
        indexed = broker.rebuild()
        seconds = clock() - started
    assert indexed >= events
    store = home.place.directory
    log = _size(store / "segments") + home.place.log.stat().st_size
    return {
        "rebuild_s_per_million": seconds / indexed * _MILLION,
        "index_to_log": _size(store / "index") / log,
        "line_bytes": log / indexed,
    }


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
