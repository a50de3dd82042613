"""Examine a store for `hooks doctor`. Nothing is repaired, and only a canary is ever appended.

No record's content leaves this module, only positions, counts, times and reasons.
"""

import json
import os
import re
import sqlite3
import struct
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

from hooklore.broker.broker import Broker
from hooklore.config import Settings, StoreLocation
from hooklore.errors import HookloreError
from hooklore.index import generation, keys
from hooklore.index.catalog import Stat
from hooklore.index.projector import NOT_UNDERSTOOD
from hooklore.index.view import View
from hooklore.log import quarantine
from hooklore.log.line import decode_line, is_whole_line
from hooklore.log.lock import LogLock
from hooklore.log.reader import LogReader
from hooklore.log.spool import Spool
from hooklore.log.writer import RESERVE_BYTES
from hooklore.maintenance.scrub import find_outdated_scan
from hooklore.records.draft import ACKNOWLEDGED, Draft, Receipt
from hooklore.records.record import Body

__all__ = [
    "RESERVE_BYTES",
    "CanaryTrace",
    "IndexHealth",
    "LogHealth",
    "SpoolHealth",
    "append_canary",
    "canary_draft",
    "follow_canary",
    "index_health",
    "log_health",
    "spool_health",
    "wait_for_lock",
]

_FOOTER = struct.Struct("<II")
_FOOTER_MAGIC = 1337
_POLL_SECONDS = 0.01
_MAX_OBSERVATIONS = 300
_SQLITE_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""

_LOCKED_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_PRIMARY_CODE = 0xFF
"""Bits of an error code that are left when SQLite's extended code is cut."""


@dataclass(frozen=True, slots=True)
class LogHealth:
    """The state of the log: its size in bytes, the pieces in quarantine, and the disk reserve.

    `problems` say why payloads of the newest `looked_at` observations could not be read whole.
    `rescan` says why the store is to be scanned again, None when its last scan had today's rules.
    `not_understood` counts whole lines that are no record to this version.
    """

    size: int
    quarantined: int
    has_reserve: bool
    looked_at: int
    problems: tuple[str, ...]
    rescan: str | None = None
    not_understood: int = 0


@dataclass(frozen=True, slots=True)
class SpoolHealth:
    """Batches that wait for the next writer. `oldest` is the time of the oldest in seconds, 0 for none."""

    waiting: int
    oldest: float


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """The index compared with the log.

    `generation` is the name of its folder, None when nothing is indexed yet. `lag` counts the records
    that it lacks. `damage` says why it cannot be trusted. `stats` are its counts.
    """

    generation: str | None
    lag: int
    damage: str | None
    stats: tuple[Stat, ...]


@dataclass(frozen=True, slots=True)
class CanaryTrace:
    """The way of a canary and its time in seconds. `lag` counts the records that the index lacks."""

    logged: bool
    indexed: bool
    seconds: float
    lag: int
    problem: str | None = None


def log_health(place: StoreLocation) -> LogHealth:
    """Return the state of the log. Raise StoreUnreadable for the log, OSError for its folder."""
    reader = LogReader(place)
    try:
        reader.end()
        size = reader.size()
    finally:
        reader.close()
    problems, looked_at = _payload_problems(place)
    outdated = find_outdated_scan(place)
    return LogHealth(
        size=size,
        quarantined=quarantine.count_quarantined(place),
        has_reserve=(place.directory / "reserve").exists(),
        looked_at=looked_at,
        problems=problems,
        rescan=outdated.reason if outdated else None,
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
    view, found, looked_at = View(place), [], 0
    try:
        for record in view.newest():
            if looked_at >= _MAX_OBSERVATIONS:
                break
            if record.stream == "observation":
                looked_at += 1
                detail = record.body.detail
                problem = detail.get("problem") if isinstance(detail, dict) else None
                found += [problem[:120]] if isinstance(problem, str) else []
    finally:
        view.close()
    return tuple(found), looked_at


def spool_health(place: StoreLocation) -> SpoolHealth:
    """Return the state of the spools in the store and beside the socket. Never raise."""
    paths = [path for folder in Spool(place).directories for path in _batches(folder)]
    times = [_mtime(path) for path in paths]
    return SpoolHealth(len(paths), min(times, default=0.0))


def _batches(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in os.listdir(folder) if name.endswith(".jsonl")]
    except OSError:
        return []


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def wait_for_lock(place: StoreLocation, seconds: float) -> None:
    """Take the log's lock and release it. Raise LogLockTimeout if another process keeps it, or LogError."""
    lock = LogLock(place.directory)
    try:
        with lock.held(seconds):
            return
    finally:
        lock.close()


def index_health(place: StoreLocation, seconds: float = 1.5) -> IndexHealth:
    """Compare the index with the log, and look for damage for at most `seconds`.

    Raise StoreUnreadable when the log cannot be read.
    """
    directory = generation.current_generation(place)
    if directory is None:
        return IndexHealth(None, _lag(place), _pointer_damage(place), ())
    damage = _missing(directory) or _damaged(directory, time.monotonic() + seconds)
    if damage is not None and generation.current_generation(place) == directory:
        return IndexHealth(directory.name, 0, damage, ())
    view = View(place)
    try:
        view.refresh()
        stats = tuple(view.stats())
        return IndexHealth(directory.name, view.lag, view.problem, stats)
    finally:
        view.close()


def _lag(place: StoreLocation) -> int:
    view = View(place)
    try:
        view.refresh()
        return view.lag
    finally:
        view.close()


def _pointer_damage(place: StoreLocation) -> str | None:
    """Return the problem of a pointer that leads nowhere, or None without a pointer."""
    pointer = generation.index_directory(place) / "current"
    return f"`{pointer}` names no index" if os.path.lexists(pointer) else None


def _missing(directory: Path) -> str | None:
    """Return which part of an index is missing. Opening an index would create that part."""
    parts = (directory / "catalog.sqlite", directory / "text" / "meta.json")
    gone = [str(part) for part in parts if not part.is_file()]
    return f"`{gone[0]}` is missing" if gone else None


def _damaged(directory: Path, deadline: float) -> str | None:
    return _damaged_catalog(directory / "catalog.sqlite", deadline) or _damaged_text(
        directory / "text", deadline
    )


def _damaged_catalog(path: Path, deadline: float) -> str | None:
    """Return the problem that SQLite's own check finds. A check that the deadline ends finds none."""
    try:
        db = sqlite3.connect(f"file:{_quoted(path)}?mode=ro", uri=True, timeout=0.2)
    except sqlite3.Error as error:
        return f"`{path}`: {error}"

    def is_late() -> bool:
        return time.monotonic() > deadline

    try:
        db.set_progress_handler(is_late, _SQLITE_STEPS)
        answer = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        return None if is_late() or _is_locked(error) else f"`{path}`: {error}"
    except sqlite3.Error as error:
        return f"`{path}`: {error}"
    finally:
        db.close()
    return None if answer == ("ok",) else f"`{path}`: {answer and answer[0]}"


def _is_locked(error: sqlite3.OperationalError) -> bool:
    """Return whether SQLite met another process's lock. Errors of Python's own module have no code."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & _PRIMARY_CODE in _LOCKED_CODES


def _quoted(path: Path) -> str:
    return re.sub(r"[%?#]", lambda found: f"%{ord(found[0]):02X}", str(path))


def _damaged_text(directory: Path, deadline: float) -> str | None:
    """Return the problem of a text index with a wrong checksum. The library checks only on demand."""
    for path in sorted(directory.iterdir()):
        if time.monotonic() > deadline:
            return None
        try:
            if path.suffix and path.is_file() and not _is_whole(path.read_bytes()):
                return f"`{path}`: its checksum does not fit"
        except FileNotFoundError:
            continue  # merged away meanwhile
        except OSError as error:
            return f"`{path}`: {error.strerror}"
    return None


def _is_whole(raw: bytes) -> bool:
    """Return whether the footer of a file has the checksum of the bytes before it."""
    if len(raw) < _FOOTER.size:
        return True
    length, magic = _FOOTER.unpack(raw[-_FOOTER.size :])
    if magic != _FOOTER_MAGIC:
        return True
    body, footer = raw[: -_FOOTER.size - length], raw[-_FOOTER.size - length : -_FOOTER.size]
    try:
        return bool(json.loads(footer)["crc"] == zlib.crc32(body))
    except (ValueError, KeyError, TypeError):
        return False


# ---- the canary


def canary_draft(token: str) -> Draft:
    """Return the draft of a record that only shows that writing works. Its delivery is `token`.

    A control record has no text group and no project, so recall never sees a canary.
    """
    return Draft.of(
        stream="control",
        kind="canary",
        agent_id="hooklore",
        delivery_id=token,
        source={"system": "cli", "detail": "doctor"},
        body=Body.of(targets=[]),
    )


def append_canary(
    place: StoreLocation, settings: Settings, token: str, seconds: float, *, index: bool
) -> Receipt:
    """Append a canary in this process, and with `index` index it. Wait for the lock at most `seconds`."""
    broker = Broker(place, settings, wait=seconds)
    try:
        receipt = broker.append([canary_draft(token)])[0]
        if index and receipt.status in ACKNOWLEDGED:
            broker.index()
    finally:
        broker.close()
    return receipt


def follow_canary(place: StoreLocation, token: str, seconds: float, *, index: bool) -> CanaryTrace:
    """Wait at most `seconds` until the canary is in the log, and with `index` until it is indexed."""
    started = time.monotonic()
    view = View(place)
    end, problem = None, None
    try:
        while True:
            try:
                view.refresh()
                if end is None and view.lookup(keys.of_event(token), 1):
                    end = view.end
                problem = view.problem
            except HookloreError as error:
                problem = str(error)
            spent = time.monotonic() - started
            indexed = end is not None and view.problem is None and view.watermark.pos >= end
            if indexed or (end is not None and not index) or spent > seconds:
                return CanaryTrace(end is not None, indexed, spent, view.lag, problem)
            time.sleep(_POLL_SECONDS)
    finally:
        view.close()
