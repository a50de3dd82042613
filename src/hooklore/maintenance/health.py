"""What `hooks doctor` asks of a store. Nothing here repairs anything; only a canary is ever appended.

No record's content leaves this module: positions, counts, times and reasons do.
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
from hooklore.index import generation
from hooklore.index.catalog import Stat
from hooklore.index.view import View
from hooklore.log import quarantine
from hooklore.log.lock import LogLock
from hooklore.log.reader import LogReader
from hooklore.log.spool import Spool
from hooklore.log.writer import RESERVE_BYTES
from hooklore.maintenance.scrub import rescan_reason
from hooklore.records import keys
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
_PAUSE = 0.01
_PROBLEMS_OF = 300
_SQLITE_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class LogHealth:
    """The log as it reads: its bytes, pieces in quarantine, whether the reserve is there.

    `problems` are reasons why payloads among the newest records could not be read whole; `rescan`
    says why what is kept is to be scanned again.
    """

    size: int
    quarantined: int
    has_reserve: bool
    looked_at: int
    problems: tuple[str, ...]
    rescan: str | None = None


@dataclass(frozen=True, slots=True)
class SpoolHealth:
    """Batches that wait for the next writer, and when the oldest was written (seconds, 0 for none)."""

    waiting: int
    oldest: float


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """The index against the log.

    `generation` is its folder's name, None when nothing is indexed yet; `lag` the records it lacks;
    `damage` why it cannot be trusted; `stats` what it counted.
    """

    generation: str | None
    lag: int
    damage: str | None
    stats: tuple[Stat, ...]


@dataclass(frozen=True, slots=True)
class CanaryTrace:
    """How far a canary came, and how long that took in seconds; `lag` is what the index lacks."""

    logged: bool
    indexed: bool
    seconds: float
    lag: int
    problem: str | None = None


def log_health(place: StoreLocation) -> LogHealth:
    """Read the log's end. Raises StoreUnreadable when it cannot be read, OSError for its folder."""
    reader = LogReader(place)
    try:
        reader.end()
        size = reader.size()
    finally:
        reader.close()
    problems, looked_at = _payload_problems(place)
    return LogHealth(
        size=size,
        quarantined=quarantine.count_quarantined(place),
        has_reserve=(place.directory / "reserve").exists(),
        looked_at=looked_at,
        problems=problems,
        rescan=rescan_reason(place),
    )


def _payload_problems(place: StoreLocation) -> tuple[tuple[str, ...], int]:
    view, found, looked_at = View(place), [], 0
    try:
        for record in view.newest():
            if looked_at >= _PROBLEMS_OF:
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
    """What waits in the spool, in the store and beside the socket. Never raises."""
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
    """Hold the log's lock for an instant. Raises LogLockTimeout when another process keeps it, LogError."""
    lock = LogLock(place.directory)
    try:
        with lock.held(seconds):
            return
    finally:
        lock.close()


def index_health(place: StoreLocation, seconds: float = 1.5) -> IndexHealth:
    """Compare the index with the log, and look for damage for at most so many seconds.

    Raises StoreUnreadable when the log cannot be read.
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
    """A pointer that leads nowhere: an index was there."""
    pointer = generation.index_directory(place) / "current"
    return f"`{pointer}` names no index" if os.path.lexists(pointer) else None


def _missing(directory: Path) -> str | None:
    """Opening an index makes what is missing of it; so look first."""
    parts = (directory / "catalog.sqlite", directory / "text" / "meta.json")
    gone = [str(part) for part in parts if not part.is_file()]
    return f"`{gone[0]}` is missing" if gone else None


def _damaged(directory: Path, deadline: float) -> str | None:
    return _damaged_catalog(directory / "catalog.sqlite", deadline) or _damaged_text(
        directory / "text", deadline
    )


def _damaged_catalog(path: Path, deadline: float) -> str | None:
    """SQLite's own check; one that the deadline ends has found nothing."""
    try:
        db = sqlite3.connect(f"file:{_quoted(path)}?mode=ro", uri=True, timeout=0.2)
    except sqlite3.Error as error:
        return f"`{path}`: {error}"

    def late() -> bool:
        return time.monotonic() > deadline

    try:
        db.set_progress_handler(late, _SQLITE_STEPS)
        answer = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        return None if late() or "locked" in str(error) else f"`{path}`: {error}"
    except sqlite3.Error as error:
        return f"`{path}`: {error}"
    finally:
        db.close()
    return None if answer == ("ok",) else f"`{path}`: {answer and answer[0]}"


def _quoted(path: Path) -> str:
    return re.sub(r"[%?#]", lambda found: f"%{ord(found[0]):02X}", str(path))


def _damaged_text(directory: Path, deadline: float) -> str | None:
    """Each file of the text index ends in a checksum, which the library itself looks at only on demand."""
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
    """Whether a file's footer (length and magic last) holds the checksum of what stands before it."""
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
    """A record that says only that writing works; it is found by its delivery, `token`.

    A control record is of no text group and of no project: recall never sees it.
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
    """Append a canary in this process, waiting at most so long for the lock; then `index` what is new."""
    broker = Broker(place, settings, wait=seconds)
    try:
        receipt = broker.append([canary_draft(token)])[0]
        if index and receipt.status in ACKNOWLEDGED:
            broker.index()
    finally:
        broker.close()
    return receipt


def follow_canary(place: StoreLocation, token: str, seconds: float, *, index: bool) -> CanaryTrace:
    """Wait until the canary stands in the log, and (`index`) the index has read past it; at most so long."""
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
            time.sleep(_PAUSE)
    finally:
        view.close()
