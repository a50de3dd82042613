"""A payload in an agent's wire format becomes a `HookEvent`: once, leniently, whatever it holds."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from hooklore.agents.agent import Agent, Field
from hooklore.agents.event import TOOL_EVENTS, EventName, HookEvent
from hooklore.agents.json_salvage import parse_lenient_json, salvage_string
from hooklore.agents.registry import agent_of, normalize_agent_id
from hooklore.memories.agent_registry import AgentRegistry, RegisteredAgent
from hooklore.prompt.echo import strip_echo
from hooklore.redaction import redact
from hooklore.redaction.id_redaction import redact_id
from hooklore.redaction.private_parts import without_private, without_private_parts
from hooklore.shell.own_command import without_token

MAX_NAME_LENGTH = 256
_SHORT_NAME = 64
"""Characters of a name that is remembered: tools, modes and models repeat from event to event."""

_IDS = frozenset(("session_id", "subagent_id", "task_id", "tool_use_id"))
_LONGEST_PATH = 4096
_READ = 256 * 1024
"""Characters of a prompt that are searched for what the user did not type. Of the rest nothing is kept."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NOT_IN_A_NAME = re.compile(r"[^\w.:@+ -]")

Fields = dict[str, Any]
"""A payload's JSON object, or what could be saved of a damaged one."""


def parse_event(
    agent: str,
    wire_event: str,
    delivery_id: str,
    facts: Mapping[str, str],
    payload: bytes,
    *,
    registry: AgentRegistry | None = None,
) -> HookEvent:
    """Return the event that `payload` tells of. Never raises.

    The event has the agent's id and role in `registry`, by default those of the client's module. A
    subagent has the role of its type.

    `wire_event` is the name of the registration, which wins over the payload's. `facts` are the
    variables that the launcher's client saw, and TRUE_SIZE in bytes when only the head of the payload
    came. Fields of the wrong type are left out. Of bytes that are no JSON object, the strings in their
    head are kept and `problem` says why.
    """
    client = agent_of(agent)
    fields, problem = _read(client, payload, facts)
    fields, private_parts = without_private_parts(fields, payload)
    described = client.events.get(wire_event)
    event = client.refine_event(described.event, fields) if described else "other"
    values = _common(client, event, facts, fields) | _of_tool(client, event, fields)
    wanted = client.wire.text.get(event, ())
    text = wanted(fields) if callable(wanted) else _string(_at(fields, wanted))
    if event == "prompt":
        values |= _of_prompt(client, text)
    source = _name(_at(fields, client.wire.source.get(event, ())))
    if event == "session_start":
        starts = client.starts
        values |= {"forgets": source in starts.forgetting, "is_unheard": source in starts.unheard}
    if event == "failure":
        values |= _of_failure(client, fields, values["tool_class"], text)
    told = _name(_at(fields, client.wire.event_name))
    agent_id, role = _identity(registry, normalize_agent_id(agent), values, client)
    return HookEvent(
        event=event,
        agent_id=agent_id,
        delivery_id=redact_id(delivery_id),
        wire_event=wire_event,
        payload_event=told if told != wire_event else None,
        role=role,
        source=source,
        is_summarizer=event == "agent_stop" and client.is_summarizer(fields),
        private_parts=private_parts,
        problem=problem,
        **({"text": text} | values),
    )


def _read(agent: Agent, payload: bytes, facts: Mapping[str, str]) -> tuple[Fields, str | None]:
    """Return the payload's fields and None, or what could be saved of them and why not all."""
    told = facts.get("TRUE_SIZE", "")
    size = int(told) if told.isascii() and told.isdigit() and len(told) <= 18 else 0
    if size > len(payload):
        return _salvaged(agent, payload), f"only {len(payload)} of {size} bytes came"
    value, problem = parse_lenient_json(payload)
    if isinstance(value, dict):
        return value, None
    return _salvaged(agent, payload), problem or "not an object"


def _salvaged(agent: Agent, payload: bytes) -> Fields:
    found: Fields = {}
    for path in agent.wire.salvaged:
        value = salvage_string(payload, path[-1])
        if value is None:
            continue
        inner = found
        for key in path[:-1]:
            inner = inner.setdefault(key, {})
        inner[path[-1]] = value
    return found


def _at(fields: Any, path: Field) -> Any:
    for key in path:
        if not isinstance(fields, dict):
            return None
        fields = fields.get(key)
    return fields if path else None


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _name(value: object) -> str | None:
    """Return an id or a name without separators and control characters; None when it is blank.

    A name of more than 256 characters is cut and ends in a digest of the whole, so that two long names
    stay two.
    """
    if not isinstance(value, str):
        return None
    return _clean_short_name(value) if len(value) <= _SHORT_NAME else _clean_name(value)


def _clean_name(value: str) -> str | None:
    clean = _NOT_IN_A_NAME.sub("_", value)
    if clean != value or len(clean) > MAX_NAME_LENGTH:
        # It is no id: a secret in it must be found before underscores hide it, and before it is cut.
        clean = _NOT_IN_A_NAME.sub("_", redact(value[:_LONGEST_PATH]).text)
    if len(clean) > MAX_NAME_LENGTH:
        digest = hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=8).hexdigest()
        clean = f"{clean[: MAX_NAME_LENGTH - 17]}-{digest}"
    return clean.strip() or None


_clean_short_name = lru_cache(maxsize=512)(_clean_name)


def _id(value: object) -> str | None:
    """Return an id, or the hash of a text that has no id's form; None when it is blank."""
    if not isinstance(value, str) or not value.strip():
        return None
    return redact_id(value)


def _path(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    path = _CONTROL.sub("", value)
    return path if len(path) <= _LONGEST_PATH else redact(path[:_READ]).text[:_LONGEST_PATH]


def _common(
    agent: Agent, event: EventName, facts: Mapping[str, str], fields: Fields
) -> dict[str, Any]:
    """Return ids, names, paths, the session's marks, and the texts that only some events have."""
    found: dict[str, Any] = {"agent_type": None}
    for attribute, path in agent.wire.names.items():
        found[attribute] = (_id if attribute in _IDS else _name)(_at(fields, path))
    for attribute, path in agent.wire.locations.items():
        found[attribute] = _path(_at(fields, path))
    for attribute, path in agent.wire.details.get(event, {}).items():
        found[attribute] = _string(_at(fields, path)) or None
    if event == "answer_failed":
        texts = (_string(_at(fields, path)) for path in agent.wire.failure_details)
        found["failure_details"] = tuple(filter(None, texts))
    marks = agent.marks
    told = without_private(facts.get(marks.entrypoint, ""))[0]
    entrypoint = _name(told or agent.read_entrypoint(fields))
    return found | {
        "project_dir": _path(facts.get(marks.project_dir)),
        "entrypoint": entrypoint,
        "is_interactive": entrypoint in marks.interactive,
        "is_unproven": entrypoint is None and bool(marks.interactive),
    }


def _identity(
    registry: AgentRegistry | None, agent_id: str, values: Mapping[str, Any], client: Agent
) -> tuple[str, str]:
    """Return the id and the role of an event's agent."""
    known = registry.of_record(agent_id) if registry else RegisteredAgent(agent_id)
    agent_type = values["agent_type"]
    if agent_type is not None:
        return known.id, client.roles.get(agent_type, "general")
    return known.id, "general" if values.get("subagent_id") else known.role


def _of_tool(agent: Agent, event: EventName, fields: Fields) -> dict[str, Any]:
    """Return the attributes of a tool's event: paths are clean, the command has no confirmation's token."""
    if event not in TOOL_EVENTS:
        return {}
    tool_class = agent.tool_class(_string(_at(fields, agent.wire.names.get("tool", ()))))
    took = _at(fields, agent.wire.duration_ms)
    is_number = isinstance(took, int | float) and not isinstance(took, bool)
    milliseconds = int(took) if is_number and 0 < took < 1e12 else 0
    call = agent.read_call(fields, tool_class)
    if call.command and call.command != (command := without_token(call.command)):
        call = replace(call, command=command)
    clean = tuple(dict.fromkeys(filter(None, map(_path, call.paths))))
    if clean != call.paths:
        call = replace(call, paths=clean)
    return {"tool_class": tool_class, "call": call, "duration_ms": milliseconds}


def _of_prompt(agent: Agent, prompt: str | None) -> dict[str, Any]:
    """Return the user's own words, and what else the prompt held."""
    if prompt is None:
        return {}
    head, rest = prompt[:_READ], prompt[_READ:]
    parts = agent.split_prompt(strip_echo(head))
    return {
        "text": parts.words + rest if parts.words else parts.words,
        "slash": parts.slash,
        "notification": parts.notification,
    }


def _of_failure(
    agent: Agent, fields: Fields, tool_class: str | None, text: str | None
) -> dict[str, Any]:
    """Return who stopped the tool, and the exit status that the error begins with."""
    status = agent.stops.exit_status.match(text or "")
    is_interrupted = _at(fields, agent.wire.interrupted) is True
    return {
        "exit_status": int(status[1]) if status else None,
        "stopped_by": "interrupted"
        if is_interrupted
        else agent.stops.stopped_by(tool_class, text or ""),
    }
