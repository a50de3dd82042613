"""Fuse ranked lists whose scores cannot be compared, by reciprocal rank (seed 002 §4).

Our own lists are added score by score: fusion throws the gaps away and costs .04 of R@5. A foreign
index gives ranks that carry no more than that.
"""

from collections.abc import Iterable, Sequence

RANK_CONSTANT = 60
"""Larger constants reduce the advantage of the first places (Cormack et al. 2009)."""


def fuse_rankings(
    lists: Iterable[Sequence[str]], k: int = RANK_CONSTANT, *, exact: Sequence[str] = ()
) -> list[str]:
    """Return the ids of ranked lists by their sum of 1 / (k + rank), the largest first. Ranks begin at 1.

    `exact` are hits of an exact key: they go first, in their order. Of two ids with the same sum the
    newer goes first, because ids ascend with time. An id that one list has twice counts where it is first.
    """
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, id_ in enumerate(dict.fromkeys(ranked), 1):
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    by_age = sorted(scores, reverse=True)
    return list(dict.fromkeys((*exact, *sorted(by_age, key=lambda id_: -round(scores[id_], 12)))))
