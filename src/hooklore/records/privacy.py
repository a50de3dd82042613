"""`is_private` and `visibility`, however an old or a foreign record writes them (seed 001 §4.2)."""

from typing import Any

Fields = dict[str, Any]

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


def normalize_privacy(fields: Fields) -> Fields:
    """The same fields with `is_private` as a bool, and `privacy` read as `visibility`.

    The very same object when there is nothing to change.
    """
    changed: Fields = {}
    if type(fields.get("is_private", False)) is not bool:
        changed["is_private"] = parse_flag(fields["is_private"])
    said = fields.get("visibility", fields.get("privacy"))
    seen = _VISIBILITY_OF_PRIVACY.get(said, said) if isinstance(said, str) else said
    if seen is not None and seen != fields.get("visibility"):
        changed["visibility"] = seen
    return {**fields, **changed} if changed else fields
