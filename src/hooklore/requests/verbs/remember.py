"""Keep a memory on purpose: one definition for the command, the tool, the Python client and a chat."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from hooklore.broker import Broker
from hooklore.errors import ErrorCode, HookloreError
from hooklore.instructions.stated_kind import state_kind
from hooklore.memories.deliberate_write import write_as
from hooklore.memories.memory_event import CONFIDENCE_LEVELS, ROLES, STAKES
from hooklore.memories.write_report import describe_write
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import Principal, ProjectKeys
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.records.record import Record
from hooklore.requests.arguments import LONGEST_TEXT, Arguments, OneOf, Option, Texts
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.results import Remembered
from hooklore.requests.verb import ChatWords, Verb

_OWN_SESSION = "this"

_KIND = OneOf(
    tuple(MEMORY_KINDS),
    {
        "rule": "constraint", "note": "fact", "task": "todo", "procedure": "workflow",
        "howto": "workflow", "configuration": "config", "setting": "config",
        "deprecated": "deprecation", "convention": "preference",
    },
)  # fmt: skip


_VISIBILITY = ("visibility", "privacy")
_LIMITS: Mapping[str, tuple[str, object]] = {
    "private": ("private", True),
    "session": ("session", _OWN_SESSION),
}


def _no_flag(value: object) -> object:
    """Return a number of days. Raise ValueError for yes or no, which pydantic reads as one day and for ever."""
    if isinstance(value, bool):
        raise ValueError("must be a number of days")  # noqa: TRY004 - pydantic reads this one
    return value


def _named_scope(value: object) -> object:
    """Return a scope without blanks, one of the short names in lower case."""
    word = value.strip() if isinstance(value, str) else value
    return word.casefold() if isinstance(word, str) and ":" not in word else word


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _own_session(value: object) -> object:
    """Return `this` for a client that says yes, and nothing for one that says no."""
    said = str(value).strip().casefold() if isinstance(value, str | bool) else ""
    own, none = ("true", "yes", "this", "current"), ("false", "no", "none")
    return _OWN_SESSION if said in own else "" if said in none else value


class RememberOptions(Arguments):
    """The arguments of `remember` beside the text, none of which must be given.

    Those that are left out of the schema are taken from a tool's caller too. A model seldom needs them, and
    every session of every agent carries the schema.
    """

    labels: ClassVar[frozenset[str]] = frozenset(
        ("title", "emotion", "when", "tags", "paths", "source", "run", "agent_type")
    )
    other_names: ClassVar[Mapping[str, str]] = {"is_private": "private"}
    keeps: ClassVar[bool] = True

    @classmethod
    def rename(cls, given: Mapping[str, object]) -> dict[str, object]:
        """Return what a client gave, with seed 003's word for who is told it as the argument that says so."""
        named = super().rename(given)
        words = {n: str(v).casefold() for n, v in named.items() if n.casefold() in _VISIBILITY}
        for name, word in words.items():
            if word in ("public", "none", ""):
                del named[name]
            elif word in _LIMITS:
                del named[name]
                named.setdefault(*_LIMITS[word])
        return named

    @model_validator(mode="after")
    def _require_one_limit(self) -> Self:
        if self.role and self.session:
            raise ValueError("give a role or a session, not both")
        return self

    title: Annotated[str, Option("--title", "TITLE", "its name in the index")] = ""
    when: Annotated[
        Texts, Option("--when", "PHRASE", "one phrase (again for another, at most 8)")
    ] = Field(default=(), description="What one types who needs it.")
    private: Annotated[
        bool,
        BeforeValidator(_stripped),
        Option(
            "--private", help="for its writer alone: never told to another agent, nor by a hook"
        ),
    ] = Field(
        default=False, description="When true, keep this memory internal and skip workspace sync."
    )
    kind: Annotated[
        str,
        _KIND,
        Option("--kind", "KIND", f"as its words show, or one of {', '.join(MEMORY_KINDS)}"),
    ] = ""
    key: Annotated[str, Option("--key", "KEY", "its stable name, like `config:db_engine`")] = Field(
        default="", description="Like `config:db_engine`."
    )
    scope: Annotated[
        str,
        BeforeValidator(_named_scope),
        Option(
            "--scope", "SCOPE",
            "`global`, `project` (this folder's), `agent` (its writer's own), `project:<slug>`, "
            "`agent:<agent_id>`",
        ),
    ] = Field(default="", json_schema_extra={"enum": ["global", "project", "agent"]})  # fmt: skip
    supersedes: Annotated[str, Option("--supersedes", "ID", "the memory whose place it takes")] = (
        Field(default="", description="Id of what it replaces.")
    )
    confidence: Annotated[
        str, OneOf(CONFIDENCE_LEVELS), Option("--confidence", "LEVEL", "high, med or low")
    ] = ""
    ttl_days: Annotated[
        int | None,
        BeforeValidator(_no_flag),
        Option("--ttl-days", "DAYS", "its life; 0 is for ever"),
    ] = None
    tags: Annotated[Texts, Option("--tag", "TAG", "a tag (again for another)")] = ()
    source: Annotated[
        str, Option("--source", "PLACE", "where it is from: a thread, a page, a ticket")
    ] = ""
    run: Annotated[str, Option("--run", "ID", "the run it is said in")] = ""
    role: Annotated[
        str,
        OneOf(ROLES),
        Option("--role", "ROLE", f"for agents of this role alone: {', '.join(ROLES)}"),
    ] = Field(default="", description="For this role alone.")
    session: Annotated[
        str,
        BeforeValidator(_own_session),
        Option("--session", "ID", "for this session alone; `this` is the one that runs it"),
    ] = Field(default="", description="`this`: for this session alone.")
    emotion: Annotated[
        str, SkipJsonSchema(), Option("--emotion", "WORD", "what its writer felt: `sad`")
    ] = ""
    paths: Annotated[
        Texts, SkipJsonSchema(), Option("--path", "GLOB", "files it is kept for (again for more)")
    ] = ()
    agent_type: Annotated[
        str, SkipJsonSchema(), Option("--agent-type", "TYPE", "for subagents of this type alone")
    ] = ""
    conflicts: Annotated[
        str,
        SkipJsonSchema(),
        Option("--conflicts", "ID", "the memory that it contradicts: both stay, a person decides"),
    ] = ""
    stake: Annotated[
        str,
        OneOf(STAKES),
        SkipJsonSchema(),
        Option("--stake", "STAKE", "`high`: it waits to be approved"),
    ] = ""
    basis: Annotated[
        str, SkipJsonSchema(), Option("--basis", "BASIS", "user, tool or inferred")
    ] = ""


class RememberArguments(RememberOptions):
    """The arguments of `remember`."""

    content: Annotated[str, Option(metavar="TEXT", help="a few short lines; `-` reads stdin")] = Field(
        min_length=1, max_length=LONGEST_TEXT,
        description="In the user's words, with the reason, 1-5 lines. No secrets.",
    )  # fmt: skip

    def to_event(self, source: Mapping[str, str]) -> Record:
        """Return the event of seed 000 §6, with what the caller says of its source beside the true `source`."""
        text = self.content.strip()
        given = {
            "content_md": text,
            "dedupe_key": self.key,
            "kind": self.kind or state_kind(text, self.key),
            "confidence": self.confidence or "high",
            "scope": self.scope,
            "is_private": self.private,
            "supersedes": self.supersedes,
            "contradicts": self.conflicts,
            "run_id": self.run,
            "title": self.title,
            "emotion": self.emotion,
            "when": list(self.when),
            "tags": list(self.tags),
            "paths": list(self.paths),
            "agent_type": self.agent_type,
            "stake": self.stake,
            "basis": self.basis,
            **self._readers(),
        }
        event = Record.of(**{name: value or None for name, value in given.items()})
        claim = {"claim": self.source} if self.source else {}
        return event.with_fields(ttl_days=self.ttl_days, source={**source, **claim})

    def _readers(self) -> dict[str, str]:
        """Return the fields that limit who is told it."""
        if self.session:
            named = "" if self.session.casefold() == _OWN_SESSION else self.session
            return {"visibility": "session", "session_id": named}
        return {"visibility": "agent-only", "role": self.role} if self.role else {}


class MemoryLost(HookloreError):
    """A memory could not be appended, and nothing is kept of it."""

    code = "unavailable"

    def __init__(self, reason: str | None) -> None:
        super().__init__(f"could not keep it: {reason}", fix="send the request again")


def answer_remember(asked: RequestContext, given: RememberArguments) -> Response:
    """Keep a memory and say where it went. What no prompt of its user's backs stands as the agent's word."""
    return respond_written(
        keep_asked(asked, given.to_event(source_of(asked))), is_private=given.private
    )


def source_of(asked: RequestContext) -> dict[str, str]:
    """Return the true source of what comes by a request: a token is named by its id."""
    way = f"request:{asked.who.token}" if asked.who.token else "request"
    return {"system": "other", "detail": way}


def keep_asked(asked: RequestContext, event: Record, *, is_strict: bool = False) -> WriteResult:
    """Write an event of whoever sends a request, once for each key of its requests. Raise MemoryLost."""
    event = event.with_fields(idempotency_key=asked.key) if asked.key else event
    return keep(asked.broker, event, asked.who, asked.keys, is_strict=is_strict)


def keep(
    broker: Broker,
    event: Record,
    who: Principal,
    folder: ProjectKeys | None,
    *,
    is_strict: bool = False,
) -> WriteResult:
    """Write an event of `who`, who works in `folder`, by every way in. Raise MemoryLost."""
    result = write_as(broker, event, who, folder, is_strict=is_strict)
    if result.status == "lost":
        raise MemoryLost(result.reason)
    return result


def respond_written(result: WriteResult, *, is_private: bool) -> Response:
    """Return the response to a write: where the memory is, or why it is refused."""
    content = {**result.as_fields(), "private": is_private}
    if not result.is_accepted:
        problem, hint = f"could not keep it: {result.reason}", str(result.hint or "")
        code: ErrorCode = "secret" if result.refusal else "invalid"
        return Response(success=False, content=content, problem=problem, hint=hint, code=code)
    lines = describe_write(result, str, is_private=is_private)
    return Response(success=True, text="\n".join(lines), content=content)


VERB = Verb(
    "remember",
    "Keep what lasts: a rule, a decision, a fact that the code does not tell.",
    RememberArguments,
    answer_remember,
    Remembered,
    writes=True,
    tool="every",
    chat=(
        ChatWords(("remember", "覚えて", "記憶"), "TEXT - keep something (覚えて)"),
        ChatWords(
            ("private", "内緒"),
            "TEXT - keep something for its owner alone, not in groups (内緒)",
            {"private": True},
        ),
    ),
)
