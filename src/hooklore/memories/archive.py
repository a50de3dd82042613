"""Put memories into the archive, list them, and bring every one of them back (seed 004).

An archiving is a control record that ends a memory. A restored memory is appended again, byte for byte,
under a new id: the newest id still wins, and every index follows from the log.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError, NotFound
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.memories.append import OF_ONE_LINE, append_or_raise
from hooklore.memories.control_draft import draft_control
from hooklore.memories.decisions.authorization import require_person, require_possible
from hooklore.memories.decisions.replacement import (
    end_replaced,
    is_ended_by_words_alone,
    list_ended_by,
)
from hooklore.memories.dedupe_key import put_into_form
from hooklore.memories.entries import get_entry
from hooklore.memories.pins import reader_places
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION

MAX_ARCHIVE_TARGETS = 1_000
"""Ids in one archiving."""

TAKEN_BACK = "taken back: "
"""The beginning of the reason of an archiving that took back what an agent kept; its name follows."""

MADE_ROOM = "its successor was brought back"
"""The reason of an archiving of what stood while its successor was taken back."""

_MAX_ARCHIVINGS = 10_000
_MAX_ENDERS = 8
_AGAIN = "again"
_ID = re.compile(r"[0-9a-f]{4}[0-9a-f-]*|[0-9a-z]{8}")
"""The beginning of an id, or a short id."""

_NOT_RESTORED = OF_ONE_LINE | {"v", "resolves", "restates"}
"""Fields that a restored memory does not take over."""


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """A memory in the archive, with the time and the reason of its archiving."""

    record: Record
    archived_at: str
    reason: str


def archive_memory(
    broker: Broker, name: str, who: Principal = PERSON, places: list[str] | None = None
) -> Record:
    """Archive a memory by its key or id, and return it. Raise HookloreError for one that is not active."""
    record = require_active(broker, name, who, places, "archive")
    archive_records(broker, [record], "by hand")
    return record


def let_stand_again(broker: Broker, taken: Record) -> list[Record]:
    """Let the rules stand again that an archived rule had ended by its words, and return them.

    A rule that something else has ended too stays ended.
    """
    owner = broker.as_reader(PERSON)
    ended = [rule for rule in list_ended_by(owner, taken) if is_ended_by_words_alone(owner, rule)]
    drafts = [draft_restored(rule.without("dedupe_key"), broker.now(), _AGAIN) for rule in ended]
    append_or_raise(broker, drafts)
    return ended


def require_active(
    broker: Broker, name: str, who: Principal, places: list[str] | None, verb: str
) -> Record:
    """Return the memory in force that a key, an id or the beginning of an id names.

    Raise HookloreError for an agent and for a record that `verb` cannot be done to, NotFound for none.
    """
    broker.refresh()
    require_person(who, verb, name)
    reader = broker.as_reader(who)
    try:
        record = get_entry(reader, name, places or reader_places(reader.principal)).record
    except NotFound:
        raise
    except HookloreError:
        if not _ID.fullmatch(name.strip().lower()):
            raise
        record = get_record(reader, name)
    is_ended, problem = reader.is_ended(record), None
    if record.stream != "memory":
        problem = (
            f"it is no memory, but of kind {record.kind}",
            "run `hooklore list --stream memory`",
        )
    elif record.waits and not is_ended:
        problem = "it waits to be approved", f"run `hooklore reject {record.id}`"
    elif is_ended or not reader.is_current_version(record):
        problem = "it is not active", f"run `hooklore show {record.id}`"
    require_possible(verb, record, problem)
    return record


def archive_records(broker: Broker, records: list[Record], reason: str) -> None:
    """Archive memories. Raise StoreError when the log does not keep it."""
    append_or_raise(broker, _draft_archivings(records, reason))


def _draft_archivings(records: list[Record], reason: str) -> Iterator[Draft]:
    ids = [record.id for record in records]
    scopes = {record.scope for record in records}
    scope = scopes.pop() if len(scopes) == 1 else "global"
    for start in range(0, len(ids), MAX_ARCHIVE_TARGETS):
        part = ids[start : start + MAX_ARCHIVE_TARGETS]
        yield _draft_mark("archive", scope, part, reason=reason)


def take_back(
    broker: Broker,
    records: list[Record],
    reason: str,
    is_taken: Callable[[Record], bool],
    replaced: Iterable[Record] = (),
) -> list[Record]:
    """Archive memories, and return those that they had replaced and that stand again.

    Of earlier versions for which `is_taken` holds none stands again. `replaced` are marked with them: they do not
    stand, and shall not when their successors are taken back. Raise StoreError when the log does not keep it.
    """
    owner, now = broker.as_reader(PERSON), broker.now()
    again = {r.id: r for record in records for r in _replaced_by(owner, record, is_taken, now)}
    marks = _draft_archivings([*records, *replaced], reason)
    standing = (draft_restored(record, now, _AGAIN) for record in again.values())
    append_or_raise(broker, [*marks, *standing])
    return list(again.values())


def stands_again_for(record: Record, taken: Record) -> bool:
    """Return whether a memory is one that `take_back` let stand again in the place of `taken`."""
    is_again = str(record.extra("delivery_id") or "").endswith(f".{_AGAIN}")
    return is_again and str(record.restores) < str(taken.id)


def _replaced_by(
    owner: Reader, record: Record, is_taken: Callable[[Record], bool], now: str
) -> list[Record]:
    """Return what stands again without a memory: the version before it, and what it replaced by name."""
    if record.waits:
        return []  # it replaced nothing
    line, versions = version_line_key(record), owner.earlier_versions(record)
    of_line = [each for each in versions if line and version_line_key(each) == line]
    named = [each for each in versions if each not in of_line]
    found = (_newest_to_stand(owner, each, is_taken, now) for each in (of_line, named))
    return [each for each in found if each is not None]


def _newest_to_stand(
    owner: Reader, versions: list[Record], is_taken: Callable[[Record], bool], now: str
) -> Record | None:
    """Return the newest of `versions` that is not taken back, if it stood until it was replaced."""
    for each in versions:
        enders = owner.history(keys.end_of(each.id), _MAX_ENDERS)
        reasons = [str(ender.body.reason or "") for ender in enders if ender.stream != "memory"]
        has_made_room = reasons[:1] == [MADE_ROOM]
        is_taken_back = reasons and all(reason.startswith(TAKEN_BACK) for reason in reasons)
        if is_taken(each) or each.waits or (is_taken_back and not has_made_room):
            continue
        is_standing = not enders and owner.is_current_version(each)
        has_expired = isinstance(each.expires_at, str) and each.expires_at <= now
        is_ended = bool(reasons) and not has_made_room
        return None if is_standing or has_expired or is_ended else each
    return None


def list_archived(
    broker: Broker, who: Principal = PERSON, places: list[str] | None = None
) -> list[ArchivedMemory]:
    """Return the archived memories that `who` may read, the one archived last first.

    A key may be there several times. `places` are those to look in, None for all.
    """
    broker.refresh()
    owner, reader = broker.as_reader(PERSON), broker.as_reader(who)
    found: dict[str, ArchivedMemory] = {}
    for mark in owner.history(keys.ALL_ARCHIVES, _MAX_ARCHIVINGS):
        for id_ in mark.body.targets:
            record = reader.find_by_id(str(id_))
            if record is None or not is_archived(broker, record):
                continue
            if places is None or scope_key(record) in places:
                reason = str(mark.body.reason or "")
                found.setdefault(record.id, ArchivedMemory(record, mark.ts, reason))
    return list(found.values())


def is_archived(broker: Broker, record: Record) -> bool:
    """Return whether a memory is in the archive: neither restored nor deleted since."""
    owner = broker.as_reader(PERSON)
    kinds = {ender.kind for ender in owner.history(keys.end_of(record.id), _MAX_ENDERS)}
    is_there = "archive" in kinds and "tombstone" not in kinds
    return is_there and not owner.has(keys.restoration_of(record.id))


def restore_memory(
    broker: Broker, name: str, who: Principal = PERSON, places: list[str] | None = None
) -> Record:
    """Restore an archived memory by its key or id, and return the new record with the same text.

    A lifetime that has run out begins anew. Raise NotFound, or HookloreError for a memory that is not
    archived. Raise HookloreError also for a key that several archived memories or an active one have.
    """
    broker.refresh()
    require_person(who, "restore", name)
    record = _get_archived(broker, name, who, places)
    receipt = broker.append([draft_restored(record, broker.now())])[0]
    if receipt.status == "refused":
        line = version_line_key(record)
        other = broker.as_reader(who).latest_active_version(line)
        if other is not None:
            raise HookloreError(
                f"could not restore `{record.dedupe_key}`: an active entry has this key, `{other.id}`",
                fix=f"run `hooklore archive {other.id}` first, or leave it as it is",
            )
        raise HookloreError(
            f"could not restore `{record.id}`: {receipt.reason}",
            fix=f"run `hooklore show {record.id}`",
        )
    if receipt.status != "stored" or receipt.id is None:
        raise HookloreError(
            f"could not restore `{record.id}`: {receipt.reason or 'somebody else just did'}"
        )
    owner = broker.as_reader(PERSON)
    restored = owner.get(receipt.id)
    mark = _draft_mark("restore", restored.scope, [record.id], restored=restored.id)
    append_or_raise(broker, [mark])
    again = (owner.lookup(keys.restoration_of(r.id), 1) for r in list_ended_by(owner, record))
    end_replaced(broker, restored, [rule for found in again for rule in found])
    return owner.get(receipt.id)


def _get_archived(broker: Broker, name: str, who: Principal, places: list[str] | None) -> Record:
    every = list_archived(broker, who, places)
    found = [each.record for each in every if each.record.dedupe_key == put_into_form(name)]
    if len(found) > 1:
        raise HookloreError(
            f"could not restore `{name}`: {len(found)} archived entries have this key",
            fix="run `hooklore archive` for their ids, then `hooklore restore ID`",
        )
    if not found and _ID.fullmatch(name.strip().lower()):
        record = get_record(broker.as_reader(who), name)
        found = [each.record for each in every if each.record.id == record.id]
    if not found:
        raise HookloreError(
            f"could not restore `{name}`: it is not in the archive",
            fix="run `hooklore archive` for what is",
        )
    return found[0]


def draft_restored(record: Record, now: str, how: str = "restored") -> Draft:
    """Return the draft that says an archived memory again, as old as its first version was."""
    restored = record.without(*_NOT_RESTORED)
    expires, days = record.expires_at, record.ttl_days
    if how != _AGAIN and isinstance(expires, str) and expires < now:
        # A lifetime that has run out begins anew: its days from now, else for ever.
        end = datetime.fromisoformat(now) + timedelta(days=int(days)) if days else None
        until = end.strftime("%Y-%m-%dT%H:%M:%S.000Z") if end else None
        restored = restored.with_fields(expires_at=until)
    return Draft(restored.with_fields(
        v=SCHEMA_VERSION, restores=record.id, supersedes=record.id,
        created_at=record.created_at or record.ts, delivery_id=f"{record.id}.{how}",
    ))  # fmt: skip


def _draft_mark(kind: str, scope: str, targets: list[str], **more: str) -> Draft:
    return draft_control(kind, scope, Body.of(targets=targets, **more), detail=kind)
