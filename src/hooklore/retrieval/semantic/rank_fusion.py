"""Reciprocal rank fusion, for lists whose scores cannot be compared (seed 002 §4, row RF-21).

Our own lists are added score by score: fusion throws the gaps away and costs .04 of R@5. A foreign
index gives ranks worth no more than that.
"""

from collections.abc import Iterable, Sequence

RANK_CONSTANT = 60
"""How little the first places count above the rest (Cormack et al. 2009)."""


def fuse_rankings(
    lists: Iterable[Sequence[str]], k: int = RANK_CONSTANT, *, exact: Sequence[str] = ()
) -> list[str]:
    """Ids, best first, of ranked lists of ids: what has the greatest sum of 1 / (k + rank), ranks from 1.

    `exact` is what an exact key found: it goes first, in its order. Of two with the same sum the
    newer goes first: ids ascend with time. An id that one list has twice counts where it is first.
    """
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, id_ in enumerate(dict.fromkeys(ranked), 1):
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    by_age = sorted(scores, reverse=True)
    return list(dict.fromkeys((*exact, *sorted(by_age, key=lambda id_: -round(scores[id_], 12)))))
