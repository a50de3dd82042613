"""Redact one line of the log, and keep it a line of the log."""

import orjson

from hooklore.log.line import decode_line, encode_line
from hooklore.records.record import Record
from hooklore.redaction.record_redactor import RecordRedactor, RedactedBytes


def redact_line(redactor: RecordRedactor, raw: bytes) -> RedactedBytes | None:
    """Return a line of the log, without its newline, redacted; None when nothing was found.

    A record keeps its envelope and the order of its fields, and gets a new hash. Its id is kept in an
    id's form. A damaged line
    stays a damaged one.
    """
    if not redactor.may_change(raw):
        return None
    if decode_line(raw) is None:
        return redactor.bytes(raw)
    before = {name: value for name, value in orjson.loads(raw).items() if name != "hash"}
    after, rules = redactor.fields(before)
    if not rules:
        return None
    return RedactedBytes(encode_line(Record(after))[:-1], rules, after["id"])
