"""A payload in an agent's wire format becomes a `HookEvent`: once, leniently, whatever it holds."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from hooklore.agents.dialect import Dialect, Path
from hooklore.agents.json_salvage import parse_lenient_json, salvage_string
from hooklore.agents.prompt import split_prompt
from hooklore.agents.registry import dialect_of, normalize_agent_id
from hooklore.records.event import EventName, HookEvent
from hooklore.redaction import redact

MAX_NAME_LENGTH = 256
_LONGEST_PATH = 4096
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NOT_IN_A_NAME = re.compile(r"[^\w.:@+ -]")

_FACTS = {
    "CLAUDE_CODE_CHILD_SESSION": "child_session",
    "HOOKLORE_DEPTH": "depth",
}
"""What of the client's facts goes into `extra`: for those who decide whether a session counts."""


def parse_event(
    agent: str, wire_event: str, delivery_id: str, facts: Mapping[str, str], payload: bytes
) -> HookEvent:
    """The event that these bytes tell of. Never raises.

    `wire_event` is the name of the registration, which wins over the payload's. `facts` are what
    the client saw around it (CLAUDE_PROJECT_DIR, CLAUDE_CODE_ENTRYPOINT, CLAUDE_CODE_CHILD_SESSION,
    HOOKLORE_DEPTH, and TRUE_SIZE in bytes when only the head of the payload came). Fields of the
    wrong type are left out; of bytes that are no JSON object, what their head shows is kept and
    `problem` says why.
    """
    dialect = dialect_of(agent)
    fields, problem = _read(dialect, payload, facts)
    event = dialect.events.get(wire_event, "other")
    values = _common(dialect, fields) | _of_tool(dialect, event, fields)
    extra = _extra(dialect, event, fields, facts, wire_event)
    text = _text(fields, dialect.text.get(event, ()))
    if event == "prompt":
        text = _take_prompt_apart(text, extra)
    if event == "failure":
        values["interrupted"] = _is_cancelled(dialect, fields, text, extra)
    if values["agent_type"] is not None:
        extra["role"] = dialect.roles.get(values["agent_type"], "general")
    if event == "agent_stop" and _at(fields, dialect.names["agent_type"]) == "":
        extra["compacting"] = True
    return HookEvent(
        event=event,
        agent_id=normalize_agent_id(agent),
        delivery_id=delivery_id,
        wire_event=wire_event,
        project_dir=_path(facts.get("CLAUDE_PROJECT_DIR")),
        entrypoint=_name(facts.get("CLAUDE_CODE_ENTRYPOINT")),
        text=text,
        source=_name(_at(fields, dialect.source.get(event, ()))),
        extra=extra,
        problem=problem,
        true_size=_true_size(facts) or len(payload),
        **values,
    )


def _read(
    dialect: Dialect, payload: bytes, facts: Mapping[str, str]
) -> tuple[dict[str, Any], str | None]:
    """(the payload's fields, None), or (what could be saved, why not all)."""
    size = _true_size(facts)
    if size > len(payload):
        return _salvaged(dialect, payload), f"only {len(payload)} of {size} bytes came"
    value, problem = parse_lenient_json(payload)
    if isinstance(value, dict):
        return value, None
    return _salvaged(dialect, payload), problem or "not an object"


def _true_size(facts: Mapping[str, str]) -> int:
    size = facts.get("TRUE_SIZE", "")
    return int(size) if size.isascii() and size.isdigit() and len(size) <= 18 else 0


def _salvaged(dialect: Dialect, payload: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in dialect.salvaged:
        value = salvage_string(payload, path[-1])
        if value is None:
            continue
        inner = found
        for key in path[:-1]:
            inner = inner.setdefault(key, {})
        inner[path[-1]] = value
    return found


def _at(fields: Any, path: Path) -> Any:
    for key in path:
        if not isinstance(fields, dict):
            return None
        fields = fields.get(key)
    return fields if path else None


def _text(fields: dict[str, Any], path: Path) -> str | None:
    value = _at(fields, path)
    return value if isinstance(value, str) else None


def _name(value: object) -> str | None:
    """An id or a name: no separators and control characters, at most 256 characters, None if blank.

    One that is cut ends in a digest of the whole, so that two long ones stay two.
    """
    if not isinstance(value, str):
        return None
    clean = _NOT_IN_A_NAME.sub("_", value)
    if (
        clean != value
    ):  # no id: what stands in it must be found before it is hidden among underscores
        clean = _NOT_IN_A_NAME.sub("_", redact(value).text)
    if len(clean) > MAX_NAME_LENGTH:
        digest = hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=8).hexdigest()
        clean = f"{clean[: MAX_NAME_LENGTH - 17]}-{digest}"
    return clean.strip() or None


def _path(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return _CONTROL.sub("", value)[:_LONGEST_PATH] or None


def _common(dialect: Dialect, fields: dict[str, Any]) -> dict[str, Any]:
    found = {attribute: _name(_at(fields, path)) for attribute, path in dialect.names.items()}
    for attribute, path in dialect.locations.items():
        found[attribute] = _path(_at(fields, path))
    return found


def _of_tool(dialect: Dialect, event: EventName, fields: dict[str, Any]) -> dict[str, Any]:
    """Everything that only events of a tool have."""
    if event not in ("before_tool", "after_tool", "failure"):
        return {}
    tool = _text(fields, dialect.names["tool"])
    tool_class = _tool_class(dialect, tool)
    given = _at(fields, dialect.values["tool_input"])
    return {
        "tool_class": tool_class,
        "tool_input": given if isinstance(given, dict) else {},
        "tool_response": _at(fields, dialect.values["tool_response"]),
        "duration_ms": _milliseconds(_at(fields, dialect.values["duration_ms"])),
        "paths": _paths(dialect, fields),
        "command": _text(fields, dialect.command) if tool_class == "command" else None,
    }


def _tool_class(dialect: Dialect, tool: str | None) -> str | None:
    if tool is None:
        return None
    prefixed = (kind for start, kind in dialect.tool_prefixes.items() if tool.startswith(start))
    return dialect.tools.get(tool) or next(prefixed, "other")


def _milliseconds(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
        return 0
    return int(value)


def _paths(dialect: Dialect, fields: dict[str, Any]) -> tuple[str, ...]:
    found = (_path(_at(fields, path)) for path in dialect.paths)
    return tuple(dict.fromkeys(path for path in found if path))


def _extra(
    dialect: Dialect,
    event: EventName,
    fields: dict[str, Any],
    facts: Mapping[str, str],
    wire_event: str,
) -> dict[str, Any]:
    wanted = dialect.extra.get(event, {})
    found = {name: _at(fields, path) for name, path in wanted.items()}
    extra = {name: v for name, v in found.items() if isinstance(v, str | bool) and v != ""}
    extra |= {name: facts[fact] for fact, name in _FACTS.items() if facts.get(fact)}
    told = _name(_at(fields, dialect.event_name))
    if told and told != wire_event:
        extra["payload_event"] = told
    return extra


def _take_prompt_apart(prompt: str | None, extra: dict[str, Any]) -> str | None:
    """The user's own words; what else the prompt held goes into `extra`."""
    if prompt is None:
        return None
    parts = split_prompt(prompt)
    if parts.command:
        extra["slash"] = {"name": parts.command, "arguments": parts.arguments}
    if parts.notification:
        extra["notification"] = parts.notification
    if parts.injected:
        extra["injected"] = True
    return parts.words


def _is_cancelled(
    dialect: Dialect, fields: dict[str, Any], text: str | None, extra: dict[str, Any]
) -> bool:
    """Whether somebody stopped the tool; notes the exit status that the error begins with."""
    status = re.match(dialect.exit_status, text) if text and dialect.exit_status else None
    if status:
        extra["exit_status"] = int(status[1])
    if _at(fields, dialect.values["interrupted"]) is True:
        return True
    return text is not None and text.startswith(dialect.cancelled)
