"""Examine the log and the spool of a store for `hooks doctor`. Nothing is repaired.

No record's content leaves this module, only positions, counts, times and reasons.
"""

import contextlib
import time
from dataclasses import dataclass
from itertools import islice

from hooklore.broker.vendor_rows import read_vendor_rows
from hooklore.config import StoreLocation
from hooklore.index.projector import NOT_UNDERSTOOD
from hooklore.index.view import View
from hooklore.log import quarantine
from hooklore.log.line import decode_line, is_whole_line
from hooklore.log.lock import LogLock
from hooklore.log.reader import LogReader
from hooklore.log.spool import Spool
from hooklore.log.writer import RESERVE_BYTES
from hooklore.maintenance.janitor import load_janitor_report
from hooklore.maintenance.scrub import describe_outdated_scan

__all__ = [
    "RESERVE_BYTES",
    "LogHealth",
    "SpoolHealth",
    "log_health",
    "spool_health",
    "wait_for_lock",
]

_MAX_OBSERVATIONS = 300


@dataclass(frozen=True, slots=True)
class LogHealth:
    """The state of the log: its size in bytes, the pieces in quarantine, and the disk reserve.

    `problems` say why payloads of the newest `looked_at` observations could not be read whole.
    `rescan` says why the store is to be scanned again, None when its last scan had today's rules.
    `suspected` counts the records in which the janitor's last look found what may be a secret. `left_out_rows` say
    which of the user's own forms of tokens cannot be used, and why.
    `not_understood` counts whole lines that are no record to this version.
    """

    size: int
    quarantined: int
    has_reserve: bool
    looked_at: int
    problems: tuple[str, ...]
    rescan: str | None = None
    suspected: int = 0
    left_out_rows: tuple[str, ...] = ()
    not_understood: int = 0


@dataclass(frozen=True, slots=True)
class SpoolHealth:
    """Batches that wait for the next writer. `oldest` is the time of the oldest in seconds, 0 for none."""

    waiting: int
    oldest: float


def log_health(place: StoreLocation) -> LogHealth:
    """Return the state of the log. Raise StoreUnreadable for the log, OSError for its folder."""
    with contextlib.closing(LogReader(place)) as reader:
        reader.end()
        size = reader.size()
    problems, looked_at = _payload_problems(place)
    return LogHealth(
        size=size,
        quarantined=quarantine.count_quarantined(place),
        has_reserve=(place.directory / "reserve").exists(),
        looked_at=looked_at,
        problems=problems,
        rescan=describe_outdated_scan(place),
        suspected=len((load_janitor_report(place) or {}).get("secrets", ())),
        left_out_rows=tuple(f"`{row.id}`: {row.cause}" for row in read_vendor_rows(place)[1]),
        not_understood=_count_not_understood(place),
    )


def _count_not_understood(place: StoreLocation) -> int:
    """Return how many whole lines are no record to this version: those indexed, and those after them."""
    view, reader = View(place), LogReader(place)
    try:
        view.refresh()
        indexed = sum(stat.events for stat in view.stats() if stat.name == NOT_UNDERSTOOD)
        later = (line.raw for line in reader.lines(view.watermark.pos))
        return indexed + sum(is_whole_line(raw) and decode_line(raw) is None for raw in later)
    finally:
        view.close()
        reader.close()


def _payload_problems(place: StoreLocation) -> tuple[tuple[str, ...], int]:
    with contextlib.closing(View(place)) as view:
        observations = (record for record in view.newest() if record.stream == "observation")
        details = [record.body.detail for record in islice(observations, _MAX_OBSERVATIONS)]
    problems = (each.get("problem") for each in details if isinstance(each, dict))
    return tuple(each[:120] for each in problems if isinstance(each, str)), len(details)


def spool_health(place: StoreLocation) -> SpoolHealth:
    """Return the state of the spools in the store and beside the socket. Never raise."""
    times = []
    for path in Spool(place).paths():
        try:
            times.append(path.stat().st_mtime)
        except OSError:
            times.append(time.time())
    return SpoolHealth(len(times), min(times, default=0.0))


def wait_for_lock(place: StoreLocation, seconds: float) -> None:
    """Take the log's lock and release it. Raise LogLockTimeout if another process keeps it, or LogError."""
    with contextlib.closing(LogLock(place.directory)) as lock, lock.held(seconds):
        return
