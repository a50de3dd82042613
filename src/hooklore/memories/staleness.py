"""What a reader should check before it relies on memory: contradictory or stale (seed 000 R-3)."""

from itertools import islice

from hooklore.broker import conflicts
from hooklore.broker.broker import Broker
from hooklore.index.record_keys import version_line_key
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.text.token_estimate import truncate_text

MAX_CHECKS = 3
"""Contradictions, and stale memories, that a brief tells of: the command lists the rest."""

Check = tuple[Record, str]
"""The record that is to be checked, and what is said of it."""


def list_checks(
    broker: Broker, who: Principal, places: list[str], most: int = MAX_CHECKS
) -> list[Check]:
    """What is contradictory, then what is stale, with the command that mends it."""
    every = (c for place in places for c in conflicts.open_conflicts(broker.view, who, place))
    clashing = islice(every, most)
    found: list[Check] = [(c.record, conflicts.describe_conflict(c)) for c in clashing]
    return [*found, *((r, _stale(r)) for r in list_stale(broker, who, places)[:most])]


def list_stale(
    broker: Broker, who: Principal, places: list[str], looked_at: int = 200
) -> list[Record]:
    """Keyed memories whose time is over, and that nothing has replaced."""
    now = broker.now()
    return [
        record
        for place in places
        for record in broker.view.lookup(keys.memories_at(place), looked_at)
        if _is_over(record, now)
        and may_read(record, who)
        and not broker.view.has(keys.end_of(record.id))
        and version_line_key(record)
    ]


def describe_check(broker: Broker, record: Record) -> str:
    """What a brief says of a record that is to be checked."""
    if record.stream == "memory":
        return _stale(record)
    conflict = conflicts.load_conflict(broker.view, record)
    return conflicts.describe_conflict(conflict) if conflict else str(record.body.text)


def _is_over(record: Record, now: str) -> bool:
    expires = record.expires_at
    return isinstance(expires, str) and expires < now


def _stale(record: Record) -> str:
    key = record.dedupe_key
    return (
        f"Out of date since {str(record.expires_at)[:10]}: "
        f"“{truncate_text(record.body.content_md, 160)}”. Ask the user, then "
        f"`hooklore remember --key {key} …` or `hooklore forget {record.id}`"
    )
