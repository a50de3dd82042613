"""The names that are spelt most like another."""

from collections.abc import Iterable


def find_near_names(
    name: str, names: Iterable[str], limit: int, likeness: float = 0.6
) -> list[str]:
    """Return at most `limit` of `names`, the most like `name` first.

    `likeness` is the least that counts, from 0 to 1 (the same).
    """
    import difflib  # a resident would keep it for a question that is seldom asked

    return difflib.get_close_matches(name, list(names), n=limit, cutoff=likeness)
