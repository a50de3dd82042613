"""Find memories to clean up, those that have expired and those that nobody uses, and archive them.

Archiving loses nothing, and a person approves it first (seed 000 §11).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Literal, get_args

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import list_projects
from hooklore.broker.principal_reader import Reader
from hooklore.index.memories import memory_line_key
from hooklore.instructions.extract import extract_instructions
from hooklore.memories.agent_registry import registered_agents
from hooklore.memories.archive import archive_records
from hooklore.memories.decisions.approval_queue import list_pending
from hooklore.memories.decisions.authorization import require_person
from hooklore.memories.live_scores import ScoreFile
from hooklore.memories.pins import reader_places
from hooklore.memories.usage import load_usage
from hooklore.prompt.pin_rule import is_auto_pinned
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record, is_from_memory_file
from hooklore.records.schema import FROM_A_PROMPT
from hooklore.text.plural import format_count

KEEP_SCORE_THRESHOLD = 0.8
"""Importance from which a memory is kept, however long nobody uses it (seed 003)."""

_MAX_MEMORIES = 10_000


Reason = Literal["expired", "unused", "older rule"]
_REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True, slots=True)
class CleanupCandidate:
    """A memory that may be archived: expired or unused since `since`, or learnt then by an older rule."""

    record: Record
    reason: Reason
    since: str


def find_cleanup_candidates(
    broker: Broker, who: Principal = PERSON, *, before: str | None = None, scope: str = "*"
) -> list[CleanupCandidate]:
    """Return the memories that have expired, that ten sessions did not use, or that nobody read since `before`.

    `before` is RFC 3339 in UTC, by default `curated.unused_days` ago (seed 004). `scope` may contain
    `*` and `?`. What rules of an older version learnt is among them, waiting or not, unless a person pinned
    it. Unused memories are kept if they are pinned, have a `ttl_days` of their own, or reach
    `KEEP_SCORE_THRESHOLD`. What matters least comes first, by the live score.
    """
    broker.refresh()
    reader = broker.as_reader(who)
    moment = before or _days_ago(broker.now(), broker.settings.curated.unused_days)
    usage = load_usage(broker, moment)
    marks = reader.pin_marks()
    scores = ScoreFile(broker.place).load()
    found: list[CleanupCandidate] = []
    for record in _list_active(reader, all_reader_places(broker, who), scope):
        last_use = max(str(record.ts), usage.last.get(record.id, ""))
        is_unused = last_use < moment or record.id in scores.unused
        ended = _find_end(record, broker.now(), marks)
        if ended is not None:
            found.append(ended)
        elif is_unused and not _is_exempt(record, marks):
            found.append(CleanupCandidate(record, "unused", last_use))
    found += [
        CleanupCandidate(record, "older rule", str(record.ts))
        for record in list_pending(reader)
        if _is_of_older_rules(record) and fnmatchcase(str(record.scope), scope)
    ]
    return sorted(found, key=lambda each: scores.by_id.get(each.record.id, 0.0))


def _find_end(record: Record, now: str, marks: Mapping[str, bool]) -> CleanupCandidate | None:
    """Return a memory whose life is over, or that a rule of an older version learnt; None for any other."""
    expires = record.expires_at
    if isinstance(expires, str) and expires < now:
        return CleanupCandidate(record, "expired", expires)
    if not marks.get(memory_line_key(record)) and _is_of_older_rules(record):
        return CleanupCandidate(record, "older rule", str(record.ts))
    return None


def _is_of_older_rules(record: Record) -> bool:
    """Return whether a memory was learnt without a person, by a rule which today's version no longer has.

    Those rules read prompts of real projects with a precision of .15 to .23, and cut an agent's memory files into
    one memory a line. What a person approved is theirs.
    """
    if record.approves or record.stream != "memory":
        return False
    if is_from_memory_file(record):
        return not record.source.get("thread_id")
    is_learnt = str(record.source_detail or "").partition(":")[0] == FROM_A_PROMPT
    return is_learnt and not extract_instructions(record.body.content_md, with_answers=True)


def clean_up(broker: Broker, found: list[CleanupCandidate], who: Principal = PERSON) -> int:
    """Archive candidates, and return how many. Raise HookloreError for an agent, or StoreError."""
    require_person(who, "clean up", format_count(len(found), "memory"))
    for reason in _REASONS:
        records = [each.record for each in found if each.reason == reason]
        if records:
            archive_records(broker, records, reason)
    return len(found)


def _list_active(reader: Reader, places: list[str], scope: str) -> Iterator[Record]:
    """Yield the current memories of the scopes that match, expired or not."""
    for place in places:
        for record in reader.history(keys.memories_at(place), _MAX_MEMORIES):
            if (
                fnmatchcase(str(record.scope), scope)
                and not reader.is_ended(record)
                and reader.is_current_version(record)
            ):
                yield record


def all_reader_places(broker: Broker, who: Principal) -> list[str]:
    """Return every place that may have memories which `who` may read."""
    projects = list_projects(broker.as_reader(who))
    found = ["global", *(f"project:{project.id}" for project in projects)]
    if who.person:
        found += [f"agent:{name}" for name in ("person", *registered_agents(broker.settings))]
    return list(dict.fromkeys([*found, *reader_places(who)]))


def _is_exempt(record: Record, marks: Mapping[str, bool]) -> bool:
    score = record.importance.get("score", 0)
    return (
        record.ttl_days is not None
        or marks.get(memory_line_key(record), is_auto_pinned(record))
        or score >= KEEP_SCORE_THRESHOLD
    )


def _days_ago(now: str, days: int) -> str:
    moment = datetime.fromisoformat(now) - timedelta(days=days)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
