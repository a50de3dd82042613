"""A snapshot: pins, then what is recent, and an id by which it can be listed again (seed 000 §4)."""

import uuid
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.errors import HookloreError, NotFound
from hooklore.memories.pins import Pins, list_memories, reader_places, select_pins
from hooklore.memories.scope import find_project_id
from hooklore.memories.staleness import Check, list_checks
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.retrieval import browse
from hooklore.retrieval.browse import AccessReport
from hooklore.text.token_estimate import estimate_tokens

MAX_RECENT = 50


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a run begins with. `pinned_md` is read first, then `recent`, the newest first.

    `checks` are contradictions and stale memories, with what to do; `ruleset_stamp` says by which
    rules it was made; `snapshot_id` leads to exactly these records again.
    """

    snapshot_id: str
    ruleset_stamp: str
    ts: str
    pins: Pins
    recent: tuple[Record, ...]
    checks: tuple[Check, ...]

    @property
    def pinned_md(self) -> str:
        """The pins, a bullet each."""
        return self.pins.markdown

    @property
    def ids(self) -> list[str]:
        """Every record that it tells of, in the order of reading."""
        records = [*self.pins.records, *(r for r, _ in self.checks), *self.recent]
        return list(dict.fromkeys(record.id for record in records))


def take_snapshot(
    broker: Broker,
    who: Principal,
    scopes: list[str] | None = None,
    limit_recent: int = MAX_RECENT,
    *,
    noted: bool = True,
) -> Snapshot:
    """Pins and recents that `who` may read in these scopes (by default all that is theirs).

    It is noted in the log, so that `shown` can list it again. Raises HookloreError for a project
    that does not exist.
    """
    broker.refresh()
    of = [_place(broker, scope) for scope in scopes] if scopes else reader_places(who)
    found = list_memories(broker, who, of)
    pinned = select_pins(broker, found)
    first = {record.id for record in pinned.records}
    recent = sorted((r for r in found if r.id not in first), key=_newest_first)[:limit_recent]
    made = Snapshot(
        str(uuid.uuid4()),
        broker.settings.curated.ruleset_stamp,
        broker.now(),
        pinned,
        tuple(recent),
        tuple(list_checks(broker, who, of)),
    )
    if noted:
        broker.append([_access(made, who)])
    return made


def replay_snapshot(broker: Broker, snapshot_id: str, who: Principal) -> AccessReport:
    """What a snapshot, or a brief of a session, told of. Raises NotFound."""
    broker.refresh()
    for access in broker.view.lookup(keys.snapshot_access(snapshot_id), 1):
        if may_read(access, who):
            return browse.describe_access(broker, access, who)
    raise NotFound(snapshot_id)


def _newest_first(record: Record) -> int:
    return -int(record.id.replace("-", ""), 16)


def _place(broker: Broker, scope: str) -> str:
    """A scope's name as memories know it: a project by its id."""
    if not scope.startswith("project:"):
        return scope
    project = find_project_id(broker, scope.removeprefix("project:"))
    if project is None:
        raise HookloreError(
            "could not take a snapshot: nothing is known of that project",
            fix="run `hooklore project explain` in its folder",
        )
    return f"project:{project}"


def _access(made: Snapshot, who: Principal) -> Draft:
    body = Body(
        {
            "targets": made.ids,
            "tokens": estimate_tokens(made.pinned_md),
            "trigger": "snapshot",
            "context": f"{who.session_id}||snapshot",
            "snapshot_id": made.snapshot_id,
            "pinned": len(made.pins.records),
            "checked": len(made.checks),
        }
    )
    return Draft.of(
        v=SCHEMA_VERSION, stream="control", kind="access", visibility="session",
        agent_id="person" if who.person else who.agent_id, session_id=who.session_id,
        scope="global", source={"system": "cli", "detail": "snapshot"}, body=body,
    )  # fmt: skip
