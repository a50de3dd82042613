"""The OpenAPI document's words for each route: enough for a client to be made of it, or an action of ChatGPT."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Final

from pydantic import BaseModel

from hooklore.gateway.forms import (
    EVENT_SCHEMA,
    Appended,
    BatchAppended,
    Event,
    EventPage,
    EventsRecalled,
    Health,
    ProblemDetails,
    SnapshotAgain,
    SnapshotTaken,
)
from hooklore.gateway.problem import MEDIA_TYPE
from hooklore.mcp_server.input_schema import input_schema
from hooklore.memories.opened_scopes import PROJECT_PATTERN
from hooklore.requests.verb import Verb
from hooklore.requests.verbs import query, recall

_PROBLEMS: Final = {
    400: "The request cannot be read.",
    401: "The token is missing, unknown or expired.",
    403: "The token does not open this, or is another agent's.",
    404: "There is no such thing, or not for this token.",
    409: "The memory follows another major version of the rules.",
    413: "The body is too large.",
    415: "The body is of another type than JSON.",
    422: "A value is wrong, or the text holds a secret: `refusal` has its rule and place, never the value.",
    429: "Too many requests: wait as long as `Retry-After` says.",
    503: "Memory cannot be read or written: stop, and do as `action` says.",
}
"""The meaning of each status, on every route."""

_KEY: Final = {
    "name": "Idempotency-Key", "in": "header", "required": False,
    "description": "The same key and body get the same answer for 24 hours.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 256},
}  # fmt: skip
_BATCH: Final = {
    "type": "object",
    "required": ["events"],
    "properties": {
        "events": {"type": "array", "items": EVENT_SCHEMA, "minItems": 1, "maxItems": 50}
    },
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class _Route:
    """One route of the document: `writes` marks what a client should ask its user about."""

    operation: str
    summary: str
    answer: type[BaseModel] | UnionType
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    writes: bool = False
    others: Mapping[int, type[BaseModel] | UnionType] = field(default_factory=dict)
    headers: tuple[Mapping[str, Any], ...] = ()


def _of_caller() -> dict[str, Mapping[str, Any]]:
    return {
        "agent_id": {"type": "string", "description": "Yours; the token says it already."},
        "project": {"type": "string", "pattern": PROJECT_PATTERN,
                    "description": "The slug of the project that you work in."},
        "session_id": {"type": "string", "description": "Your session."},
        "group": {"type": "string", "enum": ["true", "false"],
                  "description": "`true` where others read the answer: nothing private is told."},
        "ruleset": {"type": "string", "description": "The rules that you follow, like `v1.0`."},
    }  # fmt: skip


def _of_query() -> dict[str, Mapping[str, Any]]:
    return dict(input_schema(query.QueryArguments, has_limits=True)["properties"])


_ROUTES: Final[Mapping[str, _Route]] = {
    "snapshot": _Route(
        "getMemorySnapshot",
        "Read the shared memory at the start of every run: pins first, then recent events.",
        SnapshotTaken,
        {
            "scopes": {"type": "string",
                       "description": "With commas: `global,project:<slug>`. All that you read else."},
            "limit_recent": {"type": "integer", "minimum": 0, "maximum": 200, "default": 50},
        },
    ),
    "snapshot_again": _Route(
        "getSnapshotAgain", "Read again what a snapshot of this token told of.", SnapshotAgain
    ),
    "append": _Route(
        "appendMemoryEvent",
        "Keep what is settled at the end of a run: a decision, a rule, a fact. One event, or `events`.",
        Appended | BatchAppended,
        body={"anyOf": [EVENT_SCHEMA, _BATCH]},
        writes=True,
        others={200: Appended | BatchAppended, 202: Appended | BatchAppended, 207: BatchAppended},
        headers=(_KEY,),
    ),
    "query": _Route(
        "queryMemory", "List events by scope, kind, tags, time and status, in pages.", EventPage,
        _of_query(),
    ),
    "event": _Route("getMemoryEvent", "Read one event by its id.", Event),
    "recall": _Route(
        "recallMemory", "Ask what memory knows about a question.", EventsRecalled,
        body=input_schema(recall.RecallArguments, has_limits=True),
    ),
    "health": _Route("getHealth", "Tell whether the memory answers.", Health),
}  # fmt: skip


def describe(name: str) -> dict[str, Any]:
    """Return the arguments of FastAPI's decorator for a route of the table."""
    route = _ROUTES[name]
    is_open = name == "health"
    parameters = {} if is_open else {**route.parameters, **_of_caller()}
    extra: dict[str, Any] = {
        "parameters": [
            *(_parameter(n, schema) for n, schema in parameters.items()),
            *route.headers,
        ],
        "x-openai-isConsequential": route.writes,
    }
    if route.body is not None:
        extra["requestBody"] = _body(route.body)
    if not is_open:
        extra["security"] = [{"bearer": []}]
    status = 201 if route.writes else 200
    others = {code: {"model": model} for code, model in route.others.items()}
    return {
        "operation_id": route.operation,
        "summary": route.summary,
        "description": route.summary,
        "status_code": status,
        "responses": {status: {"model": route.answer}, **others, **_problems(is_open=is_open)},
        "openapi_extra": extra,
    }


def describe_verb(verb: Verb) -> dict[str, Any]:
    """Return the arguments of FastAPI's decorator for a verb: those that every MCP server has are shown."""
    words = verb.name.split("_")
    return {
        "operation_id": f"{words[0]}{''.join(word.capitalize() for word in words[1:])}",
        "summary": verb.summary,
        "description": verb.summary,
        "include_in_schema": verb.tool == "every" and verb.name != "recall",
        "responses": {200: {"description": "The answer."}, **_problems(is_open=False)},
        "openapi_extra": {
            "parameters": [_parameter(name, schema) for name, schema in _of_caller().items()],
            "requestBody": _body(input_schema(verb.arguments, has_limits=True)),
            "x-openai-isConsequential": verb.writes,
            "security": [{"bearer": []}],
        },
    }


def _parameter(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in schema.items() if key != "description"}
    told = {"description": schema["description"]} if "description" in schema else {}
    if plain.get("type") == "array":  # which stands with commas
        plain = {"type": "string"}
    return {"name": name, "in": "query", "required": False, **told, "schema": plain}


def _body(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _problems(*, is_open: bool) -> dict[int | str, dict[str, Any]]:
    codes = (503,) if is_open else _PROBLEMS
    schema = {"$ref": f"#/components/schemas/{ProblemDetails.__name__}"}
    return {
        code: {"description": _PROBLEMS[code], "content": {MEDIA_TYPE: {"schema": schema}}}
        for code in codes
    }
