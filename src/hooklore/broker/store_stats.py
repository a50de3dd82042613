"""Count what a store holds: by day, by hook, and in bytes."""

from collections.abc import Iterator
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.index.catalog import Stat, count_record
from hooklore.index.record_keys import PREFIX
from hooklore.log import quarantine
from hooklore.log.line import encode_line


@dataclass(frozen=True, slots=True)
class DayStats:
    """Counts of one day (UTC): events recorded, bytes of the log, tokens put before a model."""

    day: str
    events: int = 0
    bytes: int = 0
    tokens: int = 0


def count_by_day(reader: Reader) -> list[DayStats]:
    """Return every day on which something was recorded, oldest first; empty for all but the person."""
    found: dict[str, DayStats] = {}
    for stat in _stats(reader):
        if stat.name.startswith("kind:"):
            old = found.get(stat.day, DayStats(stat.day))
            found[stat.day] = DayStats(
                stat.day, old.events + stat.events, old.bytes + stat.bytes, old.tokens + stat.tokens
            )
    return [found[day] for day in sorted(found)]


def count_by_kind(reader: Reader) -> dict[str, int]:
    """Return how many records of each kind the log has; empty for all but the person."""
    found: dict[str, int] = {}
    for stat in _stats(reader):
        if stat.name.startswith("kind:"):
            name = stat.name.removeprefix("kind:")
            found[name] = found.get(name, 0) + stat.events
    return found


def last_hook_times(reader: Reader) -> dict[str, str]:
    """Return each hook that ever recorded something, and when it last did (RFC 3339, UTC).

    A hook of another agent than the default one has its agent's id before its event.
    """
    found: dict[str, str] = {}
    for stat in _stats(reader):
        if stat.name.startswith(PREFIX):
            name = stat.name.removeprefix(PREFIX)
            found[name] = max(found.get(name, ""), stat.last)
    return found


def _stats(reader: Reader) -> Iterator[Stat]:
    """Yield counts of what is indexed and of the tail that is not: they mix all, so the person's alone."""
    if not reader.principal.person:
        return
    yield from reader.stats()
    for _, record in reader.unindexed_at():
        yield from count_record(record, len(encode_line(record.without("hash"))))


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """Bytes of the log, batches in the spool, pieces in quarantine, records that the index lacks."""

    bytes: int
    spooled: int
    quarantined: int
    unindexed: int
    problem: str | None


def measure_store(broker: Broker) -> StoreStatus:
    """Return how much the store holds now."""
    return StoreStatus(
        broker.log_size,
        broker.waiting_in_spool(),
        quarantine.count_quarantined(broker.place),
        broker.unindexed_count,
        broker.index_problem,
    )
