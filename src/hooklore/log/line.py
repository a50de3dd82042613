"""One record as one line of bytes, and back."""

import hashlib
from collections.abc import Callable
from typing import Any

import orjson

from hooklore.records.privacy import normalize_privacy
from hooklore.records.record import Record
from hooklore.records.schema import SCHEMA_VERSION

_HASH_TAIL = len(b',"hash":""}') + 32

Fields = dict[str, Any]

UPCASTS: dict[int, Callable[[Fields], Fields]] = {}
"""Schema version -> the step to the next one. A reader applies them in turn; the log keeps its bytes."""


def encode_line(record: Record) -> bytes:
    """The line of a record, ending in a newline, with the hash of what stands before it.

    orjson escapes every control character, so one record is one line however odd its text;
    `v` comes first: it is how a foreign log is told from ours.
    """
    body = orjson.dumps(record.to_json())[:-1]
    return body + b',"hash":"' + _digest(body).encode() + b'"}\n'


def decode_line(line: bytes) -> Record | None:
    """The fields of a line, upcast to today's schema; None when it is damaged or not ours.

    A line whose hash does not match is damaged. One without a hash (another writer) is accepted.
    """
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict) or not _is_ours(fields) or not _is_whole(line, fields):
        return None
    return normalize_privacy(Record(upcast_record(fields)))


def upcast_record(fields: Fields) -> Fields:
    """The same record in today's schema; a record of a later one is left as it is."""
    version = fields["v"]
    while version < SCHEMA_VERSION and version in UPCASTS:
        fields = UPCASTS[version](fields)
        version = fields["v"]
    return fields


def _is_ours(fields: Fields) -> bool:
    return (
        isinstance(fields.get("v"), int)
        and isinstance(fields.get("id"), str)
        and isinstance(fields.get("stream"), str)
        and isinstance(fields.get("kind"), str)
        and isinstance(fields.get("body"), dict)
    )


def _is_whole(line: bytes, fields: Fields) -> bool:
    stated = fields.get("hash")
    if not isinstance(stated, str):
        return True
    line = line.rstrip(b"\r\n")
    if line[-_HASH_TAIL : -_HASH_TAIL + 9] != b',"hash":"':
        return True
    return _digest(line[:-_HASH_TAIL]) == stated


def _digest(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=16).hexdigest()
