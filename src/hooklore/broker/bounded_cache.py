"""Keep the newest entries of a cache that the log can fill again."""

from collections.abc import MutableMapping
from typing import TypeVar

Entry = TypeVar("Entry")

_MAX_ENTRIES = 256
"""Sessions, deliveries and worded notes."""


def evict_oldest(entries: MutableMapping[str, Entry], most: int = _MAX_ENTRIES) -> None:
    """Remove the oldest entries beyond `most`: they are found, or made, again from the log."""
    while len(entries) > most:
        del entries[next(iter(entries))]
