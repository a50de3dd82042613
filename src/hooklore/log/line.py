"""One record as one line of bytes, and back."""

import functools
import hashlib
from collections.abc import Callable
from typing import Any

import orjson

from hooklore.records.privacy import is_privacy_normal, normalize_privacy
from hooklore.records.record import Record
from hooklore.records.schema import SCHEMA_VERSION

_HASH_TAIL = len(b',"hash":""}') + 32

_hash = functools.partial(hashlib.blake2b, digest_size=16)

Fields = dict[str, Any]

UPCASTS: dict[int, Callable[[Fields], Fields]] = {}
"""The step from each schema version to the next. A reader applies the steps in turn, and never to the file."""


def encode_line(record: Record) -> bytes:
    """Return the line of a record, with a newline and the hash of the bytes before the hash.

    orjson escapes every control character, so any record is one line. `v` comes first, because the beginning
    of a line distinguishes hooklore's log from a foreign one.
    """
    body = orjson.dumps(record.to_json())[:-1]
    return b'%b,"hash":"%b"}\n' % (body, _hash(body).hexdigest().encode())


def decode_line(line: bytes) -> Record | None:
    """Return the record of a line in the current schema, or None for a damaged or foreign line.

    A line whose hash does not match is damaged. A line without a hash, of another writer, is accepted.
    """
    fields = _fields_of(line)
    if fields is None:
        return None
    record = Record(upcast_record(fields))
    return record if is_privacy_normal(fields) else normalize_privacy(record)


def decode_id(line: bytes) -> str:
    """Return the id of a line's record, or "" for a damaged or foreign line."""
    fields = _fields_of(line)
    return "" if fields is None else str(fields["id"])


def _fields_of(line: bytes) -> Fields | None:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    is_record = isinstance(fields, dict) and _is_ours(fields) and _is_whole(line, fields)
    return fields if is_record else None


def upcast_record(fields: Fields) -> Fields:
    """Return the fields of a record in the current schema. A record of a later schema is returned unchanged."""
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
    return _hash(line[:-_HASH_TAIL]).hexdigest() == stated
