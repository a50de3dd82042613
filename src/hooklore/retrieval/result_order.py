"""Order records that were found: by age and importance, and memories before what happened.

Age changes nothing unless the user asks for it: measured, a blanket preference for new records costs recall.
Outdated memories are replaced instead.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from hooklore.broker.principal_reader import Reader
from hooklore.records.ids import unpack_id
from hooklore.records.record import Record

Hit = tuple[float, Record]
"""A record with its score."""

STALE_DAYS = 14
"""Days after which work that nobody touched is told to those alone who ask for it."""

_DAY = 86_400.0
_DEMOTED_AFTER = 30.0
"""Days after which an unimportant record may be demoted."""

_LISTED_LAST = ("prompt", "session_start")
_NEAR_THE_BEST = 0.5
"""The share of the best score from which a memory is read before what ranks above it."""


def days_since(ts: str, now: str) -> float:
    """Return the days from `ts` to `now` (both RFC 3339), 0 for a future `ts`."""
    passed = datetime.fromisoformat(now) - datetime.fromisoformat(ts)
    return max(passed.total_seconds() / _DAY, 0.0)


def age_in_days(reader: Reader, record: Record, before: str | None = None) -> int:
    """Return how many days old a record is now, or was when the id `before` was the next."""
    if before is None:
        return int(days_since(record.ts, reader.now()))
    then = datetime.fromtimestamp(unpack_id(before)[0] / 1000, UTC)
    return int(days_since(record.ts, then.isoformat()))


def apply_recency_decay(hits: list[Hit], now: str, half_life: float) -> list[Hit]:
    """Return hits with scores that are halved every `half_life` days (seed 002 §4), with 0 as they are.

    A memory does not decay: it holds until another one replaces it.
    """
    if not half_life:
        return hits
    return [
        (
            score
            if record.stream == "memory"
            else score * 2.0 ** (-days_since(str(record.ts), now) / half_life),
            record,
        )
        for score, record in hits
    ]


def is_demoted(record: Record, age: float, floor: float) -> bool:
    """Return whether a record is ranked behind all others: it is old, and less important than `floor`."""
    return age > _DEMOTED_AFTER and (record.prior or 0.0) < floor


def make_ranking_key(now: str, floor: float) -> Callable[[Hit], tuple[float, ...]]:
    """Return the sort key of hits: by score, then by importance, then the newest first.

    With an importance `floor`, demoted records go behind all others.
    """

    def key(hit: Hit) -> tuple[float, ...]:
        score, record = hit
        demoted = bool(floor) and is_demoted(record, days_since(str(record.ts), now), floor)
        newness = int(str(record.id).replace("-", ""), 16)
        return (demoted, -score, -(record.prior or 0.0), -newness)

    return key


def put_memories_first(records: Iterable[Record]) -> list[Record]:
    """Return memories, then what happened. Each keeps its order, which says how well it answers."""
    return sorted(records, key=lambda record: record.stream != "memory")


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
        if rank < limit or (hit[1].stream == "memory" and hit[0] >= least)
    ]
    return sorted(chosen, key=lambda hit: hit[1].stream != "memory")[:limit]
