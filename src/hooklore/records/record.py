"""One line of the log as a value, from the log's reader to the last renderer.

`Record` and `Body` are frozen and typed, but do not validate: `records/schema.py` validates what is
written, and a second validation of what is read back would cost a rebuild a fifth. `log/known_fields.py`
leaves out what a foreign or newer line spells in another type, so that properties have their types.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError
from typing import Any, Final, NoReturn, Self, TypeAlias, cast

_NULL = type(None)


_FIELDS: dict[property, tuple[str, frozenset[type]]] = {}
"""The name of each property's field, and the JSON types of its value. A subclass of `property` is slower."""


def _field(name: str, read: Callable[[Any], Any], *types: type) -> property:
    made = property(read)
    _FIELDS[made] = name, frozenset(types)
    return made


def _text(name: str, default: str = "") -> str:
    """Return a property for a text that every line has."""
    return cast("str", _field(name, lambda self: self._fields.get(name, default), str))


def _optional_text(name: str) -> str | None:
    """Return a property for a text that a line may lack."""
    return cast("str | None", _field(name, lambda self: self._fields.get(name), str, _NULL))


def _optional_int(name: str) -> int | None:
    """Return a property for a whole number that a line may lack."""
    return cast("int | None", _field(name, lambda self: self._fields.get(name), int, _NULL))


def _flag(name: str) -> bool:
    """Return a property for a flag that is false where a line lacks it."""
    return cast("bool", _field(name, lambda self: self._fields.get(name, False), bool))


def _texts(name: str) -> tuple[str, ...]:
    """Return a property for a list of texts that is empty where a line lacks it."""
    return cast(
        "tuple[str, ...]", _field(name, lambda self: self._fields.get(name) or (), list, _NULL)
    )


def _mapping(name: str) -> Mapping[str, Any]:
    """Return a property for a JSON object that is empty where a line lacks it."""
    return cast(
        "Mapping[str, Any]", _field(name, lambda self: self._fields.get(name) or {}, dict, _NULL)
    )


class _JsonObject:
    """A frozen view of one JSON object; fields that no property names survive in it."""

    __slots__ = ("_fields",)
    _fields: Mapping[str, Any]

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]  # a value may hold lists

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self._fields)!r})"

    def __contains__(self, name: str) -> bool:
        """Return whether the line has the field `name`, null or not."""
        return name in self._fields

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the line's fields, in its order."""
        return iter(self._fields)

    @classmethod
    def of(cls, **fields: object) -> Self:
        """Return a value with those of `fields` that are not None, in their order; `body` may be a `Body`."""
        given = {name: value for name, value in fields.items() if value is not None}
        if isinstance(body := given.get("body"), _JsonObject):
            given["body"] = body._fields
        return cls(given)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """Wrap `fields`, which the caller no longer changes."""
        _set_fields(self, fields)

    def with_fields(self, **changes: object) -> Self:
        """Return a copy with `changes`; a None is kept as null, and `body` may be a `Body`."""
        if isinstance(body := changes.get("body"), _JsonObject):
            changes["body"] = body._fields
        return type(self)({**self._fields, **changes})

    def without(self, *names: str) -> Self:
        """Return a copy that lacks the fields `names`."""
        return type(self)({k: v for k, v in self._fields.items() if k not in names})

    def pick(self, *names: str) -> dict[str, Any]:
        """Return the fields `names` by name, None where the line lacks one: for a new value."""
        return {name: self._fields.get(name) for name in names}

    def extra(self, name: str) -> Any:
        """Return the value of a field that no property names, as JSON; None where the line lacks it."""
        return self._fields.get(name)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object itself: for the line in the log, a wire, and printing."""
        return cast("dict[str, Any]", self._fields)


_set_fields = _JsonObject._fields.__set__  # type: ignore[attr-defined,misc]  # a frozen slot, set once
"""Twice as fast as `object.__setattr__`: a rebuild makes two values of each of a million lines."""


class Body(_JsonObject):
    """The content of a record, by its stream (seed 003 envelope, seed 000 §6b)."""

    __slots__ = ()

    # an observation
    intent = _optional_text("intent")
    goal = _optional_text("goal")
    actions = _texts("actions")
    outcome = _optional_text("outcome")
    artifacts = _texts("artifacts")
    errors = _texts("errors")
    lessons = _optional_text("lessons")
    cost = _mapping("cost")
    text = _optional_text("text")
    tool = _optional_text("tool")
    command = _optional_text("command")
    exit_status = _optional_int("exit_status")
    stopped_by = _optional_text("stopped_by")
    passing_errors = _texts("passing_errors")
    signature = _optional_text("signature")
    key = _optional_text("key")
    task = _optional_text("task")
    subject = _optional_text("subject")
    author = _optional_text("author")
    change = _optional_text("change")
    sections = _mapping("sections")
    agent_said = _mapping("agent_said")
    excluded = _flag("excluded")
    # a memory
    content_md = _text("content_md")
    title = _optional_text("title")
    emotion = _optional_text("emotion")
    when = _texts("when")
    tags = _texts("tags")
    paths = _texts("paths")
    # a synthesis
    sources = _texts("sources")
    failures = _texts("failures")
    signatures = _texts("signatures")
    about = _optional_text("about")
    fix_kind = _optional_text("fix_kind")
    evidence = _optional_text("evidence")
    tells_error = _flag("tells_error")
    in_vain = _texts("in_vain")
    evasive = _texts("evasive")
    steps = _optional_int("steps")
    # a control record
    targets = _texts("targets")
    asked = _texts("asked")
    lines = _texts("lines")
    trigger = _optional_text("trigger")
    tokens = _optional_int("tokens")
    delivery = _optional_text("delivery")
    snapshot_id = _optional_text("snapshot_id")
    verdict = _optional_text("verdict")
    grant = _optional_text("grant")
    slug = _optional_text("slug")
    name = _optional_text("name")
    reason = _optional_text("reason")
    detail = _mapping("detail")


class Record(_JsonObject):
    """One line of the log: a small envelope, then a body by `stream`.

    `ts` is RFC 3339 in UTC and `id` a UUIDv7. A draft's record has no id, hash or resolved scope yet.
    """

    __slots__ = ("body",)
    body: Body

    id = _text("id")
    ts = _text("ts")
    stream = _text("stream")
    kind = _text("kind")
    agent_id = _text("agent_id")
    role = _text("role", "general")
    scope = _text("scope")
    delivery_id = _optional_text("delivery_id")
    natural_key = _optional_text("natural_key")
    agent_type = _optional_text("agent_type")
    subagent_id = _optional_text("subagent_id")
    project = _optional_text("project")
    branch = _optional_text("branch")
    session_id = _optional_text("session_id")
    run_id = _optional_text("run_id")
    task_id = _optional_text("task_id")
    visibility = _text("visibility", "public")
    contradicted_by = _optional_text("contradicted_by")
    """The id of the memory that leads this one (`broker/leading.py`), of `contradicted_on`. No line has the two."""
    contradicted_on = _optional_text("contradicted_on")
    is_private = _flag("is_private")
    basis = _optional_text("basis")
    through = _optional_text("through")
    self_named = _flag("self_named")
    also_said_by = _texts("also_said_by")
    confidence = _text("confidence", "high")
    importance = _mapping("importance")
    trust = _optional_text("trust")
    expires_at = _optional_text("expires_at")
    dedupe_key = _optional_text("dedupe_key")
    supersedes = _optional_text("supersedes")
    contradicts = _optional_text("contradicts")
    ttl_days = _optional_int("ttl_days")
    created_at = _optional_text("created_at")
    waits = _optional_text("waits")
    approves = _optional_text("approves")
    resolves = _optional_text("resolves")
    restores = _optional_text("restores")
    promoted_from = _optional_text("promoted_from")
    warnings = _texts("warnings")
    source = _mapping("source")
    hash = _optional_text("hash")

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """Wrap the fields of a line, or of a draft."""
        _set_fields(self, fields)
        body = fields.get("body")
        _set_body(self, Body(body if isinstance(body, dict) else {}))

    @property
    def source_detail(self) -> str | None:
        """The program or hook that made the record (`hook:` and the agent's name of the event)."""
        source = self.source
        return source.get("detail") if isinstance(source, dict) else None

    @property
    def imported_from(self) -> str | None:
        """The program from whose memories the record was copied, "" where it is unknown; None for our own."""
        way, _, program = str(self.source_detail or "").partition(":")
        return program.partition(":")[0] if way == "import" else None

    @property
    def is_by_user(self) -> bool:
        """True for a record that holds the user's own words.

        The word of another program, or of an agent that says what the user said, does not count.
        """
        return self.basis == "user" and self.imported_from is None and self.through is None

    @property
    def prior(self) -> float | None:
        """The importance that was stored with the record, from 0 to 1."""
        score = self.importance.get("score") if isinstance(self.importance, dict) else None
        return float(score) if isinstance(score, int | float) else None


_set_body = Record.body.__set__  # type: ignore[attr-defined,misc]  # as `_set_fields`


def field_types(of: type[_JsonObject]) -> dict[str, frozenset[type]]:
    """Return the JSON types that the value of each field of a record or a body may have."""
    return dict(
        _FIELDS[value]
        for value in vars(of).values()
        if isinstance(value, property) and value in _FIELDS
    )


Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def strings_of(value: object) -> list[str]:
    """Return every string of a JSON value, keys left out, without recursion."""
    pending, found = [value], list[str]()
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, list | tuple):
            pending += item
    return found


FROM_A_MEMORY_FILE: Final = "native"
"""The beginning of `source.detail` of a memory that comes from an agent's own memory file; its name follows."""


def is_from_memory_file(record: Record) -> bool:
    """Return whether a memory comes from an agent's own memory file."""
    return str(record.source_detail or "").partition(":")[0] == FROM_A_MEMORY_FILE


def spoken_text(body: Body) -> str | None:
    """Return the text of an observation, behind its author where it is a turn; None without a text."""
    text, author = body.text, body.author
    return f"{author}: {text}" if author and text else text


def readers_of_turn(record: Record) -> tuple[object, ...]:
    """Return a value that two turns share only where whoever may read one may read the other."""
    named: Mapping[str, object] = record.pick("project", "scope", "visibility", "role")
    return (record.session_id, record.agent_id, record.is_private, *named.values())


_NO = frozenset(("", "0", "false", "no", "off", "none", "null"))
_VISIBILITY_OF_PRIVACY = {"private": "session"}
"""Seed 003 writes `privacy`, where `private` means the record's own session. That is a visibility here,
because privacy from replicas and logs is a field of its own."""


def parse_flag(value: object) -> bool:
    """Return a flag by its meaning: 1, "1", "true", "yes" and true, or their opposites. None is false.

    A value that is neither is true, because a private text must not leak by a typing error.
    """
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, int | float):
        return value != 0
    return not (isinstance(value, str) and value.strip().lower() in _NO)


def is_privacy_normal(fields: Mapping[str, object]) -> bool:
    """Return whether `normalize_privacy` would change nothing: a quick test for a million lines."""
    return (
        type(fields.get("is_private", False)) is bool
        and fields.get("visibility") != "private"
        and "privacy" not in fields
    )


def normalize_privacy(record: Record) -> Record:
    """Return the record with `is_private` as a bool, and `privacy` read as `visibility`.

    Return the very same object when there is nothing to change.
    """
    changes: dict[str, object] = {}
    is_private = record.extra("is_private") if "is_private" in record else False
    if type(is_private) is not bool:
        changes["is_private"] = parse_flag(is_private)
    value = record.extra("visibility" if "visibility" in record else "privacy")
    visibility = _VISIBILITY_OF_PRIVACY.get(value, value) if isinstance(value, str) else value
    if visibility is not None and visibility != record.extra("visibility"):
        changes["visibility"] = visibility
    return record.with_fields(**changes) if changes else record
