"""The arguments of each verb: their types, bounded sizes, and the words by which a model knows them.

Clients differ in how they write what they leave out and what a value's type is. So null counts as left out,
a value that can be read in its field's type is read, and an argument that a verb does not take is ignored and
named: none of these is a reason to lose a memory.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar

import orjson
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
)
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from hooklore.memories.memory_event import describe_type
from hooklore.requests.request import RequestInvalid

_LONGEST_QUESTION = 16 * 1024
LONGEST_NAME = 300
LONGEST_TEXT = 100_000
_MAX_SHOWN_PROBLEMS = 8
_MAX_PLACE_LENGTH = 60

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Question = Annotated[str, Field(min_length=1, max_length=_LONGEST_QUESTION)]


def _as_list(value: object) -> object:
    """Return one text as the list that it stands for, and a list without its nulls."""
    if isinstance(value, str):
        found = _list_in(value) if value.lstrip().startswith("[") else None
        return ([value] if value.strip() else []) if found is None else found
    return [each for each in value if each is not None] if isinstance(value, list) else value


def _list_in(text: str) -> list[object] | None:
    """Return the list that a client wrote as a text of JSON, or None."""
    try:
        found = orjson.loads(text)
    except ValueError:
        return None
    return _as_list(found) if isinstance(found, list) else None  # type: ignore[return-value]


Texts = Annotated[Sequence[str], BeforeValidator(_as_list)]
"""A list of texts. One text is a list of one."""

Names = Annotated[Sequence[Name], BeforeValidator(_as_list)]


@dataclass(frozen=True)
class OneOf:
    """The annotation of a text that is one of `allowed`, in whatever case. `readings` are other words for some."""

    allowed: tuple[str, ...]
    readings: Mapping[str, str] = field(default_factory=dict)

    def read(self, text: str) -> str:
        """Return the allowed word that a text means. Raise ValueError for another."""
        word = text.strip().rstrip(".").casefold()
        word = word if word in self.allowed else self.readings.get(word, word)
        word = word if word in self.allowed else word.removesuffix("s")
        if word and word not in self.allowed:
            raise ValueError(f"must be one of {', '.join(self.allowed)}")
        return word

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Return the schema by which pydantic reads the text."""
        return core_schema.no_info_after_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, object]:
        """Return the schema that a model is shown."""
        return {"type": "string", "enum": list(self.allowed)}


class Option(NamedTuple):
    """The form of an argument on a command line: its option, what its value is called, and its help.

    Without `help` the words of the schema are shown.
    """

    name: str = ""
    metavar: str = ""
    help: str = ""


SCOPE = Option(
    "--scope",
    "SCOPE",
    "`global`, `project` (this folder's), `project:<slug>` or `agent:<agent_id>`",
)


LIMITING = frozenset(("private", "is_private", "privacy", "visibility", "role", "session", "scope"))
"""Arguments that limit who is told something. None is ignored: what it limits would be told to more."""


class Arguments(BaseModel):
    """The arguments of a verb.

    `labels` are the fields without which the verb still does what it is asked for: a value of theirs that
    cannot be read is left out. `other_names` are names by which clients call a field. A verb that `keeps`
    something ignores no argument that limits who is told it.
    """

    model_config = ConfigDict(
        extra="ignore", frozen=True, defer_build=True, coerce_numbers_to_str=True
    )
    labels: ClassVar[frozenset[str]] = frozenset()
    other_names: ClassVar[Mapping[str, str]] = {}
    keeps: ClassVar[bool] = False

    @classmethod
    def rename(cls, given: Mapping[str, object]) -> dict[str, object]:
        """Return what a client gave by the names of the fields: in whatever case, and by `other_names`."""
        known = cls.model_fields
        folded = {name: name.casefold() for name in given if name not in known}
        named = {n: cls.other_names.get(f, f) for n, f in folded.items()}
        free = {n: f for n, f in named.items() if f in known and f not in given}
        return {free.get(name, name): value for name, value in given.items()}


class NoArguments(Arguments):
    """The arguments of a verb that takes none."""


class EntryArguments(Arguments):
    """Arguments of the verbs of seed 004, where the caller may say who it is. Another's name is refused."""

    caller_agent_id: str = Field(
        default="", max_length=LONGEST_NAME, description="Your agent id. Another's is refused."
    )


_Model = TypeVar("_Model", bound=Arguments)


class Parsed(NamedTuple, Generic[_Model]):
    """The arguments as they were read, and in words what was ignored of them."""

    arguments: _Model
    ignored: tuple[str, ...]


def parse_arguments(model: type[_Model], given: Mapping[str, object]) -> Parsed[_Model]:
    """Return the arguments in the form of `model`, and what was ignored.

    Raise RequestInvalid, which names fields and no values, for a field that is no label and cannot be read.
    """
    fields = model.model_fields
    said = {n: _readable(v) for n, v in model.rename(given).items() if not _is_nothing(v)}
    unknown = [name for name in said if name not in fields]
    values = {name: value for name, value in said.items() if name in fields}
    if model.keeps:
        _require_limits(unknown, fields)
    ignored = [f"{_shown(name)}: there is no such argument" for name in unknown]
    try:
        return Parsed(model.model_validate(values), tuple(ignored[:_MAX_SHOWN_PROBLEMS]))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=True, include_context=True)
    labels = [each for each in problems if each["loc"] and each["loc"][0] in model.labels]
    others = [each for each in problems if each not in labels]
    if others:
        names = ", ".join(fields) or "no arguments"
        raise RequestInvalid(
            [_describe(each) for each in others][:_MAX_SHOWN_PROBLEMS], f"it takes: {names}"
        )
    ignored += [_describe(each) for each in labels]
    read = model.model_validate(_without(values, [each["loc"] for each in labels]))
    return Parsed(read, tuple(ignored[:_MAX_SHOWN_PROBLEMS]))


def _is_nothing(value: object) -> bool:
    """Return whether a client wrote a value for what it leaves out: JSON has no number that is none."""
    is_blank = isinstance(value, str) and not value.strip()
    return value is None or is_blank or (isinstance(value, float) and not isfinite(value))


def _readable(value: object) -> object:
    """Return a text without halves of characters, which a command's words may hold and a log cannot."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _require_limits(unknown: Sequence[str], fields: Iterable[str]) -> None:
    """Raise RequestInvalid for an unknown argument that would have limited who is told something."""
    limits = [name for name in unknown if name.casefold() in LIMITING]
    if limits:
        problems = [f"{_shown(name)}: it cannot be limited so" for name in limits]
        raise RequestInvalid(problems, f"it takes: {', '.join(fields)}")


def _without(values: Mapping[str, object], places: Sequence[tuple[int | str, ...]]) -> Any:
    """Return the values without those at `places`: a whole field, or elements of its list."""
    kept = dict(values)
    for name in {str(place[0]) for place in places}:
        numbers = {place[1] for place in places if place[0] == name and len(place) > 1}
        value = _as_list(kept.pop(name))
        if numbers and isinstance(value, Sequence):
            kept[name] = [each for n, each in enumerate(value) if n not in numbers]
    return kept


def _describe(problem: ErrorDetails) -> str:
    """Return a problem by the name of its field and the type of its value."""
    name = ".".join(map(str, problem["loc"]))[:_MAX_PLACE_LENGTH] or "arguments"
    message = problem["msg"].removeprefix("Value error, ")
    return f"{name}: {message[:1].lower()}{message[1:]}, not {describe_type(problem['input'])}"


def _shown(name: str) -> str:
    """Return the name of an unknown argument, which a client chooses, short and on one line."""
    return " ".join(name.split())[:_MAX_PLACE_LENGTH]
