"""What is remembered without asking the log: the newest of it."""

from typing import Any

_HELD = 256
"""Sessions, deliveries and worded notes."""


def trim(held: dict[str, Any]) -> None:
    """Let the oldest go: it is found, or made, again from the log."""
    while len(held) > _HELD:
        del held[next(iter(held))]
