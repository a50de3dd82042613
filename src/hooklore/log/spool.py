"""The spool: clean records that could not be appended, each batch in a file of its own.

A batch is written under a temporary name and renamed, so that its reader sees the whole batch and may
delete the file. A file that two processes write and one empties would lose records in between.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from hooklore.config import StoreLocation, is_squatted, root_digest, runtime_directory
from hooklore.errors import LogError
from hooklore.log import files, quarantine
from hooklore.records.draft import Draft, ProjectKeys
from hooklore.records.record import Record
from hooklore.redaction.clean import CleanRecord, check_clean, made_of_clean


@dataclass(frozen=True, slots=True)
class SpoolBatch:
    """The records of one file of the spool. `is_whole` is false if a line of the file is damaged."""

    path: Path
    records: list[CleanRecord]
    is_whole: bool


class Spool:
    """The spool of one store: in the store, or beside the socket if the store is full or read-only."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._own = place.directory / "spool"
        self._beside = runtime_directory() / f"{root_digest(place.root)}.spool"
        self._last = 0

    def put(self, records: list[CleanRecord]) -> Path:
        """Store records, flushed, and return their file. Raise `OSError` if no directory accepts them."""
        error: OSError | None = None
        for directory in self.directories:
            try:
                return self._put(directory, records)
            except OSError as failed:
                error = failed
            except LogError as failed:
                error = OSError(0, failed.cause)
        raise error or OSError(0, "no spool directory")

    def _put(self, directory: Path, records: list[CleanRecord]) -> Path:
        files.make_directory(directory)
        self._last = max(self._last + 1, time.time_ns())
        path = directory / f"{self._last:020d}-{os.getpid()}.jsonl"
        files.replace_file(path, b"".join(map(_line, records)))
        files.sync_directory(directory)
        return path

    def batches(self) -> Iterator[SpoolBatch]:
        """Yield every readable batch of all directories, oldest first."""
        for path in sorted(self.paths(), key=lambda path: path.name):
            batch = _read(path)
            if batch is not None:
                yield batch

    def done(self, batch: SpoolBatch, *, keep: bool) -> None:
        """Remove a batch that is in the log. With `keep`, or a damaged line, quarantine a copy first.

        A file that cannot be removed is read again, and its records are recognised by their delivery ids.
        """
        with contextlib.suppress(OSError, LogError):
            if keep or not batch.is_whole:
                quarantine.quarantine_file(self._place, batch.path)
            batch.path.unlink(missing_ok=True)

    def waiting(self) -> int:
        """Return the number of waiting batches."""
        return len(self.paths())

    def paths(self) -> list[Path]:
        """Return the files of the waiting batches, in no order."""
        found = []
        for directory in self.directories:
            with contextlib.suppress(OSError):
                found += [directory / n for n in os.listdir(directory) if n.endswith(".jsonl")]
        return found

    @property
    def directories(self) -> list[Path]:
        """Directories of batches. The one beside the socket is used only if no other user can write there."""
        return [self._own] if is_squatted(self._beside.parent) else [self._own, self._beside]


def _line(clean: CleanRecord) -> bytes:
    keys = check_clean(clean).keys
    parts = None if keys is None else [list(keys.keys), keys.name, keys.root, keys.branch]
    return orjson.dumps({"fields": clean.record.to_json(), "keys": parts}) + b"\n"


def _read(path: Path) -> SpoolBatch | None:
    """Return the batch at `path`, or None if the file cannot be opened now."""
    records = []
    is_whole = True
    try:
        lines = files.read_regular(path).splitlines()
    except OSError:
        return None
    for line in lines:
        try:
            item = orjson.loads(line)
            keys = item["keys"]
            found = None if keys is None else ProjectKeys(tuple(keys[0]), *keys[1:])
            records.append(made_of_clean(Draft(Record(dict(item["fields"])), found)))
        except (ValueError, KeyError, TypeError, IndexError):
            is_whole = False
    return SpoolBatch(path, records, is_whole)
