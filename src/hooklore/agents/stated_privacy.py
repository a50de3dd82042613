"""The flag by which a tool's input marks its text as private, like `remember(private=true)` of seed 001."""

from collections.abc import Mapping
from typing import Any

_FLAGS = ("private", "is_private")
_TEXTS = ("content", "content_md", "text", "memory", "note")


def stated_privacy(given: Mapping[str, Any]) -> object:
    """Return the flag of a tool's input. Return None for an input without a text: a repository may be private."""
    flags = [given[name] for name in _FLAGS if name in given]
    has_text = any(isinstance(given.get(name), str) for name in _TEXTS)
    return flags[0] if flags and has_text else None
