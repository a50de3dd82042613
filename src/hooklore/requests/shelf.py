"""The two shelves of seed 004, the caller's project and all projects, and the arguments of their verbs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from pydantic import Field

from hooklore.broker.leading import lead
from hooklore.memories.archive import ArchivedMemory, list_archived
from hooklore.memories.pins import list_memories
from hooklore.records.record import Record
from hooklore.requests.arguments import (
    LONGEST_NAME,
    LONGEST_TEXT,
    Arguments,
    Name,
    Names,
    Question,
    Texts,
)
from hooklore.requests.request_context import RequestContext

_MAX_ENTRIES: Final = 10_000
_NOWHERE: Final = "project:-"
_MOST_TAGS: Final = 32


@dataclass(frozen=True, slots=True)
class Shelf:
    """The entries of one place, and its archive."""

    name: Literal["project", "global"]

    def place(self, asked: RequestContext) -> str:
        """Return the place of the entries. Outside of a project, those of the project are the agent's own."""
        if self.name == "global":
            return "global"
        if asked.who.project:
            return f"project:{asked.who.project}"
        return f"agent:{asked.who.agent_id}" if asked.keys is None else _NOWHERE

    def entries(self, asked: RequestContext, tags: Iterable[str] = ()) -> list[Record]:
        """Return the entries in force that the agent may read and that have all of `tags`, newest first."""
        found = list_memories(asked.reader, [self.place(asked)], _MAX_ENTRIES)
        return lead(asked.reader, (record for record in found if has_tags(record, tags)))

    def archived(self, asked: RequestContext, tags: Iterable[str] = ()) -> list[ArchivedMemory]:
        """Return the archived entries that the agent may read, the one archived last first."""
        found = list_archived(asked.broker, asked.who, [self.place(asked)])
        return [each for each in found if has_tags(each.record, tags)]


PROJECT: Final = Shelf("project")
GLOBAL: Final = Shelf("global")


def has_tags(record: Record, tags: Iterable[str]) -> bool:
    """Return whether a memory has all of these tags."""
    return {*tags} <= {str(tag) for tag in record.body.tags}


class EntryArguments(Arguments):
    """Arguments of the verbs of seed 004, where the caller may say who it is. Another's name is refused."""

    caller_agent_id: str = Field(
        default="", max_length=LONGEST_NAME, description="Your agent id. Another's is refused."
    )


class SaveArguments(EntryArguments):
    """The arguments of `save_to_memory`."""

    labels: ClassVar[frozenset[str]] = frozenset(("tags",))
    keeps: ClassVar[bool] = True

    key: str = Field(
        min_length=1,
        description="Lower-case ASCII, digits, `_`, `-` and `:`; at most 64 characters.",
    )
    content: str = Field(min_length=1, max_length=LONGEST_TEXT)
    tags: Texts = ()


class FindArguments(EntryArguments):
    """The arguments of a keyword search."""

    query: Question
    tags: Names = Field(default=(), max_length=_MOST_TAGS, description="Entries with all of these.")
    limit: int = Field(default=10, ge=1, le=100)


class ListArguments(EntryArguments):
    """The arguments of a list."""

    tags: Names = Field(default=(), max_length=_MOST_TAGS, description="Entries with all of these.")
    limit: int = Field(default=50, ge=1, le=200)


class KeyArguments(EntryArguments):
    """The arguments of a verb that acts on one entry."""

    key: Name
