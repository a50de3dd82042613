"""Write `audit.jsonl`: each redaction and each decision of a person, never a redacted text.

The file is derived from the log: one line for each record and rule of a `redaction`, and for each record
that a person's decision names, with how the person confirmed it. Lines are only appended. A deleted file
is written again.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from hooklore.broker import Broker
from hooklore.config import StoreLocation
from hooklore.errors import StoreError
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.log.writer import flush_to_disk
from hooklore.memories.append import append_or_raise
from hooklore.memories.control_draft import draft_control
from hooklore.records.record import Body, Record

REDACTION_MARKER = b'"kind":"redaction"'
"""Bytes that the line of every redaction record has."""


_CONFIRMED = "confirmed"
"""The verdict of the record that says how a person's decision was confirmed."""

_MARKERS = (REDACTION_MARKER, b'"verdict":"confirmed"')


def record_confirmation(broker: Broker, act: str, confirmed: str, ids: Iterable[str]) -> None:
    """Append that a person decided `act` on the records `ids`, and how that was confirmed.

    `confirmed` is `terminal`, `client` or `token`. Raise StoreError when the log does not keep it.
    """
    body = Body.of(targets=[], verdict=_CONFIRMED, act=act, how=confirmed, named=list(ids))
    append_or_raise(broker, [draft_control("approval", "global", body, detail=_CONFIRMED)])
    update_audit(broker.place)


def audit_path(place: StoreLocation) -> Path:
    """Return the path of a store's audit."""
    return place.directory / "audit.jsonl"


def update_audit(place: StoreLocation) -> int:
    """Append the log's redactions and decisions that the audit lacks. Return how many lines. Raise StoreError."""
    with contextlib.closing(LogReader(place)) as reader:
        lines = [each.raw for each in reader.lines() if any(m in each.raw for m in _MARKERS)]
    found = [record for record in map(decode_line, lines) if record is not None]
    audited = [r for r in found if r.kind == "redaction" or r.body.verdict == _CONFIRMED]
    return append_to_audit(place, audited)


def append_to_audit(place: StoreLocation, records: Iterable[Record]) -> int:
    """Append the redactions and decisions that the audit lacks. Return how many lines. Raise StoreError."""
    known = _audited_ids(place)
    new = [line for record in records if record.id not in known for line in _lines(record)]
    if new:
        try:
            _append(audit_path(place), b"".join(orjson.dumps(line) + b"\n" for line in new))
        except OSError as error:
            raise StoreError(str(audit_path(place)), error.strerror or str(error)) from None
    return len(new)


def _lines(record: Record) -> Iterator[dict[str, object]]:
    """Yield one line for each record and rule. A line for damaged bytes or the spool names the place."""
    body = record.body
    if record.kind == "approval":
        yield from _lines_of_decision(record)
    for rule in body.extra("rules") or ():
        common = {"rule": rule, "actor": body.extra("actor"), "ts": record.ts}
        for target in body.targets:
            yield {"event_id": target, **common, "redaction": record.id}
        for where in body.extra("places") or ():
            yield {"event_id": None, "place": where, **common, "redaction": record.id}


def _lines_of_decision(record: Record) -> Iterator[dict[str, object]]:
    """Yield one line for each record that a decision names, or one without a record."""
    body = record.body
    common = {"act": body.extra("act"), "confirmed": body.extra("how"), "actor": record.agent_id}
    named = body.extra("named")
    for name in named if isinstance(named, list) and named else (None,):
        yield {"event_id": name, **common, "ts": record.ts, "decision": record.id}


def _audited_ids(place: StoreLocation) -> set[str]:
    """Return the ids of the redactions and decisions that the audit has. A torn line has none."""
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
                fields = orjson.loads(line)
                found.add(fields.get("redaction") or fields["decision"])
            except (ValueError, KeyError, TypeError, AttributeError):
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
