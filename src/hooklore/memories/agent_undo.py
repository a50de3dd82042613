"""Take back all that an agent wrote on purpose, and bring it back: one step each, and nothing is deleted."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError, StoreError
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.memories.append import append_or_raise
from hooklore.memories.archive import (
    MADE_ROOM,
    TAKEN_BACK,
    archive_records,
    list_archived,
    restore_memory,
    stands_again_for,
    take_back,
)
from hooklore.memories.corroboration import is_without, names_of, with_name_again, without_name
from hooklore.memories.decisions.approval_queue import list_pending
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Record
from hooklore.records.standing import is_confirmed, may_replace, rung_of
from hooklore.redaction.id_redaction import redact_id
from hooklore.text.similarity import is_same_text

_MAX_WRITES = 10_000


@dataclass(frozen=True, slots=True)
class AgentWrites:
    """The choice of an agent's deliberate writes: since a moment (RFC 3339 in UTC) and in a session, where named.

    With `through` also what it kept as the user's word.
    """

    agent_id: str
    since: str | None = None
    session: str | None = None
    through: bool = False

    def have(self, owner: Reader, record: Record) -> bool:
        """Return whether a memory is among them. What the user said or confirmed never is."""
        rung = rung_of(record)
        if record.stream != "memory" or is_confirmed(record) or rung == "user":
            return False
        if rung == "through" and not self.through:
            return False
        if (record.through or record.agent_id) != self.agent_id:
            return False
        if self.session is not None and record.session_id != redact_id(self.session):
            return False
        return self.since is None or str(_first_said(owner, record).ts) >= self.since


def _first_said(owner: Reader, record: Record) -> Record:
    """Return the record that a memory restores, over however many times."""
    earlier = owner.find_by_id(str(record.restores)) if record.restores else None
    return _first_said(owner, earlier) if earlier and earlier.id < record.id else record


def list_writes(broker: Broker, writes: AgentWrites) -> list[Record]:
    """Return the memories of an agent that stand or wait, newest first."""
    broker.refresh()
    owner = broker.as_reader(PERSON)
    standing = (r for r in owner.newest() if writes.have(owner, r) and owner.is_in_force(r))
    waiting = (record for record in list_pending(owner) if writes.have(owner, record))
    return sorted((*standing, *waiting), key=lambda record: record.id, reverse=True)


def list_replaced(broker: Broker, writes: AgentWrites) -> list[Record]:
    """Return the memories of an agent that another version has replaced, newest first."""
    owner = broker.as_reader(PERSON)
    return [
        record
        for record in owner.history(keys.kept_by(writes.agent_id), _MAX_WRITES)
        if writes.have(owner, record)
        and owner.superseded_by(record) is not None
        and all(r.stream == "memory" for r in owner.history(keys.end_of(record.id)))
    ]


def list_confirmed(broker: Broker, writes: AgentWrites) -> list[Record]:
    """Return the memories in force of other agents that the agent said as well, in the span that is named."""
    owner = broker.as_reader(PERSON)
    return [
        record
        for record in owner.newest()
        if writes.agent_id in record.also_said_by
        and any(writes.have(owner, each) for each in owner.earlier_versions(record))
        and owner.is_in_force(record)
    ]


def take_back_writes(broker: Broker, writes: AgentWrites, found: list[Record]) -> list[Record]:
    """Set the memories `found` aside, and return those that they had replaced and that stand again.

    What another agent said as well stays, as that agent's word alone. What others have replaced since does not
    stand again without them. Raise StoreError when the log does not keep it.
    """
    owner, replaced = broker.as_reader(PERSON), list_replaced(broker, writes)
    reason, is_taken = TAKEN_BACK + writes.agent_id, partial(writes.have, owner)
    again = take_back(broker, found, reason, is_taken, replaced)
    broker.refresh()
    confirmed = list_confirmed(broker, writes)
    append_or_raise(broker, [Draft(without_name(r, writes.agent_id)) for r in confirmed])
    return again


def list_taken_back(broker: Broker, writes: AgentWrites) -> list[Record]:
    """Return the memories of an agent that were taken back, the one taken back last first.

    Of several versions that is the newest, unless another stands in its place.
    """
    reason, owner = TAKEN_BACK + writes.agent_id, broker.as_reader(PERSON)
    archived = (each.record for each in list_archived(broker) if each.reason == reason)
    found = {record.id: record for record in archived if writes.have(owner, record)}
    newest = {
        version_line_key(r) or r.id: r for r in sorted(found.values(), key=lambda r: str(r.id))
    }
    return [
        record
        for record in found.values()
        if newest[version_line_key(record) or record.id] is record
        and not _has_successor(owner, record, found)
    ]


def _has_successor(owner: Reader, record: Record, found: Collection[str]) -> bool:
    """Return whether a later version of a memory stands, or is one of `found`."""
    later = (r for r in owner.history(keys.end_of(record.id)) if r.stream == "memory")
    return any(
        each.id in found or owner.is_in_force(each) or _has_successor(owner, each, found)
        for each in later
        if each.id > record.id
    )


def list_unnamed(broker: Broker, writes: AgentWrites) -> list[Record]:
    """Return the memories in force of other agents from which this agent's name was taken."""
    owner, name = broker.as_reader(PERSON), writes.agent_id
    found = []
    for record in owner.newest():
        if (
            rung_of(record) == "agent"
            and name not in names_of(record)
            and owner.is_in_force(record)
        ):
            versions = [record, *owner.earlier_versions(record)]
            was_taken = any(is_without(each, name) for each in versions)
            if was_taken and any(writes.have(owner, each) for each in versions):
                found.append(record)
    return found


def bring_back(
    broker: Broker, writes: AgentWrites, found: Iterable[Record]
) -> tuple[list[Record], list[Record]]:
    """Restore memories that were taken back, the oldest first; return the new records, and what found no room.

    What stood again in the place of one makes room for it. A memory stays where it is when its key has another
    since, or when somebody said the same anew. Raise StoreError when the log does not keep it.
    """
    restored: list[Record] = []
    left: list[Record] = []
    for record in sorted(found, key=lambda each: each.id):
        restoration = _restore(broker, record)
        (left if restoration is None else restored).append(restoration or record)
    unnamed = list_unnamed(broker, writes)
    append_or_raise(broker, [Draft(with_name_again(r, writes.agent_id)) for r in unnamed])
    return restored, left


def _restore(broker: Broker, record: Record) -> Record | None:
    """Restore one memory where there is room for it."""
    _make_room(broker, record)
    owner, text = broker.as_reader(PERSON), record.body.content_md
    standing = owner.lookup(keys.memories_at(scope_key(record)), _MAX_WRITES)
    same = (r for r in standing if r.dedupe_key == record.dedupe_key)
    if not record.waits and any(is_same_text(r.body.content_md, text) for r in same):
        return None  # somebody said it anew
    try:
        return restore_memory(broker, record.id)
    except StoreError:
        raise
    except HookloreError:
        return None


def _make_room(broker: Broker, record: Record) -> None:
    """Archive what stood again in the place of a memory: on its line, or as what it replaced by name."""
    owner = broker.as_reader(PERSON)
    named = keys.restoration_of(record.supersedes) if record.supersedes else ""
    standing = [
        owner.latest_active_version(version_line_key(record)),
        *(owner.lookup(named) if named else ()),
    ]
    for current in standing:
        if current is None or record.waits or not stands_again_for(current, record):
            continue
        if may_replace(record, current) and owner.is_in_force(current):
            archive_records(broker, [current], MADE_ROOM)
