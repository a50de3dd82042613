"""Flatten a JSON value into text, bounded in depth and number."""

from typing import Any

_DEPTH = 6
_MOST = 4096


def flatten_text(value: Any) -> str:
    """Return the strings and numbers of a value, keys before them; bounded in depth and number."""
    found: list[str] = []
    _flatten(value, "", _DEPTH, found)
    return "\n".join(found)


def _flatten(value: Any, name: str, depth: int, found: list[str]) -> None:
    if len(found) >= _MOST or depth == 0 or value is None:
        return
    if isinstance(value, dict):
        is_block = value.get("type") == "text" and isinstance(value.get("text"), str)
        for key, inner in ({"": value["text"]} if is_block else value).items():
            _flatten(inner, str(key), depth - 1, found)
    elif isinstance(value, list):
        for inner in value:
            _flatten(inner, name, depth - 1, found)
    else:
        found.append(f"{name}: {value}" if name else str(value))
