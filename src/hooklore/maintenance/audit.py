"""Write `audit.jsonl`: the record, rule, actor and time of each redaction, never the redacted text.

The file is derived from the log's `redaction` records, one line for each record and rule. Lines are only
appended. A deleted file is written again.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from hooklore.config import StoreLocation
from hooklore.errors import StoreError
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.log.writer import flush_to_disk
from hooklore.records.record import Record

REDACTION_MARKER = b'"kind":"redaction"'
"""Bytes that the line of every redaction record has."""


def audit_path(place: StoreLocation) -> Path:
    """Return the path of a store's audit."""
    return place.directory / "audit.jsonl"


def update_audit(place: StoreLocation) -> int:
    """Append the log's redactions that the audit lacks. Return how many lines. Raise StoreError."""
    reader = LogReader(place)
    try:
        found = [decode_line(line.raw) for line in reader.lines() if REDACTION_MARKER in line.raw]
    finally:
        reader.close()
    return append_redactions(place, [r for r in found if r is not None and r.kind == "redaction"])


def append_redactions(place: StoreLocation, redactions: Iterable[Record]) -> int:
    """Append the `redaction` records that the audit lacks. Return how many lines. Raise StoreError."""
    known = _audited_ids(place)
    new = [line for record in redactions if record.id not in known for line in _lines(record)]
    if new:
        try:
            _append(audit_path(place), b"".join(orjson.dumps(line) + b"\n" for line in new))
        except OSError as error:
            raise StoreError(str(audit_path(place)), error.strerror or str(error)) from None
    return len(new)


def _lines(record: Record) -> Iterator[dict[str, object]]:
    """Yield one line for each record and rule. A line for damaged bytes or the spool names the place."""
    body = record.body
    for rule in body.extra("rules") or ():
        common = {"rule": rule, "actor": body.extra("actor"), "ts": record.ts}
        for target in body.targets:
            yield {"event_id": target, **common, "redaction": record.id}
        for where in body.extra("places") or ():
            yield {"event_id": None, "place": where, **common, "redaction": record.id}


def _audited_ids(place: StoreLocation) -> set[str]:
    """Return the ids of the redaction records that the audit has. A torn line has none."""
    try:
        fd = files.open_regular(audit_path(place), os.O_RDONLY)
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise StoreError(str(audit_path(place)), error.strerror or str(error)) from None
    found = set()
    with os.fdopen(fd, "rb") as lines:
        for line in lines:
            try:
                found.add(orjson.loads(line)["redaction"])
            except (ValueError, KeyError, TypeError):
                continue
    return found


def _append(path: Path, content: bytes) -> None:
    fd = files.open_regular(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        size = os.fstat(fd).st_size
        is_torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
        files.write_all(fd, b"\n" + content if is_torn else content)
        flush_to_disk(fd)
    finally:
        os.close(fd)
