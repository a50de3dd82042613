"""Delete memories by a tombstone. A person approves each deletion, and the archive keeps nothing."""

from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import find_derived
from hooklore.errors import HookloreError
from hooklore.memories import archive
from hooklore.memories.append import append_or_raise
from hooklore.memories.control_draft import draft_control
from hooklore.memories.decisions.authorization import require_person
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Body, Record


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """The records that a deletion ends: a memory, and the records derived from it that quote it."""

    record: Record
    derived: tuple[Record, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of all records that the deletion ends."""
        return [self.record.id, *(record.id for record in self.derived)]


def plan_deletion(
    broker: Broker, name: str, who: Principal = PERSON, places: list[str] | None = None
) -> DeletionPlan:
    """Return the plan to delete an active memory, else an archived one, by its key or id.

    Raise HookloreError or NotFound as `require_active` does when the archive has no such memory either.
    """
    try:
        record = archive.require_active(broker, name, who, places, "delete")
    except HookloreError:
        archived = archive.list_archived(broker, who, places) if who.person else []
        found = [
            each.record
            for each in archived
            if each.record.dedupe_key == name or each.record.id.startswith(name.lower())
        ]
        if len(found) != 1:
            raise
        record = found[0]
    return DeletionPlan(record, tuple(find_derived(broker.as_reader(who), [record])))


def delete_memory(broker: Broker, plan: DeletionPlan, who: Principal = PERSON) -> None:
    """End the records of a plan for ever.

    Raise HookloreError for an agent, StoreError when the log does not keep the tombstone.
    """
    require_person(who, "delete", plan.record.id)
    body = Body.of(targets=plan.ids)
    draft = draft_control("tombstone", plan.record.scope, body, detail="delete")
    append_or_raise(broker, [draft])
