"""What is kept beside the log and the index: spool, quarantine, archive, the resident's tracebacks."""

import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from hooklore.broker.record_redactor import RecordRedactor, RedactedBytes
from hooklore.config import StoreLocation
from hooklore.errors import LogWriteFailed
from hooklore.log import files, quarantine
from hooklore.log.spool import Spool
from hooklore.records.draft import ProjectKeys
from hooklore.records.record import Record
from hooklore.redaction.literals import Literals

_TEMPORARY = ".scrub"
_PIECE = re.compile(r"(\d{6}-\d{10})-\d+\.bin")
_OF_THE_USER = 1 << 20
_OURS = frozenset(("audit.jsonl", "reserve", "rules"))


class SideFiles:
    """Files of one store that hold what was captured, and how they are to be."""

    def __init__(self, place: StoreLocation, masking: RecordRedactor, literals: Literals) -> None:
        self._place = place
        self._masking = masking
        self._literals = literals
        self._spools = Spool(place).directories
        self.found: dict[str, frozenset[str]] = {}

    def look(self) -> None:
        """Find the files that are to change now: `found`, by a name without what was found."""
        self.found = {}
        for path in self._files():
            masked = self._masked(path)
            if masked is not None:
                self.found[self._named(path)] = masked.rules

    def write(self) -> None:
        """Change them. The append lock is held, so that nobody drains the spool. Raises LogWriteFailed."""
        try:
            self._drop_leftovers()
            for path in list(self._files()):
                masked = self._masked(path)
                if masked is not None:
                    self._replace(path, masked.raw)
        except OSError as error:
            raise LogWriteFailed(str(error.filename or self._place.directory), error) from error

    def left(self) -> tuple[str, ...]:
        """Files of the user's own that hold a literal: settings, pauses. They are not ours to change."""
        return tuple(sorted(str(path) for path in self._own_files() if self._holds_literal(path)))

    def _files(self) -> Iterator[Path]:
        yield from (p for folder in self._spools for p in _in(folder) if p.suffix == ".jsonl")
        yield from _in(quarantine.quarantine_directory(self._place))
        for folder, _, names in os.walk(self._place.directory / "archive"):
            yield from (Path(folder) / name for name in sorted(names))
        yield self._tracebacks

    @property
    def _tracebacks(self) -> Path:
        return self._place.socket.with_suffix(".log")

    def _named(self, path: Path) -> str:
        if path.is_relative_to(self._place.directory):
            name = str(path.relative_to(self._place.directory))
        else:
            kind = "tracebacks" if path == self._tracebacks else "spool"
            name = f"{kind} beside the socket"
        return self._literals.masked(name)

    def _masked(self, path: Path) -> RedactedBytes | None:
        """A file's bytes as they are to be; None when they stay, or it is gone."""
        try:
            with os.fdopen(files.open_regular(path, os.O_RDONLY), "rb") as content:
                raw = content.read()
        except OSError:
            return None
        if path.parent in self._spools:
            return _by_line(raw, self._draft)
        if path.suffix == ".jsonl":
            return _by_line(raw, self._masking.line)
        return self._masking.bytes(raw)

    def _draft(self, raw: bytes) -> RedactedBytes | None:
        """A line of the spool as it is to be; None when it stays."""
        try:
            item = orjson.loads(raw)
            given = item["keys"]
            record, found = self._masking.record(Record(dict(item["fields"])))
            parts = None
            if given is not None:
                keys, more = self._masking.keys(ProjectKeys(tuple(given[0]), *given[1:]))
                parts, found = [list(keys.keys), keys.name, keys.root, keys.branch], found | more
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            return self._masking.bytes(raw)
        line = {"fields": record.to_json(), "keys": parts}
        return RedactedBytes(orjson.dumps(line), found) if found else None

    def _replace(self, path: Path, raw: bytes) -> None:
        if path == self._tracebacks:
            os.truncate(path, 0)  # a resident may be writing to it; nobody needs an old traceback
            return
        piece = _PIECE.fullmatch(path.name)
        target = path.with_name(f"{piece[1]}-{len(raw)}.bin") if piece else path
        temporary = path.with_name(path.name + _TEMPORARY)
        fd = files.open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            files.write_all(fd, raw)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(temporary, target)
        if target != path:
            path.unlink()
        files.sync_directory(path.parent)

    def _drop_leftovers(self) -> None:
        """What killed processes left half written, here and in the spool."""
        for folder in (*self._spools, quarantine.quarantine_directory(self._place)):
            for path in _in(folder):
                if path.suffix == _TEMPORARY or (path.suffix == ".tmp" and _is_dead(path)):
                    path.unlink(missing_ok=True)

    def _own_files(self) -> Iterator[Path]:
        return (path for path in _in(self._place.directory) if path.name not in _OURS)

    def _holds_literal(self, path: Path) -> bool:
        if path == self._place.log:
            return False
        with contextlib.suppress(OSError):
            found = os.lstat(path)
            if stat.S_ISREG(found.st_mode) and found.st_size <= _OF_THE_USER:
                return self._literals.occur_in(path.read_bytes())
        return False


def _by_line(raw: bytes, masked: Callable[[bytes], RedactedBytes | None]) -> RedactedBytes | None:
    lines = raw.split(b"\n")
    rules: set[str] = set()
    for place, line in enumerate(lines):
        found = masked(line) if line else None
        if found is not None:
            lines[place] = found.raw
            rules |= found.rules
    return RedactedBytes(b"\n".join(lines), frozenset(rules)) if rules else None


def _in(folder: Path) -> list[Path]:
    try:
        return sorted(folder / name for name in os.listdir(folder))
    except OSError:
        return []


def _is_dead(path: Path) -> bool:
    """Whether the process that was writing this batch of the spool has ended."""
    pid = path.stem.rpartition("-")[2]
    if not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
