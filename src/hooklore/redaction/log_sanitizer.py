"""What may stand in a log of ours: the one sanitiser in front of every line (seed 001 §6.1, §10).

It keys on fields, never on the layout of text (decision C11). A private record is told by what is not
sensitive about it; an error by its kind and place, because its message may hold what it tripped over.
"""

import traceback
from typing import Any

import orjson

from hooklore.errors import HookloreError
from hooklore.records.privacy import parse_flag
from hooklore.records.record import Record
from hooklore.redaction import redact
from hooklore.text.unicode_cleaning import strip_invisible

Fields = dict[str, Any]

PRIVATE_MEMORY_MARKER = "[REDACTED_PRIVATE_MEMORY]"
PRIVATE_FIELD_MARKER = "[REDACTED_PRIVATE_FIELD]"

_CONTENT = ("content", "content_md", "text", "query")
_TELLING = frozenset(
    ("v", "id", "ts", "stream", "kind", "category", "importance", "confidence", "basis", "visibility",
     "is_private", "private", "agent_id", "role", "delivery_id", "score", "outcome", "priority")
)  # fmt: skip
"""What of a private memory may be told: none of it is the person's own words."""

_LONGEST = 4000
_FRAMES = 40


def sanitize_fields(fields: Fields) -> Fields:
    """The fields of a record, a draft or a tool's arguments as a log may hold them.

    Of a private one the content is `[REDACTED_PRIVATE_MEMORY]` beside its `content_length` in
    characters, every other free field `[REDACTED_PRIVATE_FIELD]`, at any depth. Of any other they
    are what they were (seed 001 §6.1: else the behaviour stays).
    """
    if not parse_flag(fields.get("is_private", fields.get("private"))):
        return fields
    return {**_hidden(fields), "private": True}


def _hidden(fields: Fields) -> Fields:
    told: Fields = {}
    for name, value in fields.items():
        if name in _CONTENT and isinstance(value, str):
            told[name] = PRIVATE_MEMORY_MARKER
            told["content_length"] = told.get("content_length", 0) + len(value)
        elif name == "body" and isinstance(value, dict):
            told |= _hidden({n: v for n, v in value.items() if n in _CONTENT})
            told |= {
                n: PRIVATE_FIELD_MARKER for n in value if n not in _CONTENT and n.isidentifier()
            }
        elif name == "importance" and isinstance(value, dict):
            told[name] = value.get("score")
        elif name in _TELLING and _is_plain(value):
            told[name] = value
        elif value is not None:
            told[name] = PRIVATE_FIELD_MARKER
    return told


def _is_plain(value: object) -> bool:
    return not isinstance(value, dict | list | tuple)


def sanitize_log_line(text: str) -> str:
    """One line for a log: secrets masked, nothing that a terminal would obey, not too long."""
    plain = " ".join(strip_invisible(text[:_LONGEST]).split())
    try:
        return redact(plain).text
    except Exception as error:  # a log must not fail, and what was not redacted is not told
        return f"({len(plain)} characters withheld: {type(error).__qualname__})"


def format_append_line(record: Record, status: str, id_: str | None) -> str:
    """What a debug log says of an append: id and status (WF-13); of a private one what may be told."""
    line = sanitize_log_line(f"append {record.delivery_id} {status} {id_}")
    if not parse_flag(record.is_private):
        return line
    told = sanitize_fields(record.without("source").to_json())
    return f"{line} {orjson.dumps(told, option=orjson.OPT_NON_STR_KEYS).decode()}"


def describe_error(error: BaseException) -> str:
    """An error in one line, without a word that it may have tripped over.

    Ours are worded for their readers; of the disk's the cause is told; of all others only the kind,
    and how long the message is that is not.
    """
    if isinstance(error, HookloreError):
        return sanitize_log_line(str(error))
    name = type(error).__qualname__
    if isinstance(error, OSError) and error.strerror:
        return sanitize_log_line(f"{name}: {error.strerror}")
    message = _length_of(error)
    return f"{name}: {PRIVATE_FIELD_MARKER} ({message} characters)" if message else name


def _length_of(error: BaseException) -> int:
    try:
        return len(str(error))
    except Exception:
        return 0


def format_traceback(error: BaseException) -> str:
    """A traceback as Python prints it, its messages as `reason` words them: no value is in it."""
    parts = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        parts.append(_one(current))
        after = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        current = after
    return "\n\nDuring handling of the above exception, another came:\n\n".join(parts[::-1])


def _one(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    lines = [
        f'  File "{sanitize_log_line(frame.filename)}", line {frame.lineno}, in {sanitize_log_line(frame.name)}\n'
        f"    {sanitize_log_line(frame.line or '')}"
        for frame in frames
    ]
    return "\n".join(["Traceback (most recent call last):", *lines, describe_error(error)])
