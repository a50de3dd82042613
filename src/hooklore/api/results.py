"""Results of the Python client: frozen values, read from the responses that every surface gets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A record that memory gave: `text` without markup, by `agent_id` at `ts`.

    `kind` is that of the record, `key` and `title` are those of a memory that has them. `private` memories
    are for the person and their writer alone. `contradicted_by` is the id of the memory that says otherwise and
    leads it, of the day `contradicted_on`.
    """

    id: str
    short_id: str
    private: bool
    kind: str
    text: str
    agent_id: str
    scope: str
    ts: str
    key: str | None = None
    title: str | None = None
    tags: tuple[str, ...] = ()
    contradicted_by: str | None = None
    contradicted_on: str | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer to a question: `memories`, the best first, and `text`, the same framed for a model.

    `problems` says which of several names led nowhere.
    """

    text: str
    memories: tuple[RecalledMemory, ...] = ()
    problems: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[RecalledMemory]:
        """Yield the memories."""
        return iter(self.memories)

    def __len__(self) -> int:
        """Return the number of memories."""
        return len(self.memories)


@dataclass(frozen=True, slots=True)
class Remembered:
    """The outcome of keeping a memory.

    `status` is stored, duplicate, updated, conflict, pending or spooled. A pending memory waits for a
    person, for the reason `waits`. `id` is None for a spooled one. `left_out` says which arguments were changed
    or left out.
    """

    status: str
    id: str | None
    private: bool
    key: str | None = None
    scope: str | None = None
    waits: str | None = None
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The memories that a run begins with (seed 000 §4), and the `id` under which it can be listed again."""

    id: str
    ruleset_stamp: str
    created_at: str
    text: str
    pins: tuple[RecalledMemory, ...] = ()
    recent: tuple[RecalledMemory, ...] = ()
    checks: tuple[RecalledMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileBlock:
    """A part of the profile: its `label` is `preferences`, `rules` or `facts`. No memory in it is private."""

    label: str
    memories: tuple[RecalledMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class Ingested:
    """The outcome of ingesting a conversation.

    `ids` are the records of its turns, in their order. `stored` turns are new, `known` ones were there
    before, `spooled` ones are kept and have no record yet, `left_out` ones had nothing to keep, `refused`
    ones do not fit the log. `checks` counts what a reader should know of the turns, by the names in
    `hooklore.conversations.turn_checks.CHECKS`.
    """

    session_id: str
    ids: tuple[str, ...] = ()
    stored: int = 0
    known: int = 0
    spooled: int = 0
    refused: int = 0
    left_out: int = 0
    chunks: int = 0
    private: bool = False
    checks: Mapping[str, int] = field(default_factory=dict)


Content = Mapping[str, object]
"""The JSON object of a response."""


def read_memories(content: Content, name: str = "memories") -> tuple[RecalledMemory, ...]:
    """Return the memories that a response lists under `name`."""
    return tuple(map(_read_memory, _objects(content, name)))


def _read_memory(given: Content) -> RecalledMemory:
    return RecalledMemory(
        id=_text(given, "id"),
        short_id=_text(given, "short_id"),
        private=given.get("private") is not False,
        kind=_text(given, "kind"),
        text=_text(given, "text"),
        agent_id=_text(given, "agent_id"),
        scope=_text(given, "scope"),
        ts=_text(given, "ts"),
        key=_optional_text(given, "key"),
        title=_optional_text(given, "title"),
        tags=_texts(given, "tags"),
        contradicted_by=_optional_text(given, "contradicted_by"),
        contradicted_on=_optional_text(given, "contradicted_on"),
    )


def read_recalled(text: str, content: Content) -> Recalled:
    """Return the answer of `recall`, `search_memories` or `get`."""
    return Recalled(text, read_memories(content), _texts(content, "problems"))


def read_remembered(text: str, content: Content) -> Remembered:
    """Return the outcome of `remember`."""
    return Remembered(
        status=_text(content, "status"),
        id=_optional_text(content, "id"),
        private=content.get("private") is not False,
        key=_optional_text(content, "key"),
        scope=_optional_text(content, "scope"),
        waits=_optional_text(content, "waits"),
        warnings=_texts(content, "warnings"),
        left_out=(*_texts(content, "ignored"), *_texts(content, "left_out")),
        text=text,
    )


def read_snapshot(text: str, content: Content) -> Snapshot:
    """Return the snapshot of a response."""
    return Snapshot(
        id=_text(content, "snapshot_id"),
        ruleset_stamp=_text(content, "ruleset_stamp"),
        created_at=_text(content, "created_at"),
        text=text,
        pins=read_memories(content, "pins"),
        recent=read_memories(content, "recent"),
        checks=read_memories(content, "checks"),
    )


def read_profile(content: Content) -> tuple[ProfileBlock, ...]:
    """Return the blocks of the profile that have memories."""
    return tuple(ProfileBlock(label, read_memories(content, label)) for label in content)


def add_chunk(before: Ingested, content: Content) -> Ingested:
    """Return the outcome of a conversation with that of its next chunk."""
    counted = dict(before.checks)
    found = content.get("checks")
    for name, count in found.items() if isinstance(found, Mapping) else ():
        counted[str(name)] = counted.get(str(name), 0) + int(count)
    return Ingested(
        session_id=_text(content, "session_id"),
        ids=before.ids + _texts(content, "ids"),
        stored=before.stored + _count(content, "stored"),
        known=before.known + _count(content, "known"),
        spooled=before.spooled + _count(content, "spooled"),
        refused=before.refused + _count(content, "refused"),
        left_out=before.left_out + _count(content, "left_out"),
        chunks=before.chunks + 1,
        private=content.get("private") is not False,
        checks=counted,
    )


def _text(given: Content, name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _optional_text(given: Content, name: str) -> str | None:
    return _text(given, name) or None


def _count(given: Content, name: str) -> int:
    value = given.get(name)
    return value if isinstance(value, int) else 0


def _texts(given: Content, name: str) -> tuple[str, ...]:
    value = given.get(name)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list | tuple) else ()


def _objects(given: Content, name: str) -> list[Content]:
    value = given.get(name)
    found = value if isinstance(value, list | tuple) else ()
    return [cast("Content", each) for each in found if isinstance(each, Mapping)]
