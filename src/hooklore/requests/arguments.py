"""The arguments of each verb: strict types, bounded sizes, and the words by which a model knows them."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hooklore.memories.event_schema import describe_type
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.requests.request import RequestInvalid

_LONGEST_TEXT = 100_000
_LONGEST_QUESTION = 16 * 1024
_LONGEST_NAME = 300
_MAX_SHOWN_PROBLEMS = 8
_MAX_PLACE_LENGTH = 60

Name = Annotated[str, Field(min_length=1, max_length=_LONGEST_NAME)]


class Arguments(BaseModel):
    """The arguments of a verb. No other field is taken, and no value is turned into another type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


class RememberArguments(Arguments):
    """The arguments of `remember`."""

    content: str = Field(
        min_length=1, max_length=_LONGEST_TEXT,
        description="One fact, rule or decision and its reason, in the user's words, 1-5 lines. No secrets.",
    )  # fmt: skip
    title: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        description="Its name in the index, at most 50 characters.",
    )
    when: list[Annotated[str, Field(max_length=_LONGEST_NAME)]] = Field(
        default=[], max_length=32,
        description="What somebody would type who needs it and does not know it; 3-60 characters each.",
    )  # fmt: skip
    private: bool = Field(
        default=False,
        description="When true, keep this memory internal and skip workspace sync.",
    )
    kind: Literal["", *MEMORY_KINDS] = Field(  # type: ignore[valid-type]
        default="", description="By default the key's beginning, else `fact`."
    )
    key: str = Field(
        default="", max_length=_LONGEST_NAME, description="Stable name, like `config:db_engine`."
    )
    scope: Literal["", "global", "project", "agent"] = ""
    supersedes: str = Field(
        default="", max_length=_LONGEST_NAME, description="Id of the memory that it replaces."
    )


class RecallArguments(Arguments):
    """The arguments of `recall`."""

    query: str = Field(min_length=1, max_length=_LONGEST_QUESTION)


class GetArguments(Arguments):
    """The arguments of `get`."""

    names: list[Name] = Field(
        min_length=1, max_length=20, description="Ids, keys, titles, or `topic:NAME`."
    )


class SearchArguments(Arguments):
    """The arguments of `search_memories`."""

    query: str = Field(min_length=1, max_length=_LONGEST_QUESTION)
    limit: int = Field(default=10, ge=1, le=50)


class NoArguments(Arguments):
    """The arguments of a verb that takes none."""


class SnapshotArguments(Arguments):
    """The arguments of `snapshot`."""

    scopes: list[Name] = Field(default=[], max_length=32)
    limit_recent: int = Field(default=50, ge=0, le=200)


class EntryArguments(Arguments):
    """Arguments of the tools of seed 004, where the caller may say who it is. Another's name is refused."""

    caller_agent_id: str = Field(
        default="", max_length=_LONGEST_NAME, description="Your agent id. Another's is refused."
    )


class SaveArguments(EntryArguments):
    """The arguments of `save_to_memory`."""

    key: Name = Field(
        description="Lower-case ASCII, digits, `_`, `-` and `:`; at most 64 characters."
    )
    content: str = Field(min_length=1, max_length=_LONGEST_TEXT)
    tags: list[Name] = Field(default=[], max_length=32)


class FindArguments(EntryArguments):
    """The arguments of a keyword search."""

    query: str = Field(min_length=1, max_length=_LONGEST_QUESTION)
    tags: list[Name] = Field(default=[], max_length=32, description="Entries with all of these.")
    limit: int = Field(default=10, ge=1, le=100)


class ListArguments(EntryArguments):
    """The arguments of a list."""

    tags: list[Name] = Field(default=[], max_length=32, description="Entries with all of these.")
    limit: int = Field(default=50, ge=1, le=200)


class KeyArguments(EntryArguments):
    """The arguments of a tool that acts on one entry."""

    key: Name


_Model = TypeVar("_Model", bound=Arguments)


def parse_arguments(model: type[_Model], given: Mapping[str, object]) -> _Model:
    """Return the arguments in the form of `model`. Raise RequestInvalid, which names fields and no values."""
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=True, include_context=True)
        problems = [_problem(each["loc"], each["msg"], each["input"]) for each in found]
        names = ", ".join(model.model_fields) or "no arguments"
        raise RequestInvalid(problems[:_MAX_SHOWN_PROBLEMS], f"it takes: {names}") from None


def _problem(place: tuple[int | str, ...], message: str, value: object) -> str:
    """Return a problem by the name of its field and the type of its value."""
    name = ".".join(map(str, place))[:_MAX_PLACE_LENGTH] or "arguments"
    return f"{name}: {message[:1].lower()}{message[1:]}, not {describe_type(value)}"
