"""`is_private` and `visibility` in every spelling of an old or foreign record (seed 001 §4.2)."""

from collections.abc import Mapping

from hooklore.records.record import Record

_NO = frozenset(("", "0", "false", "no", "off", "none", "null"))
_VISIBILITY_OF_PRIVACY = {"private": "session"}
"""Seed 003 writes `privacy`, where `private` means the record's own session. That is a visibility here,
because privacy from replicas and logs is a field of its own."""


def parse_flag(value: object) -> bool:
    """Return a flag by its meaning: 1, "1", "true", "yes" and true, or their opposites. None is false.

    A value that is neither is true, because a private text must not leak by a typing error.
    """
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, int | float):
        return value != 0
    return not (isinstance(value, str) and value.strip().lower() in _NO)


def is_privacy_normal(fields: Mapping[str, object]) -> bool:
    """Return whether `normalize_privacy` would change nothing: a quick test for a million lines."""
    return (
        type(fields.get("is_private", False)) is bool
        and fields.get("visibility") != "private"
        and "privacy" not in fields
    )


def normalize_privacy(record: Record) -> Record:
    """Return the record with `is_private` as a bool, and `privacy` read as `visibility`.

    Return the very same object when there is nothing to change.
    """
    changes: dict[str, object] = {}
    is_private = record.extra("is_private") if "is_private" in record else False
    if type(is_private) is not bool:
        changes["is_private"] = parse_flag(is_private)
    value = record.extra("visibility" if "visibility" in record else "privacy")
    visibility = _VISIBILITY_OF_PRIVACY.get(value, value) if isinstance(value, str) else value
    if visibility is not None and visibility != record.extra("visibility"):
        changes["visibility"] = visibility
    return record.with_fields(**changes) if changes else record
