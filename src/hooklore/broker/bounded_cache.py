"""Keep the newest entries of a cache that the log can fill again."""

from typing import Any

_MAX_ENTRIES = 256
"""Sessions, deliveries and worded notes."""


def evict_oldest(held: dict[str, Any]) -> None:
    """Remove the oldest entries: they are found, or made, again from the log."""
    while len(held) > _MAX_ENTRIES:
        del held[next(iter(held))]
