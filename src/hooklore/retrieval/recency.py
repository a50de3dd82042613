"""What a record's age changes of its rank: nothing, unless the user says so (decision C34, rows RF-03, RF-24).

Measured, a blanket preference for the new costs recall; what is outdated is replaced instead.
"""

from collections.abc import Callable
from datetime import datetime

from hooklore.records.record import Record

Hit = tuple[float, Record]

_DAY = 86_400.0
STALE_AFTER_DAYS = 30.0
"""Days after which something that matters little may stand back."""


def days_since(ts: str, now: str) -> float:
    """Days from one moment to another (both RFC 3339); 0 for what is to come."""
    passed = datetime.fromisoformat(now) - datetime.fromisoformat(ts)
    return max(passed.total_seconds() / _DAY, 0.0)


def decay_score(score: float, age: float, half_life: float) -> float:
    """A score after `age` days: half of it after each `half_life` of them (seed 002 §4); 0 is for ever."""
    return score * 2.0 ** (-age / half_life) if half_life > 0 else score


def is_evergreen(record: Record) -> bool:
    """What was kept on purpose does not fade: it stands until something replaces it."""
    return record.stream == "memory"


def recorded_importance(record: Record) -> float:
    """How important a record was when it was recorded, from 0 to 1."""
    return record.prior or 0.0


def is_demoted(record: Record, age: float, floor: float) -> bool:
    """Whether a record goes behind all others: it is old, and less important than the floor."""
    return age > STALE_AFTER_DAYS and recorded_importance(record) < floor


def apply_recency_decay(found: list[Hit], now: str, half_life: float) -> list[Hit]:
    """(score, record), the scores with what age takes off: nothing without a half-life (in days)."""
    if not half_life:
        return found
    return [(_faded(score, record, now, half_life), record) for score, record in found]


def _faded(score: float, record: Record, now: str, half_life: float) -> float:
    if is_evergreen(record):
        return score
    return decay_score(score, days_since(str(record.ts), now), half_life)


def make_ranking_key(now: str, floor: float) -> Callable[[Hit], tuple[float, ...]]:
    """What hits are sorted by: the score, then importance, then the newest first.

    Where there is a floor, what stands back goes behind everything else.
    """

    def key(hit: Hit) -> tuple[float, ...]:
        score, record = hit
        back = bool(floor) and is_demoted(record, days_since(str(record.ts), now), floor)
        newness = int(str(record.id).replace("-", ""), 16)
        return (back, -score, -recorded_importance(record), -newness)

    return key
