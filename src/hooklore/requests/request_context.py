"""The context of a request that is being answered: who asks, from where, and of which memory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hooklore.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.memories.usage import LISTED, draft_use
from hooklore.records.draft import Draft, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.retrieval.recall import Recall

Note = Callable[[list[Draft]], object]
"""Append records of what was read: at once, or when nobody waits."""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request's agent `who`, in the project of `keys`, with the memory that answers.

    `key` is the request's own name, by which a write that comes again is known.
    """

    broker: Broker
    recall: Recall
    who: Principal
    keys: ProjectKeys | None
    note: Note
    key: str | None = None

    @property
    def reader(self) -> Reader:
        """The records that the agent may read."""
        return self.broker.as_reader(self.who)

    def record_listing(self, records: Iterable[Record]) -> None:
        """Record that the agent's session was listed these records, so that it is no witness of them."""
        ids = [record.id for record in records]
        if ids and self.who.session_id:
            self.note([draft_use(ids, self.who, LISTED)])

    def record_use(self, ids: list[str], verb: str) -> None:
        """Record that the agent opened these records."""
        if ids:
            self.note([draft_use(ids, self.who, verb)])
