"""The sanitiser of every line that hooklore writes to a log of its own (seed 001 §6.1, §10).

The sanitiser reads fields, never the layout of text, because content of several lines defeats a match
on layout. A private record is logged by its fields that are not sensitive. An error is logged by its
kind and place, because its message may quote the value that caused the error.
"""

import traceback

import orjson

from hooklore.errors import HookloreError
from hooklore.records.record import Json, Record, parse_flag
from hooklore.redaction import redact
from hooklore.text.unicode_cleaning import strip_invisible

PRIVATE_MEMORY_MARKER = "[REDACTED_PRIVATE_MEMORY]"
PRIVATE_FIELD_MARKER = "[REDACTED_PRIVATE_FIELD]"

_CONTENT = ("content", "content_md", "text", "query")
_LOGGED = frozenset(
    ("v", "id", "ts", "stream", "kind", "category", "importance", "confidence", "basis", "visibility",
     "is_private", "private", "agent_id", "role", "delivery_id", "score", "outcome", "priority")
)  # fmt: skip
"""Fields of a private memory that may be logged: none holds the person's own words."""

_MAX_LINE_LENGTH = 4000
_MAX_FRAMES = 40


def sanitize_fields(fields: dict[str, Json]) -> dict[str, Json]:
    """Return the fields of a record, a draft or a tool's arguments as a log may hold them.

    The content of a private one becomes `[REDACTED_PRIVATE_MEMORY]` beside its `content_length` in
    characters, which replaces a length that the fields state. Every other free field, at any depth,
    becomes `[REDACTED_PRIVATE_FIELD]`. The fields of any other record are returned unchanged (seed 001
    §6.1).
    """
    if not parse_flag(fields.get("is_private", fields.get("private"))):
        return fields
    visible = {**_without_private_text(fields), "private": True}
    length = _content_length(fields)
    return visible if length is None else {**visible, "content_length": length}


def _content_length(fields: dict[str, Json]) -> int | None:
    """Return the characters of all contents, those of the body too, or None without any content."""
    body = fields.get("body")
    parts = (fields, body if isinstance(body, dict) else {})
    texts = [part[n] for part in parts for n in _CONTENT if isinstance(part.get(n), str)]
    return sum(len(str(text)) for text in texts) if texts else None


def _without_private_text(fields: dict[str, Json]) -> dict[str, Json]:
    visible: dict[str, Json] = {}
    for name, value in fields.items():
        if name in _CONTENT and isinstance(value, str):
            visible[name] = PRIVATE_MEMORY_MARKER
        elif name == "body" and isinstance(value, dict):
            visible |= _without_private_text({n: v for n, v in value.items() if n in _CONTENT})
            visible |= {
                n: PRIVATE_FIELD_MARKER for n in value if n not in _CONTENT and n.isidentifier()
            }
        elif name == "importance" and isinstance(value, dict):
            visible[name] = value.get("score")
        elif name in _LOGGED and not isinstance(value, dict | list | tuple):
            visible[name] = value
        elif value is not None:
            visible[name] = PRIVATE_FIELD_MARKER
    return visible


def sanitize_log_line(text: str) -> str:
    """Return one line for a log: secrets masked, terminal sequences removed, length bounded."""
    plain = " ".join(strip_invisible(text[:_MAX_LINE_LENGTH]).split())
    try:
        return redact(plain, is_printed=True).text
    except Exception as error:  # a log must not fail, and text that was not redacted is withheld
        return f"({len(plain)} characters withheld: {type(error).__qualname__})"


def format_append_line(record: Record, status: str, id_: str | None) -> str:
    """Return the debug log's line for an append: id and status, and the loggable fields of a private record."""
    line = sanitize_log_line(f"append {record.delivery_id or '-'} {status} {id_}")
    if not parse_flag(record.is_private):
        return line
    visible = sanitize_fields(record.without("source").to_json())
    return f"{line} {orjson.dumps(visible, option=orjson.OPT_NON_STR_KEYS).decode()}"


def describe_error(error: BaseException) -> str:
    """Return one line for an error, without a value that may have caused it.

    The messages of hooklore's own errors are written for readers and shown. An `OSError` is shown with its
    system's message. Of any other error only the kind and the length of the message are shown.
    """
    if isinstance(error, HookloreError):
        return sanitize_log_line(str(error))
    name = type(error).__qualname__
    if isinstance(error, OSError) and error.strerror:
        return sanitize_log_line(f"{name}: {error.strerror}")
    try:
        length = len(str(error))
    except Exception:
        length = 0
    return f"{name}: {PRIVATE_FIELD_MARKER} ({length} characters)" if length else name


def format_traceback(error: BaseException) -> str:
    """Return a traceback as Python prints it, with `describe_error` for each message, so that it holds no value."""
    parts = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        parts.append(_format_exception(current))
        after = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        current = after
    return "\n\nDuring handling of the above exception, another came:\n\n".join(parts[::-1])


def _format_exception(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    lines = [
        f'  File "{sanitize_log_line(frame.filename)}", line {frame.lineno}, in {sanitize_log_line(frame.name)}\n'
        f"    {sanitize_log_line(frame.line or '')}"
        for frame in frames
    ]
    return "\n".join(["Traceback (most recent call last):", *lines, describe_error(error)])
