"""Count what a store holds: by day, by hook, and in bytes."""

from collections.abc import Iterator
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.index.catalog import Stat
from hooklore.log import quarantine
from hooklore.log.line import encode_line
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record


@dataclass(frozen=True, slots=True)
class DayStats:
    """One day (UTC) of a store: events recorded, bytes of the log, tokens put before a model."""

    day: str
    events: int = 0
    bytes: int = 0
    tokens: int = 0


def count_by_day(broker: Broker, who: Principal = PERSON) -> list[DayStats]:
    """Every day on which something was recorded, oldest first. The person's to know: all else is mixed in."""
    found: dict[str, DayStats] = {}
    for stat in _stats(broker, who):
        if stat.name.startswith("kind:"):
            old = found.get(stat.day, DayStats(stat.day))
            found[stat.day] = DayStats(
                stat.day, old.events + stat.events, old.bytes + stat.bytes, old.tokens + stat.tokens
            )
    return [found[day] for day in sorted(found)]


def last_hook_times(broker: Broker, who: Principal = PERSON) -> dict[str, str]:
    """Each hook that ever recorded something, and when it last did (RFC 3339, UTC)."""
    found: dict[str, str] = {}
    for stat in _stats(broker, who):
        if stat.name.startswith("hook:"):
            name = stat.name.removeprefix("hook:")
            found[name] = max(found.get(name, ""), stat.last)
    return found


def _stats(broker: Broker, who: Principal) -> Iterator[Stat]:
    """Counts of what is indexed, and of the tail that is not; nobody but the person is given any."""
    if not who.person:
        return
    yield from broker.stats(who)
    for _, record in broker.view.tail.records():
        if not may_read(record, who):
            continue
        day, size, tokens = record.ts[:10], _size(record), record.body.tokens
        shown = tokens if record.kind == "access" and isinstance(tokens, int) else 0
        yield Stat(day, f"kind:{record.kind}", 1, size, shown, record.ts)
        detail = record.source_detail
        if isinstance(detail, str) and detail.startswith("hook:"):
            yield Stat(day, detail, 1, size, 0, record.ts)


def _size(record: Record) -> int:
    return len(encode_line(record.without("hash")))


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """How much there is: bytes of the log, batches in the spool, pieces in quarantine, records unindexed."""

    bytes: int
    spooled: int
    quarantined: int
    unindexed: int
    problem: str | None


def measure_store(broker: Broker) -> StoreStatus:
    """What the store holds now."""
    return StoreStatus(
        broker.view.size(),
        broker.waiting_in_spool(),
        quarantine.count_quarantined(broker.place),
        broker.view.lag,
        broker.view.problem,
    )
