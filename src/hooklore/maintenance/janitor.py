"""Inspect a store for pins, cleanup candidates, contradictions and secrets (seed 000 §11).

Nothing is deleted. One janitor at a time works in a store. A person runs it by `hooklore janitor`, and
the idle resident after a session has ended, else once a day.
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

from hooklore.broker.broker import AppendLog, Broker, format_timestamp
from hooklore.broker.conflicts import Conflict
from hooklore.config import StoreLocation, load_settings
from hooklore.errors import HookloreError, StoreError
from hooklore.index.generation import index_directory
from hooklore.log import files
from hooklore.maintenance.cleanup import (
    CleanupCandidate,
    all_reader_places,
    find_cleanup_candidates,
)
from hooklore.maintenance.scrub import CancelCheck, ScanCancelled, Scrub, rescan_store
from hooklore.maintenance.sharing import propose_old_memories
from hooklore.memories.archive_files import sync_archive_files
from hooklore.memories.decisions.conflict_resolution import record_missing_conflicts
from hooklore.memories.live_scores import refresh_scores
from hooklore.memories.pins import Pins, list_memories, select_pins
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal
from hooklore.records.ids import unpack_id
from hooklore.redaction.rules.vendor_tokens import is_certain

INSPECTION_INTERVAL_SECONDS = 86_400
"""Seconds after which the resident inspects a store again, if no session has ended."""

_MAX_MEMORIES = 10_000
_MEMORIES_PER_BATCH = 50


@dataclass(frozen=True, slots=True)
class JanitorReport:
    """The findings of an inspection. `recorded` counts the conflicts that are new.

    `secrets` are ids of records in which today's redaction rules find something. `rules` counts the
    findings of each rule. `places` are files beside the log with secrets. `damaged` counts lines with
    secrets that are no records. `proposed` counts the memories that are proposed to be shared.
    """

    pins: Pins
    candidates: tuple[CleanupCandidate, ...]
    conflicts: tuple[Conflict, ...]
    recorded: int
    secrets: tuple[str, ...]
    rules: dict[str, int]
    places: tuple[str, ...]
    damaged: int
    proposed: int = 0

    def as_fields(self) -> dict[str, Any]:
        """Return the report as ids, counts and names of rules, without any record's text.

        `counts` has the numbers that seed 000 §11 asks a janitor for.
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
            "proposed": self.proposed,
        }


@contextlib.contextmanager
def hold_janitor_lock(place: StoreLocation) -> Iterator[None]:
    """Be the only janitor of a store. Raise HookloreError while another one works, or StoreError."""
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
        holder = ""
        with contextlib.suppress(OSError):
            holder = path.read_text("ascii").strip()
        cause = f"pid {holder or 'another process'} is at it"
        raise HookloreError(
            f"could not look through memory: {cause}", fix="run it again later"
        ) from None
    os.ftruncate(fd, 0)
    os.pwrite(fd, str(os.getpid()).encode(), 0)


def inspect_store(
    broker: Broker,
    who: Principal = PERSON,
    *,
    scope: str = "*",
    should_cancel: CancelCheck | None = None,
    remove_certain: Callable[[], object] = lambda: None,
) -> JanitorReport:
    """Inspect everything, record unrecorded conflicts, and bring the archive's files up to date.

    `remove_certain` takes private keys and vendors' tokens out of all files, where one was found (seed 000 §8).
    The caller holds the janitor's lock. Raise HookloreError, or ScanCancelled.
    """

    def end_if_cancelled() -> None:
        if should_cancel is not None and should_cancel():
            raise ScanCancelled

    broker.refresh()
    sync_archive_files(broker)
    places = all_reader_places(broker, who)
    recorded = record_conflicts(broker, who, places, should_cancel or (lambda: False))
    proposed = propose_old_memories(broker)
    refresh_scores(broker, end_if_cancelled)
    found = Scrub(broker, should_cancel=should_cancel).look()
    if is_certain(found.rules):
        remove_certain()
        broker.refresh()
        found = Scrub(broker, should_cancel=should_cancel).look()
    reader = broker.as_reader(who)
    return JanitorReport(
        select_pins(reader, list_memories(reader, places)),
        tuple(find_cleanup_candidates(broker, who, scope=scope)),
        tuple(reader.open_conflicts()),
        recorded,
        found.ids,
        found.rules,
        found.places,
        found.damaged,
        proposed,
    )


def is_inspection_due(broker: Broker) -> bool:
    """Return whether a session has ended since the last inspection, or that was a day ago.

    Raise StoreUnreadable.
    """
    report = load_janitor_report(broker.place)
    try:
        age = time.time() - os.stat(_report_path(broker.place)).st_mtime
    except OSError:
        return True
    if report is None or not 0 <= age < INSPECTION_INTERVAL_SECONDS:
        return True
    broker.refresh()
    moment = str(report.get("ts", ""))
    for record in broker.as_reader(PERSON).newest(ended=True):
        if format_timestamp(unpack_id(record.id)[0] * 1_000_000) < moment:
            return False
        if record.kind == "session_end":
            return True
    return False


def inspect_store_if_due(
    place: StoreLocation, should_cancel: CancelCheck, log: AppendLog | None = None
) -> None:
    """Inspect a store when that is due, in the process that indexes, and save the report. Raise HookloreError.

    `log` is called with each append.
    """
    if not place.log.exists():
        return
    with contextlib.closing(Broker(place, load_settings(place.config), log=log)) as broker:
        if not is_inspection_due(broker):
            return
        with hold_janitor_lock(place), contextlib.suppress(ScanCancelled):
            moment = broker.now()
            report = inspect_store(
                broker,
                should_cancel=should_cancel,
                remove_certain=lambda: rescan_store(place, should_cancel, log),
            )
            save_janitor_report(place, {"ts": moment, **report.as_fields()})


def save_janitor_report(place: StoreLocation, fields: Mapping[str, object]) -> None:
    """Save the fields of a report, which hold no text. Raise StoreError."""
    path = _report_path(place)
    try:
        files.replace_file(path, orjson.dumps(fields))
    except OSError as error:
        raise StoreError(str(path), error.strerror or str(error)) from None


def load_janitor_report(place: StoreLocation) -> dict[str, Any] | None:
    """Return the fields of the last report, or None when there is none."""
    try:
        found = orjson.loads(files.read_regular(_report_path(place)))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def record_conflicts(
    broker: Broker, who: Principal, places: list[str], should_cancel: CancelCheck = lambda: False
) -> int:
    """Record the conflicts of places that no write recorded. Return how many. Raise ScanCancelled."""
    count = 0
    reader = broker.as_reader(who)
    for place in places:
        records = reader.lookup(keys.memories_at(place), _MAX_MEMORIES)
        for start in range(0, len(records), _MEMORIES_PER_BATCH):
            if should_cancel():
                raise ScanCancelled
            batch = records[start : start + _MEMORIES_PER_BATCH]
            count += record_missing_conflicts(broker, batch)
    broker.refresh()
    return count


def _report_path(place: StoreLocation) -> Path:
    return index_directory(place) / "janitor.json"
