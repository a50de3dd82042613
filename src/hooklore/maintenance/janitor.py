"""The janitor: looks what is pinned, over, contradictory or should not be here, and deletes nothing.

One at a time in a store; a person runs it (`hooklore janitor`), and the idle resident once a day.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from hooklore.broker import conflicts
from hooklore.broker.broker import Broker
from hooklore.config import StoreLocation, load_settings
from hooklore.errors import HookloreError, StoreError
from hooklore.index.generation import index_directory
from hooklore.log import files
from hooklore.maintenance.cleanup import (
    CleanupCandidate,
    all_reader_places,
    find_cleanup_candidates,
)
from hooklore.maintenance.scrub import ScanCancelled, Scrub
from hooklore.memories import archive_files
from hooklore.memories.pins import Pins, list_memories, select_pins
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal

CancelCheck = Callable[[], bool]
"""Called now and then during a long look; true when it is to end."""

INSPECTION_INTERVAL_SECONDS = 86_400
"""Seconds between two looks of the resident."""

_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class JanitorReport:
    """What the janitor found. `recorded` of the conflicts are new.

    `secrets` are ids of records in which today's rules find something, `rules` how often each does;
    `places` are files beside the log, `damaged` lines of the log that are no records, with secrets.
    """

    pins: Pins
    candidates: tuple[CleanupCandidate, ...]
    conflicts: tuple[conflicts.Conflict, ...]
    recorded: int
    secrets: tuple[str, ...]
    rules: dict[str, int]
    places: tuple[str, ...]
    damaged: int

    def as_fields(self) -> dict[str, Any]:
        """The same in ids, counts and names of rules: no text of any record.

        `counts` says how many there are of what a janitor is there for (seed 000 §11).
        """
        return {
            "counts": {
                "pins": len(self.pins.records),
                "candidates": len(self.candidates),
                "conflicts": len(self.conflicts),
            },
            "pins": [record.id for record in self.pins.records],
            "pins_left_out": self.pins.left_out,
            "candidates": [
                {"id": each.record.id, "reason": each.reason, "since": each.since}
                for each in self.candidates
            ],
            "conflicts": [conflict.id for conflict in self.conflicts],
            "recorded": self.recorded,
            "secrets": list(self.secrets),
            "rules": self.rules,
            "places": list(self.places),
            "damaged": self.damaged,
        }


@contextlib.contextmanager
def hold_janitor_lock(place: StoreLocation) -> Iterator[None]:
    """Be the only janitor of a store. Raises HookloreError when another is at work, StoreError."""
    path = index_directory(place) / "janitor.lock"
    try:
        files.make_directory(path.parent)
        fd = files.open_regular(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise StoreError(str(path), error.strerror or str(error)) from None
    try:
        _lock(fd, path)
        yield
    finally:
        os.close(fd)


def _lock(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise HookloreError(
            f"could not look through memory: pid {_holder(path)} is at it", fix="run it again later"
        ) from None
    os.ftruncate(fd, 0)
    os.pwrite(fd, str(os.getpid()).encode(), 0)


def inspect_store(
    broker: Broker, who: Principal = PERSON, *, scope: str = "*", breathe: CancelCheck | None = None
) -> JanitorReport:
    """Look through everything; conflicts that nobody has recorded are, and the archive's files follow.

    The caller is on duty. Raises HookloreError, Abandoned.
    """
    broker.refresh()
    archive_files.sync_archive_files(broker)
    of = all_reader_places(broker, who)
    recorded = record_conflicts(broker, who, of, breathe or (lambda: False))
    found = Scrub(broker, breathe=breathe).look()
    return JanitorReport(
        select_pins(broker, list_memories(broker, who, of)),
        tuple(find_cleanup_candidates(broker, who, scope=scope)),
        tuple(conflicts.open_conflicts(broker.view, who)),
        recorded,
        found.ids,
        found.rules,
        found.places,
        found.damaged,
    )


def is_inspection_due(place: StoreLocation) -> bool:
    """Whether nobody has looked through this store for a day."""
    try:
        last = os.stat(_kept_at(place)).st_mtime
    except OSError:
        return place.log.exists()
    return not 0 <= time.time() - last < INSPECTION_INTERVAL_SECONDS


def inspect_store_if_due(place: StoreLocation, breathe: CancelCheck) -> None:
    """The idle resident's look, once a day: what it found is kept. Raises HookloreError."""
    if not is_inspection_due(place):
        return
    broker = Broker(place, load_settings(place.config))
    with contextlib.closing(broker), hold_janitor_lock(place), contextlib.suppress(ScanCancelled):
        save_janitor_report(
            place, {"ts": broker.now(), **inspect_store(broker, breathe=breathe).as_fields()}
        )


def save_janitor_report(place: StoreLocation, found: Mapping[str, object]) -> None:
    """Keep what a look has found: ids and counts, no text. Raises StoreError."""
    path = _kept_at(place)
    temporary = path.with_suffix(".tmp")
    try:
        fd = files.open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            files.write_all(fd, orjson.dumps(found))
        finally:
            os.close(fd)
        os.rename(temporary, path)
    except OSError as error:
        raise StoreError(str(path), error.strerror or str(error)) from None


def load_janitor_report(place: StoreLocation) -> dict[str, Any] | None:
    """What the last look found; None when there was none."""
    try:
        with os.fdopen(files.open_regular(_kept_at(place), os.O_RDONLY), "rb") as content:
            found = orjson.loads(content.read())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def record_conflicts(
    broker: Broker, who: Principal, of: list[str], breathe: CancelCheck = lambda: False
) -> int:
    """Record contradictions that only a read finds (another's log, a crash); how many. Raises Abandoned."""
    count = 0
    for place in of:
        records = broker.lookup(keys.memories_at(place), who, 10_000)
        for start in range(0, len(records), _AT_ONCE):
            if breathe():
                raise ScanCancelled
            some = records[start : start + _AT_ONCE]
            made = (conflicts.draft_conflict(broker.view, record) for record in some)
            drafts = [draft for draft in made if draft is not None]
            receipts = broker.append(drafts) if drafts else []
            count += sum(receipt.status == "stored" for receipt in receipts)
    broker.refresh()
    return count


def _kept_at(place: StoreLocation) -> Path:
    return index_directory(place) / "janitor.json"


def _holder(path: Path) -> str:
    with contextlib.suppress(OSError):
        return path.read_text("ascii").strip() or "another process"
    return "another process"
