"""The event of a memory that is written on purpose (seed 000 §6), and its one reading.

Commands, requests, prompts and memory files all write one, and the write gate reads it before the store is read.
The entry form of seed 004 (`key`, `content`, `caller_agent_id`, `tags`) has other names for the same fields.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from hooklore.config import Settings
from hooklore.errors import RecordInvalid
from hooklore.memories import dedupe_key
from hooklore.memories.agent_registry import AgentRegistry, agents_of
from hooklore.prompt.emotion import MAX_EMOTION_LENGTH, is_emotion
from hooklore.prompt.title import MAX_TITLE_LENGTH
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.records.record import Record
from hooklore.text.similarity import CJK_RANGES, comparison_terms, normalize_for_comparison

CONFIDENCE_LEVELS = ("high", "med", "low")
BASIS_VALUES = ("user", "tool", "inferred")
SYSTEMS = ("telegram", "cli", "web", "other")
ROLES = ("orchestrator", "executor", "reasoner", "researcher", "general")
VISIBILITIES = ("public", "agent-only", "session", "private")
STAKES = ("normal", "high")

_ALIASES = {"key": "dedupe_key", "content": "content_md", "caller_agent_id": "agent_id",
            "privacy": "visibility", "private": "is_private"}  # fmt: skip
_BROKER_FIELDS = frozenset(
    "v id ts stream hash body project branch importance trust natural_key delivery_id created_at "
    "updated_at waits through approves approved_by resolves restores event_id promoted_from "
    "promoted_by self_named also_said_by warnings".split()
)
"""Fields that only the broker sets."""

_REQUIRED = ("agent_id", "scope", "kind", "content_md", "source")
_NEWER = re.compile(r"global_v[1-9][0-9]{0,2}")
_SCOPE = re.compile(
    rf"global|{_NEWER.pattern}|project:[a-z0-9][a-z0-9._-]{{0,63}}|agent:[a-z][a-z0-9_-]{{0,31}}"
)
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
MAX_ID_LENGTH = 256
_MAX_TTL_DAYS = 366 * 1000
MAX_TAGS = 32
EMOTION_FORM = f"a word or a few of at most {MAX_EMOTION_LENGTH} characters, without punctuation"
MAX_PHRASES = 8
LONGEST_PHRASE = 60
_SHORTEST, _SHORTEST_CJK = 3, 2
_CJK = re.compile(f"[{CJK_RANGES}]")
MAX_PHRASES_LENGTH = 320
"""Letters of the shortest phrase, in general and of Japanese and Chinese, and of all phrases of a memory."""

_MANY_TERMS = 3
"""Terms of a phrase that has no word of its own beside the text's."""

_DEFAULTS = Settings()


def describe_type(value: object) -> str:
    """Return the type of a value in words, never the value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return f"a text of {len(value)} characters" if value else "an empty text"
    if isinstance(value, Mapping):
        return f"an object of {len(value)} fields"
    return f"a list of {len(value)}" if isinstance(value, list | tuple) else "something else"


def _named_agents(event: Mapping[str, Any], agents: AgentRegistry) -> Iterator[tuple[str, str]]:
    """Yield the fields that name an agent, with the agent's id in the place of an alias."""
    agent, scope = event.get("agent_id"), event.get("scope")
    if isinstance(agent, str):
        yield "agent_id", agents.canonical_id(agent)
    if isinstance(scope, str) and scope.startswith("agent:"):
        yield "scope", f"agent:{agents.canonical_id(scope.removeprefix('agent:'))}"


def _unregistered(
    event: Mapping[str, Any], agents: AgentRegistry, scopes: Collection[str], registry: str
) -> Iterator[str]:
    """Yield the problems of agents and scopes that are not registered. The file `registry` adds some."""
    agent, scope = event.get("agent_id"), event.get("scope")
    own = scope[6:] if isinstance(scope, str) and scope.startswith("agent:") else None
    is_agent = agent is None or (isinstance(agent, str) and agents.is_writer(agent))
    is_place = own is None or agents.is_writer(own)
    if not (is_agent and is_place):
        more = f"; others are added in `{registry}`" if registry else ""
        known = f"that is no registered agent, must be one of {', '.join(agents.writers)}{more}"
        if not is_agent:
            yield f"agent_id: {describe_type(agent)} {known}"
        if not is_place:
            yield f"scope: `agent:` and a name {known}"
    if isinstance(scope, str) and _NEWER.fullmatch(scope) and scope not in scopes:
        more = f"; one is added in `{registry}`" if registry else ""
        yield f"scope: it is not registered, must be one of {', '.join(('global', *scopes))}{more}"


def _repeating_phrases(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield problems of phrases that only repeat the text: they find nothing that the text does not."""
    text, phrases = event.get("content_md"), event.get("when")
    if not isinstance(text, str) or not isinstance(phrases, list):
        return
    for place, phrase in enumerate(phrases[:MAX_PHRASES]):
        if isinstance(phrase, str) and len(phrase) <= LONGEST_PHRASE and adds_no_word(phrase, text):
            yield (
                f"when[{place}]: it only repeats the text, say what somebody would type "
                "who does not know it"
            )


def adds_no_word(phrase: str, text: str) -> bool:
    """Return whether a phrase only repeats the text: it finds nothing that the text does not."""
    part, whole = normalize_for_comparison(phrase), normalize_for_comparison(text)
    # Where words stand apart, `cat` is no part of `concatenate`.
    is_part = part in whole if _CJK.search(part) else f" {part} " in f" {whole} "
    own = comparison_terms(phrase)
    return is_part or (len(own) >= _MANY_TERMS and own <= comparison_terms(text))


def is_long_enough(phrase: str) -> bool:
    """Return whether a phrase may name anything: three letters, or two that each are a word's part."""
    letters = phrase.strip()
    return len(letters) >= _SHORTEST or len(_CJK.findall(letters)) >= _SHORTEST_CJK


def _must_be(form: str, is_valid: Callable[[Any], bool]) -> AfterValidator:
    """Return what checks a value that is given. It is named by its type, never shown."""

    def check(value: object) -> object:
        if is_valid(value):
            return value
        raise ValueError(f"{describe_type(value)}, must be {form}")

    return AfterValidator(check)


def _matching(form: str, pattern: re.Pattern[str]) -> AfterValidator:
    return _must_be(form, lambda v: isinstance(v, str) and pattern.fullmatch(v) is not None)


def _one_of(allowed: Collection[str]) -> AfterValidator:
    return _must_be(f"one of {', '.join(allowed)}", lambda v: isinstance(v, str) and v in allowed)


def _text_of(most: int) -> AfterValidator:
    form = f"a text of at most {most} characters"
    return _must_be(form, lambda v: isinstance(v, str) and bool(v.strip()) and len(v) <= most)


def _list_of(most: int) -> BeforeValidator:
    form = f"a list of at most {most} texts"
    return BeforeValidator(_must_be(form, lambda v: isinstance(v, list) and len(v) <= most).func)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TTL_DAYS


def _require_key(value: str) -> str:
    found = dedupe_key.validate_dedupe_key(value)
    if found is not None:
        raise ValueError(f"{found[0]}: {found[1]}")
    return value


def _require_short(phrases: list[str]) -> list[str]:
    if sum(map(len, phrases)) > MAX_PHRASES_LENGTH:
        raise ValueError(f"more than {MAX_PHRASES_LENGTH} characters in all")
    return phrases


def _moment_of(text: str) -> datetime | None:
    if _MOMENT.fullmatch(text) is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


_TEXT = _text_of(MAX_ID_LENGTH)
_KEY = f"a text of at most {dedupe_key.MAX_KEY_LENGTH} characters"
_ID_OF_MEMORY = _matching("the id of a memory in full", _ID)
_PHRASE = _must_be(
    f"a text of {_SHORTEST} to {LONGEST_PHRASE} characters",
    lambda v: isinstance(v, str) and len(v) <= LONGEST_PHRASE and is_long_enough(v),
)


def _given_source(value: object) -> Mapping[str, object]:
    """Return what a source says, with its system, which is required. Raise ValueError for no object."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{describe_type(value)}, must be an object with `system`")  # noqa: TRY004
    return {"system": None, **{name: each for name, each in value.items() if each is not None}}


class _Source(BaseModel):
    """The place that a memory is from."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    system: Annotated[Any, _one_of(SYSTEMS)]
    thread_id: Annotated[Any, _TEXT] = None
    message_id: Annotated[Any, _TEXT] = None
    detail: Annotated[Any, _TEXT] = None
    claim: Annotated[Any, _TEXT] = None


class MemoryEvent(BaseModel):
    """A memory that somebody writes on purpose. Unknown fields are kept."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    run_id: Annotated[Any, _TEXT] = None
    session_id: Annotated[Any, _TEXT] = None
    task_id: Annotated[Any, _TEXT] = None
    agent_type: Annotated[Any, _TEXT] = None
    subagent_id: Annotated[Any, _TEXT] = None
    idempotency_key: Annotated[Any, _TEXT] = None
    scope: Annotated[Any, _matching("`global`, `project:<slug>` or `agent:<agent_id>`", _SCOPE)] = (
        None
    )
    kind: Annotated[Any, _one_of(MEMORY_KINDS)] = None
    dedupe_key: Annotated[
        Any, _must_be(_KEY, lambda v: isinstance(v, str)), AfterValidator(_require_key)
    ] = None
    confidence: Annotated[Any, _one_of(CONFIDENCE_LEVELS)] = None
    content_md: Annotated[
        Any, _must_be("a text", lambda v: isinstance(v, str) and bool(v.strip()))
    ] = None
    title: Annotated[Any, _text_of(MAX_TITLE_LENGTH)] = None
    emotion: Annotated[Any, _must_be(EMOTION_FORM, is_emotion)] = None
    when: Annotated[
        list[Annotated[Any, _PHRASE]] | None, _list_of(MAX_PHRASES), AfterValidator(_require_short)
    ] = None
    source: Annotated[_Source | None, BeforeValidator(_given_source)] = None
    supersedes: Annotated[Any, _ID_OF_MEMORY] = None
    contradicts: Annotated[Any, _ID_OF_MEMORY] = None
    ttl_days: Annotated[
        Any,
        _must_be(f"a whole number of days from 0 (for ever) to {_MAX_TTL_DAYS}", _is_whole),
    ] = None
    expires_at: Annotated[
        Any,
        _must_be(
            "a moment in UTC like 2026-01-31T12:00:00Z",
            lambda v: isinstance(v, str) and _moment_of(v) is not None,
        ),
    ] = None
    tags: Annotated[list[Annotated[Any, _TEXT]] | None, _list_of(MAX_TAGS)] = None
    paths: Annotated[list[Annotated[Any, _TEXT]] | None, _list_of(MAX_TAGS)] = None
    basis: Annotated[Any, _one_of(BASIS_VALUES)] = None
    stake: Annotated[Any, _one_of(STAKES)] = None
    role: Annotated[Any, _one_of(ROLES)] = None
    visibility: Annotated[Any, _one_of(VISIBILITIES)] = None
    is_private: Annotated[
        Any, _must_be("true or false", lambda v: isinstance(v, bool | int | str))
    ] = None

    @classmethod
    def read(
        cls,
        raw: Mapping[str, Any],
        now: datetime,
        settings: Settings = _DEFAULTS,
        registry: str = "",
    ) -> Record:
        """Return the event with canonical names, defaults, and `expires_at` set from `ttl_days`.

        `settings` name further agents and scopes and limit the text. They stand in the file `registry`.
        Raise RecordInvalid with every problem: the field and the allowed values, never the value.
        """
        agents, curated = agents_of(settings), settings.curated
        event = {_ALIASES.get(name, name): value for name, value in raw.items()}
        event |= _named_agents(event, agents)
        text = event.get("content_md")
        problems = [
            *(f"{name}: it is set by the broker" for name in event if name in _BROKER_FIELDS),
            *(f"{name}: it is missing" for name in _REQUIRED if event.get(name) is None),
            *_form_problems(event),
            *_unregistered(event, agents, curated.scopes, registry),
        ]
        if isinstance(text, str) and len(text) > curated.content_limit:
            problems.append(f"content_md: {describe_type(text)}, at most {curated.content_limit}")
        problems += _repeating_phrases(event)
        days, given = event.get("ttl_days"), event.get("expires_at")
        if not problems and days is not None and given is not None:
            computed = _expiry_after(now, days)
            if computed is None or computed[:10] != given[:10]:
                problems.append(
                    "expires_at: it is another day than `ttl_days` says, give one of them"
                )
        if problems:
            raise RecordInvalid(problems)
        return _fill_defaults(event, now)


def _form_problems(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of single fields, each behind the field's name and the place in it."""
    try:
        MemoryEvent.model_validate({n: v for n, v in event.items() if v is not None})
    except ValidationError as error:
        for each in error.errors(include_url=False, include_input=False):
            name, *inner = each["loc"]
            place = "".join(f"[{n}]: " if isinstance(n, int) else f"{n}: " for n in inner)
            yield f"{name}: {place}{each['msg'].removeprefix('Value error, ')}"


def _fill_defaults(event: Mapping[str, Any], now: datetime) -> Record:
    done = {name: value for name, value in event.items() if value is not None}
    done.setdefault("confidence", "high")
    # Without a basis, a sure writer is taken to have seen the fact, an unsure one to have inferred it.
    done.setdefault("basis", "tool" if done["confidence"] == "high" else "inferred")
    days = done.get("ttl_days")
    if days is not None:
        done["expires_at"] = _expiry_after(now, days)
    elif done.get("expires_at"):
        moment = _moment_of(done["expires_at"])
        done["ttl_days"] = max((moment - now).days, 1) if moment is not None else 0
    # Without both fields the memory is not permanent: it may be archived when nobody uses it.
    return Record(done)


def _expiry_after(now: datetime, days: int) -> str | None:
    """Return the moment `days` from `now`. Return None for 0, which is for ever (seed 000 §6).

    A moment past the year 9999 is None as well.
    """
    if not days:
        return None
    try:
        return (now + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    except OverflowError:
        return None
