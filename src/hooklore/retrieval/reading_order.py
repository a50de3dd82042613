"""Order records as they are read: memories, then what happened, then prompts and the starts of sessions."""

from collections.abc import Iterable, Sequence

from hooklore.records.record import Record
from hooklore.retrieval.recency import Hit

_READ_LAST = ("prompt", "session_start")
_NEAR_THE_BEST = 0.5
"""The share of the best score from which a memory is read before what ranks above it."""


def order_for_reading(records: Iterable[Record]) -> list[Record]:
    """Return records in the order of reading. Those of one sort keep theirs."""
    return sorted(records, key=_place)


def select_for_reading(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Return at most `limit` hits, given best first, in the order of reading.

    A memory that ranks below the first `limit` is among them where its score is near the best.
    """
    least = _NEAR_THE_BEST * max((score for score, _ in hits), default=0.0)
    chosen = [
        hit
        for rank, hit in enumerate(hits)
        if rank < limit or (hit[1].stream == "memory" and hit[0] >= least)
    ]
    return sorted(chosen, key=lambda hit: _place(hit[1]))[:limit]


def _place(record: Record) -> int:
    if record.stream == "memory":
        return 0
    return 1 + (_READ_LAST.index(record.kind) + 1 if record.kind in _READ_LAST else 0)
