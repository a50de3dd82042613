"""The two shelves of seed 004: the entries of the caller's project, and those of all projects."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from hooklore.broker.leading import lead
from hooklore.memories.archive import ArchivedMemory, list_archived
from hooklore.memories.pins import list_memories
from hooklore.records.record import Record
from hooklore.requests.asked import Asked

_MAX_ENTRIES: Final = 10_000
_NOWHERE: Final = "project:-"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The entries of one place, and its archive."""

    name: Literal["project", "global"]

    def place(self, asked: Asked) -> str:
        """Return the place of the entries. Outside of a project, those of the project are the agent's own."""
        if self.name == "global":
            return "global"
        if asked.who.project:
            return f"project:{asked.who.project}"
        return f"agent:{asked.who.agent_id}" if asked.keys is None else _NOWHERE

    def entries(self, asked: Asked, tags: Iterable[str] = ()) -> list[Record]:
        """Return the entries in force that the agent may read and that have all of `tags`, newest first."""
        found = list_memories(asked.reader, [self.place(asked)], _MAX_ENTRIES)
        return lead(asked.reader, (record for record in found if has_tags(record, tags)))

    def archived(self, asked: Asked, tags: Iterable[str] = ()) -> list[ArchivedMemory]:
        """Return the archived entries that the agent may read, the one archived last first."""
        found = list_archived(asked.broker, asked.who, [self.place(asked)])
        return [each for each in found if has_tags(each.record, tags)]


PROJECT: Final = Shelf("project")
GLOBAL: Final = Shelf("global")


def has_tags(record: Record, tags: Iterable[str]) -> bool:
    """Return whether a memory has all of these tags."""
    return {*tags} <= {str(tag) for tag in record.body.tags}
