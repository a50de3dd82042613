"""Ids in a form that no secret has: everything else in an id's place is replaced by its hash."""

import hashlib
from functools import lru_cache
from typing import Any

from hooklore.redaction.engine import redact
from hooklore.redaction.pattern import TextPattern

_PREFIX = (
    "toolu|toolu_bdrk|toolu_vrtx|srvtoolu|call|fc|msg|req|resp|rs|ses|session|sess|thread|conv|item|task"
    "|agent|run|turn|step|prompt|chatcmpl|evt|event"
)
_CERTAIN = TextPattern(
    r"(?:(?!sdk|mob|api|key|sk|pat|ovsxp|x[ap]+t)[a-z]{1,16}[_-])?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}"
    r"|[0-9A-HJKMNP-TV-Z]{26}|id-[0-9a-f]{24}|(?=[0-9]*[a-f])[0-9a-f]{1,64}"
    rf"|(?!fc-)(?:{_PREFIX})[_-](?:[A-Za-z0-9]{{8,40}}|[0-9a-f]{{4,8}})|(?!mlsn$"
    rf"|fx$)[a-z]{{1,12}}(?:[_-][a-z]{{1,12}}){{0,2}}"
)
"""A UUID, a ULID, our hash, hexadecimal digits, a client's prefix with its alphabet, up to three small words."""

_WORD = r"(?:[a-z]{1,5}[0-9]{1,3}|[a-z]{1,2}[0-9]{4,6}|[A-Z]?[a-z]{1,12}|[A-Z]{1,8}|[0-9]{1,20})"
_SLUG = TextPattern(
    rf"(?=.{{1,40}}$)(?:(?:{_PREFIX})[_-])?(?:{_WORD}(?:[_-]{_WORD}){{0,3}}"
    r"|[0-9a-f]{1,12}(?:-[0-9a-f]{0,12}){1,4})"
)
"""A small slug, or the beginning of a UUID. A longer word takes no digits: people choose such passwords."""

_BETWEEN = str.maketrans(":|#/", "....")
_LONGEST = 256


_OWN_LENGTH = 32
_HEX = "0123456789abcdef"


def _is_certain(part: str) -> bool:
    return _CERTAIN.fullmatch(part) is not None


@lru_cache(maxsize=1024)
def redact_id(value: str) -> str:
    """Return `value` if all its parts have an id's form and no rule finds a secret in it, else its hash.

    Equal ids stay equal, so a reader who asks for the raw id finds the record under the hash.
    """
    if len(value) == _OWN_LENGTH and not value.strip(_HEX):
        return value  # a delivery's: every event has a new one
    if "|" in value and len(value) <= _LONGEST and all(map(_stays, value.split("|"))):
        return value  # an event's own name: its parts have been judged as ids of their own
    parts = value.translate(_BETWEEN).split(".") if len(value) <= _LONGEST else [""]
    unsure = [part for part in parts if not _is_certain(part)]
    if not unsure and len(parts) == 1:
        return value
    if all(map(_SLUG.fullmatch, unsure)) and not redact(value, is_printed=True).findings:
        return value  # parts that have an id's form each may be a token together: a mark, a dot, hex digits
    digest = hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=12).hexdigest()
    return f"id-{digest}"


def _stays(part: str) -> bool:
    return redact_id(part) == part


def redact_ids(value: Any) -> Any:
    """Return an id, or a list of ids, redacted. Another value is no id and is returned as it is."""
    if isinstance(value, str):
        return redact_id(value) if value else value
    return [redact_ids(each) for each in value] if isinstance(value, list) else value
