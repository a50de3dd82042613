"""What a pin says: a line or two of a memory, never a long text (seed 000 §2)."""

from hooklore.records.record import Record
from hooklore.text.display_width import display_width

MAX_PIN_LINES = 2
MAX_PIN_COLUMNS = 240
"""Of one pin, all lines together; a Japanese character takes two."""

MAX_PINS_SHOWN = 40
"""Pins that a reader is given: about a page."""

STANDING_KINDS = ("preference", "constraint", "config", "workflow", "decision", "deprecation")
"""Kinds of memory that hold until they are replaced: what a run reads first."""


def extract_pin_text(record: Record) -> str:
    """The first paragraph of a memory."""
    lines = [line.strip() for line in str(record.body.content_md).split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines[: lines.index("")] if "" in lines else lines)


def pin_length_problem(record: Record) -> str | None:
    """Why a memory is too long for a pin; None when it is not."""
    text = extract_pin_text(record)
    if text.count("\n") >= MAX_PIN_LINES:
        return f"its first paragraph has {text.count(chr(10)) + 1} lines, a pin has at most {MAX_PIN_LINES}"
    if display_width(text) > MAX_PIN_COLUMNS:
        return f"its first paragraph is {display_width(text)} columns wide, a pin at most {MAX_PIN_COLUMNS}"
    return None


def may_be_pinned(record: Record) -> bool:
    """Whether a memory may be a pin at all: confirmed, and none that orders agents about."""
    return (
        record.confidence == "high"
        and record.trust is None
        and not record.waits
        and (record.basis != "inferred" or bool(record.approves))
    )


def is_auto_pinned(record: Record) -> bool:
    """Whether it is pinned without being asked for: confirmed, keyed, short, of a kind that holds.

    What is kept for some files is for those.
    """
    return (
        bool(record.dedupe_key)
        and not record.body.paths
        and record.kind in STANDING_KINDS
        and may_be_pinned(record)
        and pin_length_problem(record) is None
    )
