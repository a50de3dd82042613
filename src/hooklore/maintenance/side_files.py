"""Redact the files beside the log and the index: spool, quarantine, archive, tracebacks, and queued writes."""

import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import orjson

from hooklore.config import StoreLocation
from hooklore.errors import LogWriteFailed
from hooklore.log import files, quarantine
from hooklore.log.line import encode_line, is_whole_line, renew_hash
from hooklore.log.spool import Spool
from hooklore.records.draft import ProjectKeys
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record
from hooklore.redaction.literals import Literals
from hooklore.redaction.record_redactor import RecordRedactor, RedactedBytes

_TEMPORARY = ".scrub"
_PIECE = re.compile(r"(\d{6}-\d{10})-\d+\.bin")
_MAX_USER_FILE_BYTES = 1 << 20
_OURS = frozenset(("audit.jsonl", "reserve", "rules"))


class SideFiles:
    """The files of one store that hold captured text beside the log."""

    def __init__(
        self,
        place: StoreLocation,
        redactor: RecordRedactor,
        literals: Literals,
        concerns: Callable[[frozenset[str]], bool] = bool,
        queued: Sequence[Path] = (),
    ) -> None:
        """`concerns` says of the rules that match in a file whether the file is to change.

        `queued` are files of writes that wait on this machine for a gateway.
        """
        self._concerns, self._queued = concerns, queued
        self._place = place
        self._redactor = redactor
        self._literals = literals
        self._spools = Spool(place).directories
        self.found: dict[str, frozenset[str]] = {}

    def look(self) -> None:
        """Set `found` to the rules that match in each file, by a redacted name of the file."""
        self.found = {}
        for path in self._files():
            redacted = self._redact(path)
            if redacted is not None:
                self.found[self._display_name(path)] = redacted.rules

    def write(self) -> None:
        """Redact the files. The caller holds the append lock: nobody drains the spool. Raise LogWriteFailed."""
        try:
            # Killed processes leave files half written, here and in the spool.
            for folder in (*self._spools, quarantine.quarantine_directory(self._place)):
                for path in _in(folder):
                    if path.suffix == _TEMPORARY or (path.suffix == ".tmp" and _is_dead(path)):
                        path.unlink(missing_ok=True)
            for path in list(self._files()):
                redacted = self._redact(path)
                if redacted is not None:
                    self._replace(path, redacted.raw)
        except OSError as error:
            raise LogWriteFailed(str(error.filename or self._place.directory), error) from error

    def left(self) -> tuple[str, ...]:
        """Return the user's own files that hold a literal, like settings. They are not ours to change."""
        others = (path for path in _in(self._place.directory) if path.name not in _OURS)
        return tuple(sorted(str(path) for path in others if self._holds_literal(path)))

    def _files(self) -> Iterator[Path]:
        yield from (p for folder in self._spools for p in _in(folder) if p.suffix == ".jsonl")
        yield from _in(quarantine.quarantine_directory(self._place))
        for folder, _, names in os.walk(self._place.directory / "archive"):
            yield from (Path(folder) / name for name in sorted(names))
        yield self._tracebacks
        yield from self._queued

    @property
    def _tracebacks(self) -> Path:
        return self._place.socket.with_suffix(".log")

    def _display_name(self, path: Path) -> str:
        if path.is_relative_to(self._place.directory):
            name = str(path.relative_to(self._place.directory))
        elif path in self._queued:
            name = f"a queued write ({path.name})"
        else:
            kind = "tracebacks" if path == self._tracebacks else "spool"
            name = f"{kind} beside the socket"
        return self._literals.masked(name)

    def _redact(self, path: Path) -> RedactedBytes | None:
        found = self._redact_all(path)
        return found if found is not None and self._concerns(found.rules) else None

    def _redact_all(self, path: Path) -> RedactedBytes | None:
        """Return a file's redacted bytes, or None when no rule matches or the file is gone."""
        try:
            raw = files.read_regular(path)
        except OSError:
            return None
        if path.parent in self._spools:
            return _redact_lines(raw, self._redact_spooled)
        if path in self._queued:
            return self._redact_queued(raw)
        if path.suffix == ".jsonl":
            return _redact_lines(raw, partial(redact_line, self._redactor))
        return self._redactor.bytes(raw)

    def _redact_spooled(self, raw: bytes) -> RedactedBytes | None:
        """Return a redacted line of the spool, or None when no rule matches."""
        try:
            item = orjson.loads(raw)
            given = item["keys"]
            fields, found = self._redactor.fields(dict(item["fields"]))
            parts = None
            if given is not None:
                keys, more = self._redactor.keys(ProjectKeys(tuple(given[0]), *given[1:]))
                parts, found = [list(keys.keys), keys.name, keys.root, keys.branch], found | more
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            return self._redactor.bytes(raw)
        line = {"fields": fields, "keys": parts}
        return RedactedBytes(orjson.dumps(line), found) if found else None

    def _redact_queued(self, raw: bytes) -> RedactedBytes | None:
        """Return a queued write with what it says redacted, or None when no rule matches."""
        try:
            write = orjson.loads(raw)
            fields, found = self._redactor.fields({"stream": "memory", "body": write["arguments"]})
            arguments = {name: v for name, v in fields["body"].items() if name != "redacted"}
        except (ValueError, KeyError, TypeError, AttributeError):
            return self._redactor.bytes(raw)
        return (
            RedactedBytes(orjson.dumps({**write, "arguments": arguments}), found) if found else None
        )

    def _replace(self, path: Path, raw: bytes) -> None:
        if path == self._tracebacks:
            os.truncate(path, 0)  # a resident may be writing to this file
            return
        piece = _PIECE.fullmatch(path.name)
        target = path.with_name(f"{piece[1]}-{len(raw)}.bin") if piece else path
        files.replace_file(target, raw, _TEMPORARY)
        if target != path:
            path.unlink()
        files.sync_directory(path.parent)

    def _holds_literal(self, path: Path) -> bool:
        if path == self._place.log:
            return False
        with contextlib.suppress(OSError):
            found = os.lstat(path)
            if stat.S_ISREG(found.st_mode) and found.st_size <= _MAX_USER_FILE_BYTES:
                return self._literals.occur_in(path.read_bytes())
        return False


def _redact_lines(
    raw: bytes, redact_line: Callable[[bytes], RedactedBytes | None]
) -> RedactedBytes | None:
    lines = raw.split(b"\n")
    rules: set[str] = set()
    for index, line in enumerate(lines):
        found = redact_line(line) if line else None
        if found is not None:
            lines[index] = found.raw
            rules |= found.rules
    return RedactedBytes(b"\n".join(lines), frozenset(rules)) if rules else None


def _in(folder: Path) -> list[Path]:
    try:
        return sorted(folder / name for name in os.listdir(folder))
    except OSError:
        return []


def _is_dead(path: Path) -> bool:
    """Return whether the process that was writing a batch of the spool has ended."""
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


def redact_line(redactor: RecordRedactor, raw: bytes) -> RedactedBytes | None:
    """Return a line of the log, without its newline, redacted; None when nothing was found.

    A record keeps its envelope and the order of its fields, and gets a new hash. Its id is kept in an
    id's form. So does a line of a newer version, which stays whole for that version. A damaged line stays
    a damaged one.
    """
    if not redactor.may_change(raw):
        return None
    if not is_whole_line(raw):
        return redactor.bytes(raw)
    before = {name: value for name, value in orjson.loads(raw).items() if name != "hash"}
    if not isinstance(before.get("body"), dict):
        masked = redactor.bytes(raw)
        return masked and RedactedBytes(renew_hash(masked.raw), masked.rules)
    after, rules = redactor.fields(before)
    if not rules:
        return None
    id_ = after.get("id")
    known = id_ if isinstance(id_, str) and is_record_id(id_) else None
    return RedactedBytes(encode_line(Record(after))[:-1], rules, known)
