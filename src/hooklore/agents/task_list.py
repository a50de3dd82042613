"""The task list that a model keeps by a tool of its client, as lines with boxes."""

from collections.abc import Mapping
from typing import Any

from hooklore.agents.flattened_text import flatten_text

_LISTS = ("todos", "plan", "tasks")
_TEXTS = ("content", "step", "description", "title", "text")
_DONE = ("completed", "complete", "done", "cancelled")
_MOST = 40


def arguments_text(given: Mapping[str, Any]) -> str:
    """Return the input of a tool as text: a task list as lines with boxes, any other input flat."""
    lists = (given[name] for name in _LISTS if isinstance(given.get(name), list))
    entries: list[Any] = next(lists, [])
    lines = [line for entry in entries[:_MOST] if (line := _line(entry))]
    return "\n".join(lines) if lines and len(lines) == len(entries[:_MOST]) else flatten_text(given)


def _line(entry: Any) -> str:
    """Return an entry of a task list as a line, "" for a value of another form."""
    if not isinstance(entry, dict) or not isinstance(entry.get("status"), str):
        return ""
    text = next((entry[name] for name in _TEXTS if isinstance(entry.get(name), str)), "")
    box = "x" if entry["status"].lower() in _DONE else " "
    return f"- [{box}] {' '.join(text.split())}" if text.strip() else ""
