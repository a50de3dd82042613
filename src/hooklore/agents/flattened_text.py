"""Flatten a JSON value into text, bounded in depth and number."""

import re
from typing import Any

_DEPTH = 6
_MOST = 4096
_HOLDS = frozenset(("value", "default", "data", "content", "string"))
"""Names of a member that holds the value of what the object around it is named."""


def flatten_text(value: Any) -> str:
    """Return the strings and numbers of a value, keys before them; bounded in depth and number.

    A value keeps the name that tells what it is: that of the object around it, the first half of its pair,
    or the option before it.
    """
    found: list[str] = []
    _flatten(value, "", _DEPTH, found)
    return "\n".join(found)


def _flatten(value: Any, name: str, depth: int, found: list[str]) -> None:
    if len(found) >= _MOST or depth == 0 or value is None:
        return
    if isinstance(value, dict):
        for key, inner in _members(value).items():
            _flatten(inner, name if name and key in _HOLDS else str(key), depth - 1, found)
    elif isinstance(value, list):
        if value and all(map(_is_pair, value)):
            for key, inner in value:
                _flatten(inner, key, depth - 1, found)
        elif _has_options(value):
            _flatten(" ".join(map(str, value)), name, depth - 1, found)
        else:
            for inner in value:
                _flatten(inner, name, depth - 1, found)
    else:
        found.append(f"{name}: {value}" if name else str(value))


def _members(value: dict[Any, Any]) -> dict[Any, Any]:
    """Return the members of an object: of a block of text its text, of a named value the value by its name."""
    if value.get("type") == "text" and isinstance(value.get("text"), str):
        return {"": value["text"]}
    name = value.get("name") or value.get("key")
    if not isinstance(name, str) or "value" not in value:
        return value
    rest = {key: inner for key, inner in value.items() if key not in ("name", "key", "value")}
    return {name: value["value"], **rest}


def _is_pair(value: Any) -> bool:
    """Return whether a value is a list of a name and its value."""
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)):
        return False
    return " " not in value[0]


def _has_options(values: list[Any]) -> bool:
    """Return whether a list is the words of a command, some of them options."""
    words = [str(each) for each in values if isinstance(each, str | int | float)]
    if len(words) < len(values) or any(" " in word for word in words):
        return False
    return any(map(_OPTION.fullmatch, words))


_OPTION = re.compile(r"--[a-z][\w-]*(?:=\S*)?")
"""A word that a program takes as an option. A line of a difference or of a test's report has blanks."""
