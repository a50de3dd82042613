"""The event of a memory as the word of the one that writes it."""

import uuid

from hooklore.errors import HookloreError
from hooklore.records.draft import Principal
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.records.record import Record
from hooklore.records.schema import FROM_A_TERMINAL

OTHER_KIND = "fact"
"""The kind of a memory that shows none."""
_IMPORTED = "import"


def kind_of_key(key: str | None) -> str:
    """Return the kind that a key begins with, `fact` for another beginning."""
    prefix = (key or "").partition(":")[0]
    return prefix if prefix in MEMORY_KINDS else OTHER_KIND


def as_said_by(who: Principal, event: Record) -> Record:
    """Return the event as the word of its writer. Raise HookloreError for a scope that is not the writer's.

    The writes of an agent are counted in its session, whatever run they name. A program's event is an import:
    it tells other projects nothing by itself.
    """
    if who.person:
        return event.with_fields(agent_id="person", run_id=event.run_id or str(uuid.uuid4()))
    scope = str(event.scope or "")  # the schema refuses what is no text
    is_of_others = scope.startswith("agent:") and scope != f"agent:{who.agent_id}"
    if is_of_others or (who.program and scope.startswith("global")):
        raise HookloreError(
            f"could not keep it for `{scope}`: `{who.agent_id}` writes it",
            fix="leave `--scope` out: it is kept for this project",
        )
    if who.program:
        event = _came_by(_IMPORTED, event)
    if who.confirmed:
        event = _came_by(FROM_A_TERMINAL, event)
    return event.with_fields(
        agent_id=who.agent_id,
        role=event.extra("role") or who.role,
        session_id=who.session_id,
        run_id=event.run_id or who.session_id or str(uuid.uuid4()),
    )


def own_scope(who: Principal, event: Record) -> Record:
    """Return the event with the scope `agent` read as its writer's own."""
    own = f"agent:{'person' if who.person else who.agent_id}"
    return event.with_fields(scope=own) if event.scope == "agent" else event


def _came_by(way: str, event: Record) -> Record:
    """Return the event with the way by which it came. What its writer says of the source stands beside that."""
    return event.with_fields(source={**event.source, "system": "cli", "detail": way})
