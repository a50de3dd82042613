"""Promote a memory to more readers. The first memory stays, and only a person promotes (seed 000 §1).

Time alone never promotes: a memory that becomes more public by itself would break trust.
"""

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import list_projects
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.memories.append import OF_ONE_LINE, append_draft
from hooklore.memories.control_draft import draft_control
from hooklore.memories.decisions.authorization import (
    Problem,
    get_decided,
    require_possible,
    standing_problem,
)
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record, parse_flag
from hooklore.records.schema import SCHEMA_VERSION

_NOT_COPIED = OF_ONE_LINE | frozenset(
    "v importance supersedes created_at scope project branch run_id resolves restates restores".split()
)
"""Fields that the copy does not take over: the copy is an event of its own, in no run."""

_WIDTH = {"agent": 0, "project": 1, "global": 2}
"""Order of places by how many may read them."""


def promote(
    broker: Broker, prefix: str, place: str, who: Principal = PERSON
) -> tuple[Record, Record]:
    """Copy a memory to `place`, and return the copy and the record of its promotion.

    `place` is `global` or `project:<id>`. The copy names the memory as `promoted_from`. A second call
    returns the same copy. Raise NotFound, or HookloreError for a memory that is private, gives orders,
    waits, is no longer in force, or is read as widely already.
    """
    reader, record = get_decided(broker, prefix, who, "promote")
    problem = _promotion_problem(reader, record)
    if problem is None and _width(scope_key(record)) >= _width(place):
        problem = (
            f"`{record.scope}` is read as widely as that",
            "give `--scope global`, or a project for what is an agent's own",
        )
    require_possible("promote", record, problem)
    return _append_copy(broker, record, _copy(reader, record, place))


def share(broker: Broker, prefix: str, who: Principal = PERSON) -> tuple[Record, Record]:
    """Copy a memory of one session or role to all readers of its place. Return the copy and its promotion.

    Raise NotFound, or HookloreError for a memory that cannot be shared.
    """
    reader, record = get_decided(broker, prefix, who, "share")
    problem = _promotion_problem(reader, record)
    if problem is None and not may_be_shared(reader, record):
        problem = "all readers of its place read it, or it is an agent's own", "leave it as it is"
    require_possible("share", record, problem)
    return _append_copy(broker, record, _copy(reader, record, scope_key(record), is_public=True))


def may_be_shared(reader: Reader, record: Record) -> bool:
    """Return whether a memory is kept to a session or a role, in a place that others read, and can be shared.

    A private memory, and an agent's own, never are.
    """
    is_limited = record.visibility in ("session", "agent-only")
    is_own = str(record.scope).startswith("agent:")
    return is_limited and not is_own and _promotion_problem(reader, record) is None


def _promotion_problem(reader: Reader, record: Record) -> Problem | None:
    """Return (problem, fix) of a record that no more readers may get, whatever the place, or None."""
    if record.stream == "memory" and parse_flag(record.is_private):
        return "it is private, and stays so", "say what others may know with `hooklore remember`"
    if record.stream == "memory" and record.trust:
        return "its text gives orders to agents", "say it in your own words: `hooklore remember`"
    return standing_problem(reader, record)


def _width(place: str) -> int:
    return _WIDTH.get(place.partition(":")[0], len(_WIDTH))


def _copy(reader: Reader, record: Record, place: str, *, is_public: bool = False) -> Record:
    copy = record.without(*_NOT_COPIED).with_fields(
        v=SCHEMA_VERSION,
        scope="global",
        promoted_from=record.id,
        promoted_by="person",
        delivery_id=_delivery_id(reader, record, place),
    )
    if is_public:
        copy = copy.with_fields(visibility="public")
    if place != "global":
        project = place.removeprefix("project:")
        copy = copy.with_fields(project=project, scope=_scope_of(reader, place))
    current = reader.latest_active_version(version_line_key(copy))
    earlier = {each.id for each in reader.earlier_versions(record)}
    if current is not None and current.promoted_from in earlier:
        # The copy of an earlier version is replaced, not contradicted.
        copy = copy.with_fields(supersedes=current.id)
    return copy


def _delivery_id(reader: Reader, record: Record, place: str) -> str:
    """Return the delivery of a promotion: the same while its copy stands, a new one when the copy ended."""
    name = f"{record.id}.promoted.{place.removeprefix('project:')}"
    number = 0
    while (found := reader.history(keys.of_event(f"{name}.{number}"), 1)) and (
        reader.is_ended(found[0]) or not reader.is_current_version(found[0])
    ):
        number += 1
    return f"{name}.{number}"


def _scope_of(reader: Reader, place: str) -> str:
    for project in list_projects(reader):
        if place == f"project:{project.id}":
            return f"project:{project.slug}"
    raise HookloreError(
        "could not promote: nothing is recorded in that project",
        fix="run `hooklore project explain` in its folder",
    )


def _append_copy(broker: Broker, record: Record, draft: Record) -> tuple[Record, Record]:
    copy = append_draft(broker, Draft(draft))
    body = Body({"targets": [record.id, copy.id], "from": record.scope, "to": copy.scope})
    promotion = draft_control("promotion", copy.scope, body, detail="promote", project=copy.project)
    named = promotion.with_fields(delivery_id=f"{copy.id}.promotion")
    return copy, append_draft(broker, named)
