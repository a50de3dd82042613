"""Find the memories that say more than their record shows: words that a program gave out as somebody else's.

Before a claim was checked on every way in, a program that named an agent could write as the user (C40).
"""

from typing import Final

from hooklore.broker.broker import Broker
from hooklore.memories.entries import list_current_memories
from hooklore.records.record import Record
from hooklore.records.schema import FROM_A_PROMPT, FROM_A_TERMINAL

_PERSONS: Final = ("approves", "approved_by", "promoted_by", "resolves")
"""Fields that a version has which a person let stand."""


def list_doubtful(broker: Broker) -> list[Record]:
    """Return the memories in force whose record does not show what it claims, newest first."""
    broker.refresh()
    found = {r.id: r for r in list_current_memories(broker) if is_doubtful(r)}
    return [found[id_] for id_ in sorted(found, reverse=True)]


def is_doubtful(record: Record) -> bool:
    """Return whether an agent's memory stands as the user's own word, or as seen by a tool of no session."""
    if record.agent_id == "person" or record.imported_from is not None:
        return False
    if any(record.extra(name) for name in _PERSONS) or record.source_detail == FROM_A_TERMINAL:
        return False
    if record.is_by_user:
        return record.source_detail != FROM_A_PROMPT
    return record.basis == "tool" and record.session_id is None
