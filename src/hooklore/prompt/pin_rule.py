"""What a pin says: a line or two of a memory, never a long text (seed 000 §2)."""

from typing import Any

from hooklore.text.display_width import columns

Fields = dict[str, Any]

LINES = 2
COLUMNS = 240
"""Of one pin, all lines together; a Japanese character takes two."""

PAGE = 40
"""Pins that a reader is given: about a page."""

STANDING = ("preference", "constraint", "config", "workflow", "decision", "deprecation")
"""Kinds of memory that hold until they are replaced: what a run reads first."""


def pin_text(record: Fields) -> str:
    """The first paragraph of a memory."""
    lines = [line.strip() for line in str(record["body"].get("content_md", "")).split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines[: lines.index("")] if "" in lines else lines)


def too_long(record: Fields) -> str | None:
    """Why a memory is too long for a pin; None when it is not."""
    text = pin_text(record)
    if text.count("\n") >= LINES:
        return f"its first paragraph has {text.count(chr(10)) + 1} lines, a pin has at most {LINES}"
    if columns(text) > COLUMNS:
        return f"its first paragraph is {columns(text)} columns wide, a pin at most {COLUMNS}"
    return None


def may_stand_first(record: Fields) -> bool:
    """Whether a memory may be a pin at all: confirmed, and none that orders agents about."""
    return (
        record.get("confidence", "high") == "high"
        and record.get("trust") is None
        and not record.get("waits")
        and (record.get("basis") != "inferred" or bool(record.get("approves")))
    )


def is_pin_by_itself(record: Fields) -> bool:
    """Whether it is pinned without being asked for: confirmed, keyed, short, of a kind that holds.

    What is kept for some files is for those.
    """
    return (
        bool(record.get("dedupe_key"))
        and not record["body"].get("paths")
        and record["kind"] in STANDING
        and may_stand_first(record)
        and too_long(record) is None
    )
