"""The age of a record in days."""

from datetime import UTC, datetime

from hooklore.broker.principal_reader import Reader
from hooklore.records.ids import unpack_id
from hooklore.records.record import Record
from hooklore.retrieval.recency import days_since

STALE_DAYS = 14
"""Days after which work that nobody touched is told to those alone who ask for it."""


def age_in_days(reader: Reader, record: Record, before: str | None = None) -> int:
    """Return how many days old a record is now, or was when the id `before` was the next."""
    if before is None:
        return int(days_since(record.ts, reader.now()))
    then = datetime.fromtimestamp(unpack_id(before)[0] / 1000, UTC)
    return int(days_since(record.ts, then.isoformat()))
