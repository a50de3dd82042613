"""The type of a JSON value of any shape, and a walk over its strings."""

from collections.abc import Iterator
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def strings_of(value: object) -> Iterator[str]:
    """Yield every string of a JSON value, keys left out, without recursion."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, list | tuple):
            pending += item
