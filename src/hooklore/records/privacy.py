"""`is_private` and `visibility`, however an old or a foreign record writes them (seed 001 §4.2)."""

from hooklore.records.record import Record

_NO = frozenset(("", "0", "false", "no", "off", "none", "null"))
_VISIBILITY_OF_PRIVACY = {"private": "session"}
"""Seed 003 says `privacy`, and `private` for what is seen in its own session only (decision C9)."""


def parse_flag(value: object) -> bool:
    """A flag that says 1, "1", "true", "yes" or true, and their opposites; missing is false.

    What cannot be read as either is true: a private word must not leave because of a typing error.
    """
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, int | float):
        return value != 0
    return not (isinstance(value, str) and value.strip().lower() in _NO)


def normalize_privacy(record: Record) -> Record:
    """Return the record with `is_private` as a bool, and `privacy` read as `visibility`.

    Return the very same object when there is nothing to change.
    """
    changes: dict[str, object] = {}
    is_private = record.extra("is_private") if "is_private" in record else False
    if type(is_private) is not bool:
        changes["is_private"] = parse_flag(is_private)
    said = record.extra("visibility" if "visibility" in record else "privacy")
    visibility = _VISIBILITY_OF_PRIVACY.get(said, said) if isinstance(said, str) else said
    if visibility is not None and visibility != record.extra("visibility"):
        changes["visibility"] = visibility
    return record.with_fields(**changes) if changes else record
