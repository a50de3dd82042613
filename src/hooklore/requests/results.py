"""Results of the Python client: frozen values, read from the responses that every way in gets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from pydantic import TypeAdapter

from hooklore.requests.response import Response


@dataclass(frozen=True, slots=True)
class Result:
    """A value that a response is read as, by its fields' names."""

    @classmethod
    def of(cls, response: Response) -> Self:
        """Return the result of a response."""
        return cls._read({"text": response.text, **response.content})

    @classmethod
    def _read(cls, content: Mapping[str, object]) -> Self:
        reader: TypeAdapter[Self] = _reader(cls)  # type: ignore[arg-type]
        return reader.validate_python(content)


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@dataclass(frozen=True, slots=True)
class Told(Result):
    """The answer of a verb without a result of its own: `text` for a model, `content` as JSON."""

    text: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, response: Response) -> Self:
        """Return both forms of a response."""
        return cls(response.text, response.content)


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A record that memory gave: `text` without markup, by `agent_id` at `ts`.

    `kind` is that of the record, `key`, `title` and `emotion` are those of a memory that has them. `private`
    memories are for the person and their writer alone. `contradicted_by` is the id of the memory that says
    otherwise and leads it, of the day `contradicted_on`.
    """

    id: str
    short_id: str = ""
    private: bool = True
    kind: str = ""
    text: str = ""
    agent_id: str = ""
    scope: str = ""
    ts: str = ""
    key: str | None = None
    title: str | None = None
    emotion: str | None = None
    tags: tuple[str, ...] = ()
    contradicted_by: str | None = None
    contradicted_on: str | None = None


@dataclass(frozen=True, slots=True)
class Recalled(Result):
    """The answer to a question: `memories`, the best first, and `text`, the same framed for a model.

    `problems` says which of several names led nowhere.
    """

    text: str = ""
    memories: tuple[RecalledMemory, ...] = ()
    problems: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[RecalledMemory]:
        """Yield the memories."""
        return iter(self.memories)

    def __len__(self) -> int:
        """Return the number of memories."""
        return len(self.memories)


@dataclass(frozen=True, slots=True)
class Remembered(Result):
    """The outcome of keeping a memory.

    `status` is stored, duplicate, updated, conflict, pending, spooled or queued. A pending memory waits for a
    person, for the reason `waits`. A queued one waits on this machine for its gateway. `id` is None for a spooled
    or queued one. `left_out` says which arguments were changed or left out.
    """

    status: str
    id: str | None = None
    private: bool = True
    key: str | None = None
    scope: str | None = None
    waits: str | None = None
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    text: str = ""

    @classmethod
    def of(cls, response: Response) -> Self:
        """Return the outcome of a write. What was ignored of its arguments was left out, too."""
        left_out = [*response.content.get("ignored", ()), *response.content.get("left_out", ())]
        return cls._read({**response.content, "text": response.text, "left_out": left_out})


@dataclass(frozen=True, slots=True)
class Snapshot(Result):
    """The memories that a run begins with (seed 000 §4), and the `id` under which it can be listed again.

    One that is listed again has all its `ids`, and the `memories` of these that stand today.
    """

    id: str
    ruleset_stamp: str = ""
    created_at: str = ""
    text: str = ""
    pinned_md: str = ""
    pins: tuple[RecalledMemory, ...] = ()
    recent: tuple[RecalledMemory, ...] = ()
    checks: tuple[RecalledMemory, ...] = ()
    ids: tuple[str, ...] = ()
    memories: tuple[RecalledMemory, ...] = ()

    @classmethod
    def of(cls, response: Response) -> Self:
        """Return the snapshot of a response."""
        given = response.content
        return cls._read({**given, "id": given.get("snapshot_id"), "text": response.text})


@dataclass(frozen=True, slots=True)
class ProfileBlock:
    """A part of the profile: its `label` is `preferences`, `rules` or `facts`. No memory in it is private."""

    label: str
    memories: tuple[RecalledMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile(Result):
    """The blocks of the profile that have memories."""

    blocks: tuple[ProfileBlock, ...] = ()

    @classmethod
    def of(cls, response: Response) -> Self:
        """Return the blocks of a response."""
        blocks = [{"label": name, "memories": each} for name, each in response.content.items()]
        return cls._read({"blocks": blocks})


@dataclass(frozen=True, slots=True)
class Ingested(Result):
    """The outcome of ingesting a conversation.

    `ids` are the records of its turns, in their order. `stored` turns are new, `known` ones were there
    before, `spooled` ones are kept and have no record yet, `queued` ones wait on this machine for their
    gateway, `left_out` ones had nothing to keep, `refused` ones do not fit the log. `checks` counts what a
    reader should know of the turns, by the names in
    `hooklore.conversations.turn_checks.CHECKS`.
    """

    session_id: str
    ids: tuple[str, ...] = ()
    stored: int = 0
    known: int = 0
    spooled: int = 0
    queued: int = 0
    refused: int = 0
    left_out: int = 0
    chunks: int = 0
    private: bool = False
    checks: Mapping[str, int] = field(default_factory=dict)

    def with_chunk(self, response: Response) -> Self:
        """Return the outcome of a conversation with that of its next chunk."""
        ids = [each for each in response.content.get("ids", ()) if each is not None]
        new = self._read({**response.content, "ids": ids})
        counts = ("stored", "known", "spooled", "queued", "refused", "left_out")
        return type(self)(
            new.session_id, self.ids + new.ids, chunks=self.chunks + 1, private=new.private,
            checks={
                name: self.checks.get(name, 0) + new.checks.get(name, 0)
                for name in {**self.checks, **new.checks}
            },
            **{name: getattr(self, name) + getattr(new, name) for name in counts},
        )  # fmt: skip
