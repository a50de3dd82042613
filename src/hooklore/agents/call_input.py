"""A tool call, read from a payload by the places of its parts. Fields of the wrong type are left out."""

from collections.abc import Mapping
from typing import Any

from hooklore.agents.agent import CallFields, Field, Payload
from hooklore.agents.event import EDITING_CLASSES, FILE_CLASSES, Edit, ToolCall, ToolOutput
from hooklore.agents.flattened_text import flatten_text

_FORMS = FILE_CLASSES | {"agent", "command"}
"""Classes of tools whose input is read field by field."""

_LISTS = ("todos", "plan", "tasks")
_TEXTS = ("content", "step", "description", "title", "text")
_DONE = ("completed", "complete", "done", "cancelled")
_MOST = 40
_PRIVATE = ("private", "is_private")
_MEMORIES = ("content", "content_md", "text", "memory", "note")


def read_input(
    payload: Payload, tool_class: str | None, fields: CallFields, **read: Any
) -> ToolCall:
    """Return the tool call of a payload. `read` are the parts that the agent's own module has read."""
    given = object_at(payload, fields.given)
    is_agent, is_formless = tool_class == "agent", tool_class not in _FORMS
    found = {"paths": tuple(dict.fromkeys(texts_of(given, *fields.paths)))} | read
    if tool_class in EDITING_CLASSES and "edits" not in read:
        path = found["paths"][0] if found["paths"] else ""
        found["edits"] = tuple(_edits(given, fields, path))
    if tool_class == "command":
        line = given.get(fields.command)
        if isinstance(line, list):  # some clients send the words of a program
            line = " ".join(word for word in line if isinstance(word, str)) or None
        found["command"] = line if isinstance(line, str) else None
    if is_formless:
        found |= {"arguments": arguments_text(given), "stated_privacy": stated_privacy(given)}
    if fields.output and (gave := object_at(payload, fields.gave)):
        found["output"] = ToolOutput(first_text(gave, fields.output) or "")
    if is_agent:
        found["assignment"] = first_text(given, *fields.assignment)
        found["started_agent_type"] = first_text(given, fields.agent_type)
    return ToolCall(
        intent=first_text(given, *fields.intent),
        described=tuple(texts_of(given, *fields.described)),
        pattern=first_text(given, fields.pattern) or "",
        **found,
    )


def object_at(fields: Any, way: Field) -> Mapping[str, Any]:
    """Return the object at the end of a way of keys, {} for any other value."""
    for key in way:
        fields = fields.get(key) if isinstance(fields, dict) else None
    return fields if isinstance(fields, dict) else {}


def texts_of(given: Any, *names: str) -> list[str]:
    """Return the texts of an object under these names."""
    if not isinstance(given, dict):
        return []
    return [given[name] for name in names if isinstance(given.get(name), str)]


def first_text(given: Any, *names: str) -> str | None:
    """Return the first text of an object under these names that is not empty."""
    return next(filter(None, texts_of(given, *names)), None)


def arguments_text(given: Mapping[str, Any]) -> str:
    """Return the input of a tool as text: a model's task list as lines with boxes, any other input flat."""
    lists = (given[name] for name in _LISTS if isinstance(given.get(name), list))
    entries: list[Any] = next(lists, [])
    lines = [line for entry in entries[:_MOST] if (line := _task_line(entry))]
    return "\n".join(lines) if lines and len(lines) == len(entries[:_MOST]) else flatten_text(given)


def stated_privacy(given: Mapping[str, Any]) -> object:
    """Return the flag by which an input marks its text as private, like `remember(private=true)` of seed 001.

    An input without a text has none: a repository may be private.
    """
    flags = [given[name] for name in _PRIVATE if name in given]
    return flags[0] if flags and texts_of(given, *_MEMORIES) else None


def _edits(given: Mapping[str, Any], fields: CallFields, path: str) -> list[Edit]:
    """Return the edits of an input, or the one edit that the input is."""
    listed = given.get(fields.edits)
    edits = listed if isinstance(listed, list) and listed else [given]
    return [
        Edit(path, first_text(e, fields.before) or "", first_text(e, *fields.after) or "")
        for e in edits
    ]


def _task_line(entry: Any) -> str:
    """Return an entry of a task list as a line, "" for a value of another form."""
    if not isinstance(entry, dict) or not isinstance(entry.get("status"), str):
        return ""
    text = next(iter(texts_of(entry, *_TEXTS)), "")
    box = "x" if entry["status"].lower() in _DONE else " "
    return f"- [{box}] {' '.join(text.split())}" if text.strip() else ""
