"""Rank by age and importance: age changes nothing unless the user asks for it.

Measured, a blanket preference for new records costs recall. Outdated memories are replaced instead.
"""

from collections.abc import Callable
from datetime import datetime

from hooklore.records.record import Record

Hit = tuple[float, Record]
"""A record with its score."""

_DAY = 86_400.0
STALE_AFTER_DAYS = 30.0
"""Days after which an unimportant record may be demoted."""


def days_since(ts: str, now: str) -> float:
    """Return the days from `ts` to `now` (both RFC 3339), 0 for a future `ts`."""
    passed = datetime.fromisoformat(now) - datetime.fromisoformat(ts)
    return max(passed.total_seconds() / _DAY, 0.0)


def decay_score(score: float, age: float, half_life: float) -> float:
    """Return a score after `age` days, halved every `half_life` days (seed 002 §4). 0 means no decay."""
    return score * 2.0 ** (-age / half_life) if half_life > 0 else score


def is_evergreen(record: Record) -> bool:
    """Return whether a record does not decay: a memory holds until another memory replaces it."""
    return record.stream == "memory"


def recorded_importance(record: Record) -> float:
    """Return how important a record was when it was recorded, from 0 to 1."""
    return record.prior or 0.0


def is_demoted(record: Record, age: float, floor: float) -> bool:
    """Return whether a record is ranked behind all others: it is old, and less important than `floor`."""
    return age > STALE_AFTER_DAYS and recorded_importance(record) < floor


def apply_recency_decay(hits: list[Hit], now: str, half_life: float) -> list[Hit]:
    """Return hits with decayed scores, or `hits` as they are when `half_life` (days) is 0."""
    if not half_life:
        return hits
    return [(_decayed_score(score, record, now, half_life), record) for score, record in hits]


def _decayed_score(score: float, record: Record, now: str, half_life: float) -> float:
    if is_evergreen(record):
        return score
    return decay_score(score, days_since(str(record.ts), now), half_life)


def make_ranking_key(now: str, floor: float) -> Callable[[Hit], tuple[float, ...]]:
    """Return the sort key of hits: by score, then by importance, then the newest first.

    With an importance `floor`, demoted records go behind all others.
    """

    def key(hit: Hit) -> tuple[float, ...]:
        score, record = hit
        demoted = bool(floor) and is_demoted(record, days_since(str(record.ts), now), floor)
        newness = int(str(record.id).replace("-", ""), 16)
        return (demoted, -score, -recorded_importance(record), -newness)

    return key
