"""List the contradictory and stale memories that a reader should check first (seed 000 §4)."""

from itertools import islice

from hooklore.broker import conflicts
from hooklore.broker.principal_reader import Reader
from hooklore.index.record_keys import version_line_key
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.text.token_estimate import truncate_text

MAX_CHECKS = 3
"""Contradictions that a brief names, and as many stale memories."""

_MAX_MEMORIES = 200

Check = tuple[Record, str]
"""A record to be checked, and its description."""


def list_checks(
    reader: Reader, places: list[str], now: str, *, only_new: bool = False
) -> list[Check]:
    """Return contradictory records, then stale ones, each with the command that mends it.

    `now` is RFC 3339 in UTC. There are at most `MAX_CHECKS` of each sort. With `only_new` the conflicts are left
    out about which a session's start asked the user before.
    """
    every = (
        conflict
        for place in places
        for conflict in reader.open_conflicts(place)
        if not (only_new and reader.has(keys.asked_about(conflict.id)))
    )
    found: list[Check] = [
        (c.record, conflicts.describe_conflict(c)) for c in islice(every, MAX_CHECKS)
    ]
    return [
        *found,
        *((r, _describe_stale(r)) for r in list_stale(reader, places, now)[:MAX_CHECKS]),
    ]


def list_stale(reader: Reader, places: list[str], now: str) -> list[Record]:
    """Return keyed memories that have expired and that nothing has ended."""

    def read(shared: Reader) -> list[Record]:
        found = (r for p in places for r in shared.history(keys.memories_at(p), _MAX_MEMORIES))
        return [record for record in found if record.expires_at and version_line_key(record)]

    return [
        record
        for record in reader.derive(f"expiring {places}", read)
        if isinstance(record.expires_at, str)
        and record.expires_at < now
        and not reader.is_ended(record)
    ]


def describe_check(reader: Reader, record: Record) -> str:
    """Return the text by which a brief names a record to be checked."""
    if record.stream == "memory":
        return _describe_stale(record)
    conflict = reader.load_conflict(record)
    return conflicts.describe_conflict(conflict) if conflict else str(record.body.text)


def _describe_stale(record: Record) -> str:
    key = record.dedupe_key
    return (
        f"Out of date since {str(record.expires_at)[:10]}: "
        f"“{truncate_text(record.body.content_md, 160)}”. Ask the user, then "
        f"`hooklore remember --key {key} …` or `hooklore forget {record.id}`"
    )
