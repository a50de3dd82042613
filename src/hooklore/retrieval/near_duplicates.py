"""Near-duplicates: notes that have nearly all of their words in common."""

from hooklore.index.view import View
from hooklore.records.record import Record
from hooklore.retrieval.notes import quotable_text

_JACCARD_THRESHOLD = 0.8
"""From here on two notes are near-duplicates (Jaccard's coefficient of their terms)."""


def is_near_duplicate(one: set[str], other: set[str]) -> bool:
    """Whether notes with these terms are near-duplicates; what has no term is like nothing."""
    return bool(one or other) and len(one & other) / len(one | other) >= _JACCARD_THRESHOLD


def collapse_duplicates(records: list[Record], view: View) -> list[tuple[Record, int]]:
    """Near-duplicates as one: the best of them stands for the rest, and says how many they are."""
    kept: list[tuple[Record, set[str]]] = []
    counts: list[int] = []
    for record in records:
        own = set(view.terms(quotable_text(record)))
        same = (i for i, (_, other) in enumerate(kept) if is_near_duplicate(own, other))
        place = next(same, None)
        if place is None:
            kept.append((record, own))
            counts.append(1)
        else:
            counts[place] += 1
    return [(record, count) for (record, _), count in zip(kept, counts, strict=True)]
