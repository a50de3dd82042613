"""One record as one line of bytes, and back."""

import functools
import hashlib
from collections.abc import Callable

import orjson

from hooklore.errors import RecordInvalid
from hooklore.log.known_fields import Fields, find_known_fields, is_record_id
from hooklore.records.record import Record, is_privacy_normal, normalize_privacy
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.redaction.clean import CleanRecord, check_clean

_HASH_TAIL = len(b',"hash":""}') + 32

_hash = functools.partial(hashlib.blake2b, digest_size=16)

UPCASTS: dict[int, Callable[[Fields], Fields]] = {}
"""The step from each schema version to the next. A reader applies the steps in turn, and never to the file."""


class Line:
    """A line for the log: only a record that was cleaned becomes one."""

    __slots__ = ("content", "record")

    def __init__(self, clean: CleanRecord) -> None:
        """Encode a record. Raise RecordInvalid for values that JSON cannot hold: half a character, 2**64."""
        self.record = check_clean(clean).record
        try:
            self.content = encode_line(self.record)
        except TypeError as error:
            raise RecordInvalid([f"record: {error}"]) from None


def encode_line(record: Record) -> bytes:
    """Return the line of a record, with a newline and the hash of the bytes before the hash.

    orjson escapes every control character, so any record is one line. `v` comes first, because the beginning
    of a line distinguishes hooklore's log from a foreign one.
    """
    body = orjson.dumps(record.to_json())[:-1]
    return b'%b,"hash":"%b"}\n' % (body, _hash(body).hexdigest().encode())


def decode_line(line: bytes) -> Record | None:
    """Return the record of a line in the current schema, or None for a line that is no record to this version.

    A line whose hash does not match is damaged. A line without a hash, of another writer, is accepted.
    """
    whole = _whole_fields(line)
    fields = None if whole is None else find_known_fields(upcast_record(whole))
    if fields is None:
        return None
    record = Record(fields)
    return record if is_privacy_normal(fields) else normalize_privacy(record)


def decode_id(line: bytes) -> str:
    """Return the id of a line's record, or "" for a line without one."""
    fields = _whole_fields(line)
    found = "" if fields is None else fields.get("id")
    return found if isinstance(found, str) and is_record_id(found) else ""


def is_whole_line(line: bytes) -> bool:
    """Return whether a line is a whole JSON object, understood or not: anything else is damaged."""
    return _whole_fields(line) is not None


def renew_hash(line: bytes) -> bytes:
    """Return a line whose bytes have changed with the hash of its bytes now, or unchanged if it has none."""
    if line[-_HASH_TAIL : -_HASH_TAIL + 9] != b',"hash":"':
        return line
    body = line[:-_HASH_TAIL]
    return b'%b,"hash":"%b"}' % (body, _hash(body).hexdigest().encode())


def _whole_fields(line: bytes) -> Fields | None:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return fields if isinstance(fields, dict) and _has_own_hash(line, fields) else None


def upcast_record(fields: Fields) -> Fields:
    """Return the fields of a record in the current schema. A record of a later schema is returned unchanged."""
    version = fields.get("v")
    while isinstance(version, int) and version < SCHEMA_VERSION and version in UPCASTS:
        fields = UPCASTS[version](fields)
        version = fields["v"]
    return fields


def _has_own_hash(line: bytes, fields: Fields) -> bool:
    stated = fields.get("hash")
    if not isinstance(stated, str):
        return True
    line = line.rstrip(b"\r\n")
    if line[-_HASH_TAIL : -_HASH_TAIL + 9] != b',"hash":"':
        return True
    return _hash(line[:-_HASH_TAIL]).hexdigest() == stated
