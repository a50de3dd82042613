"""What is remembered without asking the log: the newest of it."""

from typing import Any

_MAX_ENTRIES = 256
"""Sessions, deliveries and worded notes."""


def evict_oldest(held: dict[str, Any]) -> None:
    """Let the oldest go: it is found, or made, again from the log."""
    while len(held) > _MAX_ENTRIES:
        del held[next(iter(held))]
