"""Deletion: a tombstone, which a person has approved; nothing goes to the archive (decisions C5, C6)."""

from dataclasses import dataclass

from hooklore.broker import fetch
from hooklore.broker.broker import Broker
from hooklore.errors import HookloreError
from hooklore.memories import archive
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """What a deletion ends: the memory, and what was made from it and would keep telling of it."""

    record: Record
    derived: tuple[Record, ...]

    @property
    def ids(self) -> list[str]:
        """Every record that it ends."""
        return [self.record.id, *(record.id for record in self.derived)]


def plan_deletion(
    broker: Broker, name: str, who: Principal = PERSON, of: list[str] | None = None
) -> DeletionPlan:
    """What deleting a memory would end, by its key or id: an active one, else one of the archive.

    Raises HookloreError, NotFound.
    """
    try:
        record = archive.require_active(broker, name, who, of, "delete")
    except HookloreError:
        found = _of_archive(broker, name, who, of)
        if found is None:
            raise
        record = found
    return DeletionPlan(record, tuple(fetch.find_derived(broker, [record], who)))


def delete_memory(broker: Broker, what: DeletionPlan, who: Principal = PERSON) -> None:
    """End it for ever. Raises HookloreError for an agent, StoreError when the log does not take it."""
    archive.require_person(who, "delete", what.record.id)
    draft = Draft.of(
        v=SCHEMA_VERSION, stream="control", kind="tombstone", agent_id="person",
        scope=what.record.scope, basis="user",
        source={"system": "cli", "detail": "delete"}, body=Body.of(targets=what.ids),
    )  # fmt: skip
    archive.append_or_raise(broker, [draft])


def _of_archive(broker: Broker, name: str, who: Principal, of: list[str] | None) -> Record | None:
    """The one archived memory with this key or id; None of an agent, or when there are several."""
    if not who.person:
        return None
    found = [
        each.record
        for each in archive.list_archived(broker, who, of)
        if each.record.dedupe_key == name or each.record.id.startswith(name.lower())
    ]
    return found[0] if len(found) == 1 else None
