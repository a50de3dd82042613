"""The names that are spelt most like another."""

from collections.abc import Iterable


def find_near_names(
    name: str, names: Iterable[str], limit: int, likeness: float = 0.6
) -> list[str]:
    """Return at most `limit` of `names`, most like `name` first, of a `likeness` from 0 to 1 or more."""
    from difflib import (
        get_close_matches,  # a resident would keep it for a question that is seldom asked
    )

    return get_close_matches(name, list(names), n=limit, cutoff=likeness)
