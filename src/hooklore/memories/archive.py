"""The archive: memories put aside, every one of which can be brought back (seed 004; decisions C5, C6).

An archiving is a control record that ends a memory; restoring says the memory again, byte for byte,
under a new id, so that the newest id still wins and every index follows from the log.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.errors import HookloreError, NotFound, StoreError
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.memories.entries import get_entry
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import ACKNOWLEDGED, PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION

MAX_ARCHIVE_TARGETS = 1_000
"""Ids in one archiving."""

_MOST = 10_000
_ID = re.compile(r"[0-9a-f]{4}[0-9a-f-]*")
_OF_THE_RECORD = frozenset(
    "v id ts hash delivery_id natural_key resolves restates warnings".split()
)
"""Fields that a restored memory does not take over."""


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """A memory in the archive: since when, and why."""

    record: Record
    archived_at: str
    reason: str


def archive_memory(
    broker: Broker, name: str, who: Principal = PERSON, of: list[str] | None = None
) -> Record:
    """Put a memory aside, by its key or id; it. Raises HookloreError for what is not active."""
    record = require_active(broker, name, who, of, "archive")
    archive_records(broker, [record], "by hand")
    return record


def require_active(
    broker: Broker, name: str, who: Principal, of: list[str] | None, verb: str
) -> Record:
    """The memory in force that a key, an id or its beginning means. Raises HookloreError, NotFound."""
    broker.refresh()
    require_person(who, verb, name)
    record = _meant(broker, name, who, of)
    if record.stream != "memory":
        raise HookloreError(
            f"could not {verb} `{record.id}`: it is no memory, but of kind {record.kind}",
            fix="run `hooklore list --stream memory`",
        )
    if record.waits and not broker.view.has(keys.end_of(record.id)):
        raise HookloreError(
            f"could not {verb} `{record.id}`: it waits to be approved",
            fix=f"run `hooklore reject {record.id}`",
        )
    if broker.view.has(keys.end_of(record.id)) or not versions.is_current_version(
        broker.view, record
    ):
        raise HookloreError(
            f"could not {verb} `{record.id}`: it is not active",
            fix=f"run `hooklore show {record.id}`",
        )
    return record


def require_person(who: Principal, verb: str, name: str) -> None:
    """Raises HookloreError for an agent."""
    if not who.person:
        raise HookloreError(
            f"could not {verb} `{name}`: a person decides it", fix="ask the user to run it"
        )


def archive_records(broker: Broker, records: list[Record], reason: str) -> None:
    """Archive these memories. Raises StoreError when the log does not take it."""
    ids = [record.id for record in records]
    scopes = {record.scope for record in records}
    scope = scopes.pop() if len(scopes) == 1 else "global"
    parts = (
        ids[start : start + MAX_ARCHIVE_TARGETS]
        for start in range(0, len(ids), MAX_ARCHIVE_TARGETS)
    )
    append_or_raise(broker, (_control("archive", scope, part, reason=reason) for part in parts))


def list_archived(
    broker: Broker, who: Principal = PERSON, of: list[str] | None = None
) -> list[ArchivedMemory]:
    """What is in the archive and may be seen, archived last first; a key may be there several times."""
    broker.refresh()
    found: dict[str, ArchivedMemory] = {}
    for mark in broker.view.lookup(keys.ALL_ARCHIVES, _MOST):
        for id_ in mark.body.targets:
            record = versions.find_by_id(broker.view, str(id_))
            if record is None or not may_read(record, who) or not is_archived(broker, record):
                continue
            if of is None or scope_key(record) in of:
                reason = str(mark.body.reason or "")
                found.setdefault(record.id, ArchivedMemory(record, mark.ts, reason))
    return list(found.values())


def is_archived(broker: Broker, record: Record) -> bool:
    """Whether a memory is in the archive: not brought back, and not deleted since."""
    kinds = {other.kind for other in broker.view.lookup(keys.end_of(record.id), 8)}
    is_there = "archive" in kinds and "tombstone" not in kinds
    return is_there and not broker.view.has(keys.restoration_of(record.id))


def restore_memory(
    broker: Broker, name: str, who: Principal = PERSON, of: list[str] | None = None
) -> Record:
    """Bring a memory back, by its key or id; the active memory: its words, under a new id, as of now.

    A life that has ended since begins anew. Raises HookloreError: it is not in the archive, several
    are under this key, or an active entry has the key. NotFound.
    """
    broker.refresh()
    require_person(who, "restore", name)
    record = _in_archive(broker, name, who, of)
    receipt = broker.append([_again(record, broker.now())])[0]
    if receipt.status == "refused":
        _refuse(broker, record, receipt.reason)
    if receipt.status != "stored" or receipt.id is None:
        raise HookloreError(
            f"could not restore `{record.id}`: {receipt.reason or 'somebody else just did'}"
        )
    made = broker.get(receipt.id)
    append_or_raise(broker, [_control("restore", made.scope, [record.id], restored=made.id)])
    return broker.get(receipt.id)


def _in_archive(broker: Broker, name: str, who: Principal, of: list[str] | None) -> Record:
    every = list_archived(broker, who, of)
    found = [each.record for each in every if each.record.dedupe_key == name]
    if len(found) > 1:
        raise HookloreError(
            f"could not restore `{name}`: {len(found)} archived entries have this key",
            fix="run `hooklore archive` for their ids, then `hooklore restore ID`",
        )
    if not found and _ID.fullmatch(name.strip().lower()):
        record = get_record(broker, name, who)
        found = [each.record for each in every if each.record.id == record.id]
    if not found:
        raise HookloreError(
            f"could not restore `{name}`: it is not in the archive",
            fix="run `hooklore archive` for what is",
        )
    return found[0]


def _again(record: Record, now: str) -> Draft:
    """The same words, appended again: what it is, whose it is and since when stay."""
    kept = _with_new_life(record.without(*_OF_THE_RECORD), now)
    return Draft(kept.with_fields(
        v=SCHEMA_VERSION, restores=record.id, supersedes=record.id,
        created_at=record.created_at or record.ts, delivery_id=f"{record.id}.restored",
    ))  # fmt: skip


def _with_new_life(record: Record, now: str) -> Record:
    """How long it is to live when its time is over: as many days as it was given, else for ever."""
    expires, days = record.expires_at, record.ttl_days
    if not isinstance(expires, str) or expires >= now:
        return record
    if not days:
        return record.with_fields(expires_at=None)
    end = datetime.fromisoformat(now) + timedelta(days=int(days))
    return record.with_fields(expires_at=end.strftime("%Y-%m-%dT%H:%M:%S.000Z"))


def _refuse(broker: Broker, record: Record, reason: str | None) -> None:
    other = versions.latest_active_version(broker.view, version_line_key(record))
    if other is None:
        raise HookloreError(
            f"could not restore `{record.id}`: {reason}",
            fix=f"run `hooklore show {record.id}`",
        )
    raise HookloreError(
        f"could not restore `{record.dedupe_key}`: an active entry has this key, `{other.id}`",
        fix=f"run `hooklore archive {other.id}` first, or leave it as it is",
    )


def _meant(broker: Broker, name: str, who: Principal, of: list[str] | None) -> Record:
    try:
        return get_entry(broker, name, who, of).record
    except NotFound:
        raise
    except HookloreError:
        if not _ID.fullmatch(name.strip().lower()):
            raise
        return get_record(broker, name, who)


def _control(kind: str, scope: str, targets: list[str], **more: str) -> Draft:
    return Draft.of(
        v=SCHEMA_VERSION, stream="control", kind=kind, agent_id="person",
        scope=scope, basis="user", source={"system": "cli", "detail": kind},
        body=Body.of(targets=targets, **more),
    )  # fmt: skip


def append_or_raise(broker: Broker, drafts: Iterable[Draft]) -> None:
    """Append these, and see them. Raises StoreError when one is not kept."""
    given = list(drafts)
    for receipt in broker.append(given) if given else ():
        if receipt.status not in ACKNOWLEDGED:
            raise StoreError(str(broker.place.log), receipt.reason or receipt.status)
    broker.refresh()
