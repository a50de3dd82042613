"""Keep the newest entries of a cache that the log can fill again."""

from collections.abc import MutableMapping
from typing import TypeVar

Entry = TypeVar("Entry")

_MAX_ENTRIES = 256
"""Sessions, deliveries and worded notes."""


def evict_oldest(entries: MutableMapping[str, Entry]) -> None:
    """Remove the oldest entries: they are found, or made, again from the log."""
    while len(entries) > _MAX_ENTRIES:
        del entries[next(iter(entries))]
