"""Consolidate memories: merge those that say the same, and pin useful ones (seed 000 §7, §10).

Consolidation invents and deletes nothing. It appends records about others, and a second run finds
nothing to do.
"""

from collections import defaultdict
from dataclasses import dataclass

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.index.memories import memory_line_key
from hooklore.maintenance import janitor
from hooklore.maintenance.cleanup import all_reader_places
from hooklore.memories import pins
from hooklore.memories.append import append_or_raise
from hooklore.memories.control_draft import draft_control
from hooklore.memories.decisions.authorization import require_person
from hooklore.memories.usage import Usage, load_usage
from hooklore.prompt.pin_rule import is_auto_pinned, may_be_pinned, pin_length_problem
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.standing import RUNGS, is_above, rung_of
from hooklore.text.similarity import normalize_for_comparison

MIN_USEFUL_SESSIONS = 3
"""Sessions in which a memory must have been shown for a need before it is pinned (seed 002 §4, OpenClaw)."""

_MAX_MEMORIES = 10_000
_AUDIENCE_FIELDS = ("visibility", "is_private", "agent_id", "role", "session_id")


@dataclass(frozen=True, slots=True)
class ConsolidationResult:
    """The result of a consolidation.

    `conflicts` counts the newly recorded ones. `merged` has pairs of an ended memory and the one that
    says the same. `pinned` are the memories that were pinned.
    """

    conflicts: int
    merged: tuple[tuple[Record, Record], ...]
    pinned: tuple[Record, ...]


def consolidate(
    broker: Broker, who: Principal = PERSON, places: list[str] | None = None
) -> ConsolidationResult:
    """Consolidate the memories of `places`, by default of all.

    Raise HookloreError for an agent, StoreError when the log does not keep a record.
    """
    broker.refresh()
    require_person(who, "consolidate", "memory")
    reader = broker.as_reader(who)
    every = places or all_reader_places(broker, who)
    recorded = janitor.record_conflicts(broker, who, every)
    merged = [pair for place in every for pair in _find_repeated(reader, place)]
    append_or_raise(broker, [_draft_superseded(lost, kept) for lost, kept in merged])
    usage = load_usage(broker)
    useful = [record for place in every for record in _find_useful(reader, place, usage)]
    for record in useful:
        pins.pin(broker, record.id, who)
    return ConsolidationResult(recorded, tuple(merged), tuple(useful))


def _find_repeated(reader: Reader, place: str) -> list[tuple[Record, Record]]:
    """Return pairs of a memory without a key and the one of the same place that says the same."""
    same: dict[tuple[object, ...], list[Record]] = defaultdict(list)
    for record in reader.lookup(keys.memories_at(place), _MAX_MEMORIES):
        words = normalize_for_comparison(str(record.body.content_md))
        if words:
            same[(words, *_audience(record))].append(record)
    return [pair for records in same.values() for pair in _pairs(records)]


def _audience(record: Record) -> tuple[object, ...]:
    """Return the fields that decide who may read a memory, none for a public one."""
    if record.visibility == "public" and not record.is_private:
        return ()
    return tuple(record.extra(name) for name in _AUDIENCE_FIELDS)


def _pairs(records: list[Record]) -> list[tuple[Record, Record]]:
    kept = max(records, key=_keep_priority)
    return [
        (record, kept)
        for record in records
        if record is not kept
        and not record.dedupe_key
        and not _would_lose_information(kept, record)
    ]


def _keep_priority(record: Record) -> tuple[bool, int, bool, str]:
    """Return the order of memories that say the same: with a key, of the highest rung, sure, the newest."""
    return (
        bool(record.dedupe_key),
        -RUNGS.index(rung_of(record)),
        record.confidence == "high",
        record.id,
    )


def _would_lose_information(kept: Record, other: Record) -> bool:
    """Return whether the other memory has a confidence, basis, lifetime or tags that `kept` lacks."""
    return (
        versions.weaker_reason(kept, other) is not None
        or is_above(rung_of(other), rung_of(kept))
        or (kept.expires_at is not None and other.expires_at != kept.expires_at)
        or not set(other.body.tags) <= set(kept.body.tags)
    )


def _draft_superseded(lost: Record, kept: Record) -> Draft:
    body = Body.of(targets=[lost.id], by=kept.id)
    return draft_control("supersede", lost.scope, body, detail="consolidate", basis="tool")


def _find_useful(reader: Reader, place: str, usage: Usage) -> list[Record]:
    """Return memories that several sessions needed, that can be pinned, and that nobody pinned or unpinned."""
    marks = reader.pin_marks()
    return [
        record
        for record in reader.lookup(keys.memories_at(place), _MAX_MEMORIES)
        if usage.sessions(record.id) >= MIN_USEFUL_SESSIONS
        and memory_line_key(record) not in marks
        and may_be_pinned(record)
        and pin_length_problem(record) is None
        and not is_auto_pinned(record)
    ]
