"""A hook call that is being handled: what it said, what became of that, what is answered, and who asks."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hooklore.agents.event import HookEvent
from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.broker import Broker
from hooklore.capture.capture import Capture
from hooklore.hooks.delivery import Delivery
from hooklore.memories.agent_registry import agents_of
from hooklore.records.draft import Draft, Principal, ProjectKeys, RecallResult, Receipt
from hooklore.records.record import Body
from hooklore.retrieval.query import RecallQuery

ACK_FACT = "ACK"
"""The fact of a client that sends a byte when it has printed the whole answer."""

LATE_FACT = "LATE"
"""The fact of a delivery whose hook has ended: nobody reads the answer."""

UNREAD: Final = HookEvent("other", DEFAULT_AGENT_ID, "")
"""The event of a delivery that was not read: hooklore's own, or one that a bug kept from being read."""


class Shown(NamedTuple):
    """One answer of memory, for a query and under the name of its delivery."""

    query: RecallQuery
    result: RecallResult
    delivery: str


@dataclass(slots=True)
class Pending:
    """A delivery on its way: read, recorded, answered, settled.

    `capture` is the draft for the log, `receipt` what became of it, and `recalls` says whether the event may
    recall. `shown` are the answers of memory, and `afterwards` their records, for when they have arrived.
    `owes_brief` tells that the brief of the session's start did not reach it, `brings_brief` that it is among
    them at last, `is_unreadable` that memory could not be read. `is_from_client` is asked where the event tells
    of files that are read.
    """

    delivery: Delivery
    home: str
    event: HookEvent = UNREAD
    keys: ProjectKeys | None = None
    capture: Capture | None = None
    receipt: Receipt | None = None
    recalls: bool = False
    afterwards: list[Draft] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    owes_brief: bool = False
    brings_brief: bool = False
    is_unreadable: bool = False
    is_from_client: bool = True

    @property
    def is_late(self) -> bool:
        """True when the hook has ended: its answer would reach nobody."""
        return LATE_FACT in self.delivery.facts

    @property
    def status(self) -> str:
        """The status of its record; `left-out` when a rule kept nothing."""
        return self.receipt.status if self.receipt else "left-out"

    @property
    def is_other_delivery(self) -> bool:
        """True when another registration has delivered this event before: it has been answered."""
        got = self.receipt
        return got is not None and got.status == "duplicate" and got.delivery_id != self.delivery.id

    @property
    def program(self) -> str:
        """The name by which the agent's shell runs hooklore, or its path, as the installer left it."""
        from hooklore.agents.own_program import find_program

        return find_program(self.home)

    @property
    def body(self) -> Body:
        """The body of the event's record as it was recorded; empty when nothing was."""
        record = self.receipt.record if self.receipt else None
        return record.body if record is not None else Body({})


def identify_principal(broker: Broker, pending: Pending) -> Principal:
    """Return who asks: the agent, in this project and session."""
    event, keys = pending.event, pending.keys
    project = broker.project_of(keys)
    return Principal(
        agent_id=event.agent_id,
        role=event.role,
        permission=agents_of(broker.settings).of_record(event.agent_id).permission,
        is_main_agent=event.agent_type is None and not event.subagent_id,
        agent_type=event.agent_type or event.call.started_agent_type,
        session_id=event.session_id,
        project=project.id if project else None,
        around=broker.projects_around(keys),
        branch=keys.branch if keys else None,
    )
