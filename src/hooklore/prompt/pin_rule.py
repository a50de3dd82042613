"""Decide what may be a pin, and what a pin says: a line or two of a memory, never a long text (seed 000 §2)."""

from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record
from hooklore.records.standing import standing_of
from hooklore.text.display_width import display_width

MAX_PIN_LINES = 2
MAX_PIN_COLUMNS = 240
"""Columns of one pin, all lines together; a Japanese character takes two."""

MAX_PINS_SHOWN = 40
"""Pins that a reader is given: about a page."""


def extract_pin_text(record: Record) -> str:
    """Return the first paragraph of a memory."""
    lines = [line.strip() for line in str(record.body.content_md).split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines[: lines.index("")] if "" in lines else lines)


def pin_length_problem(record: Record) -> str | None:
    """Return why a memory is too long for a pin, None when its length fits."""
    text = extract_pin_text(record)
    if text.count("\n") >= MAX_PIN_LINES:
        return f"its first paragraph has {text.count(chr(10)) + 1} lines, a pin has at most {MAX_PIN_LINES}"
    if display_width(text) > MAX_PIN_COLUMNS:
        return f"its first paragraph is {display_width(text)} columns wide, a pin at most {MAX_PIN_COLUMNS}"
    return None


def may_be_pinned(record: Record) -> bool:
    """Return whether a memory may be a pin: it is confirmed, and gives agents no orders."""
    return (
        record.confidence == "high"
        and record.trust is None
        and not record.waits
        and standing_of(record).pinned != "never"
    )


def is_auto_pinned(record: Record) -> bool:
    """Return whether a memory is pinned without a request: confirmed, keyed, short, of a standing kind.

    A memory that is kept for some files is never pinned for all of a project, and what a program brought never
    by itself.
    """
    return (
        bool(record.dedupe_key)
        and standing_of(record).pinned == "by itself"
        and not record.body.paths
        and memory_kind(record.kind).standing
        and may_be_pinned(record)
        and pin_length_problem(record) is None
    )
