"""What may be cleaned up: memories whose time is over, and those that nobody has used (decisions C7, C8).

Cleaning up is archiving: nothing is lost, and a person says yes to it first (seed 000 §11).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Literal

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.broker.fetch import list_projects
from hooklore.index.memories import memory_line_key
from hooklore.memories import archive
from hooklore.memories.event_schema import KNOWN_AGENTS
from hooklore.memories.pins import reader_places
from hooklore.memories.usage import Usage, load_usage
from hooklore.prompt.pin_rule import is_auto_pinned
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record

KEEP_SCORE_THRESHOLD = 0.8
"""From this score on a memory is kept however long nobody uses it (seed 003)."""

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class CleanupCandidate:
    """A memory that may be cleaned up: it has `expired`, or is `unused`, `since` then."""

    record: Record
    reason: Literal["expired", "unused"]
    since: str


def find_cleanup_candidates(
    broker: Broker, who: Principal = PERSON, *, before: str | None = None, scope: str = "*"
) -> list[CleanupCandidate]:
    """Memories of these scopes that have expired, or were last written and read before a moment.

    `before` is RFC 3339 in UTC, by default `curated.unused_days` ago (seed 004); `scope` may have `*`
    and `?` in it. Pins, what was said to be for ever (`ttl_days` 0), and a score of .8 or more are
    kept however long unused.
    """
    broker.refresh()
    moment = before or _days_ago(broker.now(), broker.settings.curated.unused_days)
    read = load_usage(broker, moment)
    marks = versions.pin_marks(broker.view)
    found = []
    for record in _active(broker, who, scope):
        expires = record.expires_at
        if isinstance(expires, str) and expires < broker.now():
            found.append(CleanupCandidate(record, "expired", expires))
        elif not _is_exempt(record, marks) and _last_use(record, read) < moment:
            found.append(CleanupCandidate(record, "unused", _last_use(record, read)))
    return found


def clean_up(broker: Broker, found: list[CleanupCandidate], who: Principal = PERSON) -> int:
    """Archive these; how many. Raises HookloreError for an agent, StoreError."""
    archive.require_person(who, "clean up", f"{len(found)} memories")
    for reason in ("expired", "unused"):
        records = [each.record for each in found if each.reason == reason]
        if records:
            archive.archive_records(broker, records, reason)
    return len(found)


def _active(broker: Broker, who: Principal, scope: str) -> Iterator[Record]:
    """Memories that stand, expired or not, in the scopes that match."""
    for place in all_reader_places(broker, who):
        for record in broker.view.lookup(keys.memories_at(place), _MOST):
            if (
                fnmatchcase(str(record.scope), scope)
                and may_read(record, who)
                and not broker.view.has(keys.end_of(record.id))
                and versions.is_current_version(broker.view, record)
            ):
                yield record


def all_reader_places(broker: Broker, who: Principal) -> list[str]:
    """Where memories may be that `who` may read."""
    found = ["global", *(f"project:{project.id}" for project in list_projects(broker, who))]
    if who.person:
        names = ("person", *KNOWN_AGENTS, *broker.settings.curated.agents)
        found += [f"agent:{name}" for name in names]
    return list(dict.fromkeys([*found, *reader_places(who)]))


def _is_exempt(record: Record, marks: dict[str, bool]) -> bool:
    score = record.importance.get("score", 0)
    return (
        record.ttl_days is not None
        or marks.get(memory_line_key(record), is_auto_pinned(record))
        or score >= KEEP_SCORE_THRESHOLD
    )


def _last_use(record: Record, read: Usage) -> str:
    return max(str(record.ts), read.last.get(record.id, ""))


def _days_ago(now: str, days: int) -> str:
    moment = datetime.fromisoformat(now) - timedelta(days=days)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
