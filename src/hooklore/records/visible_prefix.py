"""Leave hidden records out before a list is cut to its length: they must not crowd out visible ones."""

from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

_MORE = 4
MOST_RESULTS = 20_000

DEPTH_AROUND = 16
"""The results of superprojects, for each one that is wanted, among which rules and decisions are looked for.
Most of theirs are hidden from a submodule: to look for more would be to read all of them."""


def take_visible(
    find: Callable[[int], list[Found]],
    limit: int,
    may_see: Callable[[Found], bool],
    most: int = MOST_RESULTS,
) -> list[Found]:
    """Return the first `limit` results of `find`, in its order, that pass `may_see`."""
    return take_selected(find, limit, lambda found: [each for each in found if may_see(each)], most)


def take_selected(
    find: Callable[[int], list[Found]],
    limit: int,
    select: Callable[[list[Found]], list[Found]],
    most: int = MOST_RESULTS,
) -> list[Found]:
    """Return the first `limit` results of `find`, in its order, that `select` keeps of them.

    `find` is asked for more until enough results are kept or it has no more, and for `most` at the most.
    """
    asked = limit
    while True:
        found = find(asked)
        kept = select(found) if found else []
        if len(kept) >= limit or len(found) < asked or asked >= most:
            return kept[:limit]
        asked *= _MORE
