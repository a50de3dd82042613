"""Promotion: a memory said again for more readers; the first one stays (seed 000 §1, decision C26)."""

from hooklore.broker import conflicts, versions
from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record, list_projects
from hooklore.errors import HookloreError
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.memories.approval_queue import append_draft
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.privacy import parse_flag
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION

_OF_THE_FIRST = frozenset(
    "v id ts hash delivery_id natural_key importance supersedes created_at warnings scope project "
    "branch run_id resolves restates restores".split()
)
"""Fields that the copy does not take over: it is an event of its own, in no run."""

_WIDTH = {"agent": 0, "project": 1, "global": 2}


def promote(
    broker: Broker, prefix: str, place: str, who: Principal = PERSON
) -> tuple[Record, Record]:
    """(the new memory, the record of its promotion). `place` is `global` or `project:<id>`.

    The new one names the old as `promoted_from`; a second time answers with the same. Raises NotFound,
    or HookloreError for what is private, gives orders, waits, is no longer in force, or is as widely
    read already.
    """
    broker.refresh()
    if not who.person:
        raise _refused(prefix, "a person decides it", "ask the user to run it")
    record = get_record(broker, prefix, who)
    problem = _problem(broker, record, place, who)
    if problem is not None:
        raise _refused(record.id, *problem)
    made = append_draft(broker, Draft(_copy(broker, record, place)))
    return made, append_draft(broker, Draft(_note(record, made)))


def find_contradicted(broker: Broker, made: Record) -> Record | None:
    """The memory with this key and another text that stood there, and now contradicts it."""
    return conflicts.find_overwritten(broker.view, made)


def _refused(id_: str, cause: str, fix: str) -> HookloreError:
    return HookloreError(f"could not promote `{id_}`: {cause}", fix=fix)


def _problem(broker: Broker, record: Record, place: str, who: Principal) -> tuple[str, str] | None:
    id_ = record.id
    if record.stream != "memory":
        return f"a {record.kind} is no memory", "run `hooklore list --stream memory`"
    if parse_flag(record.is_private):
        return "it is private, and stays so", "say what others may know with `hooklore remember`"
    if record.trust:
        return "its text gives orders to agents", "say it in your own words: `hooklore remember`"
    if record.waits:
        return "it waits to be approved", f"run `hooklore approve {id_}`"
    if not broker.is_in_force(record, who):
        return "it has been replaced, forgotten, or has expired", f"run `hooklore show {id_}`"
    here = scope_key(record)
    if _width(here) >= _width(place):
        return (
            f"`{record.scope}` is read as widely as that",
            "give `--scope global`, or a project for what is an agent's own",
        )
    return None


def _width(place: str) -> int:
    return _WIDTH.get(place.partition(":")[0], len(_WIDTH))


def _copy(broker: Broker, record: Record, place: str) -> Record:
    copy = record.without(*_OF_THE_FIRST).with_fields(
        v=SCHEMA_VERSION,
        scope="global",
        promoted_from=record.id,
        promoted_by="person",
        delivery_id=f"{record.id}.promoted.{_turn(broker, record, place)}",
    )
    if place != "global":
        project = place.removeprefix("project:")
        copy = copy.with_fields(project=project, scope=_scope(broker, place))
    there = versions.latest_active_version(broker.view, version_line_key(copy))
    older = {each.id for each in versions.earlier_versions(broker.view, record)}
    if there is not None and there.promoted_from in older:
        # an older version of this one: no contradiction
        copy = copy.with_fields(supersedes=there.id)
    return copy


def _turn(broker: Broker, record: Record, place: str) -> str:
    """A name for this promotion: the same while the copy stands, another when it has been forgotten."""
    name = place.removeprefix("project:")
    number = 0
    while (found := broker.view.lookup(f"event:{record.id}.promoted.{name}.{number}", 1)) and (
        broker.view.has(keys.end_of(found[0].id))
        or not versions.is_current_version(broker.view, found[0])
    ):
        number += 1
    return f"{name}.{number}"


def _scope(broker: Broker, place: str) -> str:
    for project in list_projects(broker):
        if place == f"project:{project.id}":
            return f"project:{project.slug}"
    raise HookloreError(
        "could not promote: nothing is recorded in that project",
        fix="run `hooklore project explain` in its folder",
    )


def _note(record: Record, made: Record) -> Record:
    return Record.of(
        v=SCHEMA_VERSION,
        stream="control",
        kind="promotion",
        agent_id="person",
        scope=made.scope,
        project=made.project,
        basis="user",
        source={"system": "cli", "detail": "promote"},
        delivery_id=f"{made.id}.promotion",
        body=Body({"targets": [record.id, made.id], "from": record.scope, "to": made.scope}),
    )
