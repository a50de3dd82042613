"""What a reader may not see is left out before a list is cut to its length (design §6)."""

from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

_MORE = 4
_MOST = 20_000


def take_visible(
    find: Callable[[int], list[Found]], limit: int, may_see: Callable[[Found], bool]
) -> list[Found]:
    """The first `limit` of what `find` brings, in its order, that pass `may_see`.

    `find` is asked for more until there are enough or it has no more: what is hidden must not crowd
    out what is not.
    """
    asked = limit
    while True:
        found = find(asked)
        kept = [each for each in found if may_see(each)]
        if len(kept) >= limit or len(found) < asked or asked >= _MOST:
            return kept[:limit]
        asked *= _MORE
