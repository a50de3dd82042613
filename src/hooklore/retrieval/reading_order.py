"""Order records as they are read: memories, then what happened."""

from collections.abc import Iterable, Sequence

from hooklore.records.record import Record
from hooklore.retrieval.recency import Hit

_LISTED_LAST = ("prompt", "session_start")
_NEAR_THE_BEST = 0.5
"""The share of the best score from which a memory is read before what ranks above it."""


def put_memories_first(records: Iterable[Record]) -> list[Record]:
    """Return memories, then what happened. Each keeps its order, which says how well it answers."""
    return sorted(records, key=lambda record: not _is_memory(record))


def order_for_listing(records: Iterable[Record]) -> list[Record]:
    """Return records that answer no question: memories, what happened, then prompts and starts of sessions.

    Where something was asked, a prompt may be what answers, so that its rank decides there.
    """
    return put_memories_first(sorted(records, key=lambda record: record.kind in _LISTED_LAST))


def select_for_reading(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Return at most `limit` hits, which are given best first, those of memories before the others.

    A memory that ranks below the first `limit` is among them where its score is near the best.
    """
    least = _NEAR_THE_BEST * max((score for score, _ in hits), default=0.0)
    chosen = [
        hit
        for rank, hit in enumerate(hits)
        if rank < limit or (_is_memory(hit[1]) and hit[0] >= least)
    ]
    return sorted(chosen, key=lambda hit: not _is_memory(hit[1]))[:limit]


def _is_memory(record: Record) -> bool:
    return record.stream == "memory"
