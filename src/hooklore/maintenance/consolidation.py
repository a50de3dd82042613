"""Consolidation: what is said twice becomes one, what proved useful is pinned (seed 000 §7, §10).

Nothing is made up and nothing deleted: records about others are appended, and a second run finds
nothing left to do.
"""

from collections import defaultdict
from dataclasses import dataclass

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.index.memories import memory_line_key
from hooklore.maintenance import janitor
from hooklore.maintenance.cleanup import all_reader_places
from hooklore.memories import archive, pin_commands
from hooklore.memories.usage import Usage, load_usage
from hooklore.prompt.pin_rule import is_auto_pinned, may_be_pinned, pin_length_problem
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.text.similarity import normalize_for_comparison

MIN_USEFUL_SESSIONS = 3
"""A memory that bore on something in so many sessions is pinned (decision C29)."""

_MOST = 10_000
_READERS = ("visibility", "is_private", "agent_id", "role", "session_id")


@dataclass(frozen=True, slots=True)
class ConsolidationResult:
    """What was done: conflicts recorded, (what ended, what says the same) and what was pinned."""

    conflicts: int
    merged: tuple[tuple[Record, Record], ...]
    pinned: tuple[Record, ...]


def consolidate(
    broker: Broker, who: Principal = PERSON, of: list[str] | None = None
) -> ConsolidationResult:
    """Consolidate these places, by default all. Raises HookloreError for an agent, StoreError."""
    broker.refresh()
    archive.require_person(who, "consolidate", "memory")
    places = of or all_reader_places(broker, who)
    recorded = janitor.record_conflicts(broker, who, places)
    merged = [pair for place in places for pair in _repeated(broker, who, place)]
    archive.append_or_raise(broker, [_superseded(lost, kept) for lost, kept in merged])
    read = load_usage(broker)
    useful = [record for place in places for record in _useful(broker, who, place, read)]
    for record in useful:
        pin_commands.pin(broker, record.id, who)
    return ConsolidationResult(recorded, tuple(merged), tuple(useful))


def _repeated(broker: Broker, who: Principal, place: str) -> list[tuple[Record, Record]]:
    """(memory without a key, the one that says the same and stays) of one place."""
    same: dict[tuple[object, ...], list[Record]] = defaultdict(list)
    for record in broker.lookup(keys.memories_at(place), who, _MOST):
        words = normalize_for_comparison(str(record.body.content_md))
        if words:
            same[(words, *_readers(record))].append(record)
    return [pair for records in same.values() for pair in _pairs(records)]


def _readers(record: Record) -> tuple[object, ...]:
    """Who may read a memory; whoever said it, when everybody may."""
    if record.visibility == "public" and not record.is_private:
        return ()
    return tuple(record.extra(name) for name in _READERS)


def _pairs(records: list[Record]) -> list[tuple[Record, Record]]:
    kept = max(records, key=_keep_priority)
    return [
        (record, kept)
        for record in records
        if record is not kept
        and not record.dedupe_key
        and not _would_lose_information(kept, record)
    ]


def _keep_priority(record: Record) -> tuple[bool, bool, bool, str]:
    """Of several that say the same: with a key, said by the user, sure, the newest."""
    return (
        bool(record.dedupe_key),
        record.basis == "user",
        record.confidence == "high",
        record.id,
    )


def _would_lose_information(kept: Record, other: Record) -> bool:
    """Whether something would be lost with the other: its confidence, its basis, its life, its tags."""
    return (
        versions.weaker_reason(kept, other) is not None
        or (other.basis == "user" != kept.basis)
        or (kept.expires_at is not None and other.expires_at != kept.expires_at)
        or not set(other.body.tags) <= set(kept.body.tags)
    )


def _superseded(lost: Record, kept: Record) -> Draft:
    return Draft.of(
        v=SCHEMA_VERSION, stream="control", kind="supersede", agent_id="person",
        scope=lost.scope, basis="tool", source={"system": "cli", "detail": "consolidate"},
        body=Body.of(targets=[lost.id], by=kept.id),
    )  # fmt: skip


def _useful(broker: Broker, who: Principal, place: str, read: Usage) -> list[Record]:
    """What bore on something in several sessions, can be a pin, and of which nobody has said yes or no."""
    marks = versions.pin_marks(broker.view)
    return [
        record
        for record in broker.lookup(keys.memories_at(place), who, _MOST)
        if read.sessions(record.id) >= MIN_USEFUL_SESSIONS
        and memory_line_key(record) not in marks
        and may_be_pinned(record)
        and pin_length_problem(record) is None
        and not is_auto_pinned(record)
    ]
