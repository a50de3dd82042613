"""Redact one line of the log, and keep it a line of the log."""

import orjson

from hooklore.log.line import encode_line, is_whole_line, renew_hash
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record
from hooklore.redaction.record_redactor import RecordRedactor, RedactedBytes


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
