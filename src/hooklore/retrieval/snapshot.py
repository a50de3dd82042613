"""Take a snapshot: pins, then recent memories, and an id by which both can be listed again (seed 000 §4)."""

import uuid
from dataclasses import dataclass, replace

from hooklore.broker.broker import Broker
from hooklore.broker.leading import lead
from hooklore.errors import NotFound
from hooklore.memories.decisions.checks import Check, list_checks
from hooklore.memories.pins import Pins, list_memories, reader_places, select_pins
from hooklore.memories.scope import NoSuchProject, find_project_id, require_own_scope
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.retrieval.access_report import AccessReport, describe_access
from hooklore.text.token_estimate import estimate_tokens

MAX_RECENT = 50


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The memories that a run begins with: `pinned_md` first, then `recent`, the newest first.

    `checks` are contradictions and stale memories, each with the command that mends it.
    `ruleset_stamp` names the rules by which the snapshot was made. `snapshot_id` leads to exactly
    these records again.
    """

    snapshot_id: str
    ruleset_stamp: str
    ts: str
    pins: Pins
    recent: tuple[Record, ...]
    checks: tuple[Check, ...]

    @property
    def pinned_md(self) -> str:
        """The pins, one bullet each."""
        return self.pins.markdown

    @property
    def ids(self) -> list[str]:
        """The ids of all its records, in the order of reading."""
        records = [*self.pins.records, *(r for r, _ in self.checks), *self.recent]
        return list(dict.fromkeys(record.id for record in records))

    def draft_access(self, who: Principal) -> Draft:
        """Return the draft of the record by which the snapshot can be listed again, by its own token alone."""
        body = Body.of(
            targets=self.ids, tokens=estimate_tokens(self.pins.markdown), trigger="snapshot",
            context=f"{who.session_id}||snapshot", snapshot_id=self.snapshot_id,
            pinned=len(self.pins.records), checked=len(self.checks),
        )  # fmt: skip
        return Draft.of(
            v=SCHEMA_VERSION, stream="control", kind="access", visibility="session",
            agent_id="person" if who.person else who.agent_id, session_id=who.session_id,
            scope="global", source={"system": "cli", "detail": _detail(who)}, body=body,
        )  # fmt: skip


def take_snapshot(
    broker: Broker,
    who: Principal,
    scopes: list[str] | None = None,
    limit_recent: int = MAX_RECENT,
    *,
    noted: bool = True,
) -> Snapshot:
    """Return the pins and recent memories that `who` may read in `scopes`, by default in all of theirs.

    Unless `noted` is false the log keeps a record of the snapshot, so that the snapshot can be listed
    again. An agent's run begins with it unasked, so nothing private is in it, as in a brief. Raise
    NoSuchProject for a project that does not exist, and Forbidden for another agent's own scope.
    """
    broker.refresh()
    for scope in scopes or ():
        require_own_scope(who, scope)
    reader, now = broker.as_reader(replace(who, asks=False)), broker.now()
    places = [_place(broker, scope) for scope in scopes] if scopes else reader_places(who)
    memories = list_memories(reader, places)
    pinned = select_pins(reader, memories)
    pinned_ids = {record.id for record in pinned.records}
    others = [record for record in memories if record.id not in pinned_ids]
    others.sort(key=lambda record: record.id, reverse=True)
    recent = [record for record in lead(reader, others) if record.id not in pinned_ids]
    snapshot = Snapshot(
        str(uuid.uuid4()),
        broker.settings.curated.ruleset_stamp,
        now,
        pinned,
        tuple(recent[:limit_recent]),
        tuple(list_checks(reader, places, now)),
    )
    if noted:
        broker.append([snapshot.draft_access(who)])
    return snapshot


def replay_snapshot(broker: Broker, snapshot_id: str, who: Principal) -> AccessReport:
    """Return what a snapshot, or the brief of a session, told `who`. Raise NotFound.

    An agent with a token is told of the snapshots that were taken by this token, and of no other.
    """
    broker.refresh()
    reader = broker.as_reader(who)
    for access in _accesses(broker, snapshot_id, who):
        return describe_access(reader, access)
    raise NotFound(snapshot_id)


def _detail(who: Principal) -> str:
    """Return by which way a snapshot was taken: a token is named by its id."""
    return f"snapshot:{who.token}" if who.token else "snapshot"


def _accesses(broker: Broker, snapshot_id: str, who: Principal) -> list[Record]:
    key = keys.snapshot_access(snapshot_id)
    if who.token is None:
        return broker.as_reader(who).history(key, 1)
    taken = broker.as_reader(PERSON).history(key, 1)
    return [access for access in taken if access.source_detail == _detail(who)]


def _place(broker: Broker, scope: str) -> str:
    """Return the place of a scope, which names a project by its id. Raise NoSuchProject for an unknown one."""
    if not scope.startswith("project:"):
        return scope
    project = find_project_id(broker, scope.removeprefix("project:"))
    if project is None:
        raise NoSuchProject("take a snapshot of that project")
    return f"project:{project}"
