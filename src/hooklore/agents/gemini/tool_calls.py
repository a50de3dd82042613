"""Tool calls of Gemini CLI, read from the input and the response that its payloads carry."""

import os
from collections.abc import Mapping
from typing import Any

from hooklore.agents.agent import Payload
from hooklore.agents.event import EDITING_CLASSES, Edit, ToolCall, ToolOutput
from hooklore.agents.gemini.tool_answer import (
    answer_text,
    error_of,
    read_shell_answer,
    response_of,
)
from hooklore.agents.stated_privacy import stated_privacy
from hooklore.agents.task_list import arguments_text

_READ_CLASSES = frozenset(("read", "search"))
_FILE_CLASSES = EDITING_CLASSES | _READ_CLASSES
_FORMS = frozenset(("edit", "write", "read", "search", "agent", "command"))
"""Classes of tools whose input is read field by field."""

_HEADERS = ("+++ ", "--- ")


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload. Fields of the wrong type are left out."""
    given, response = _dict(payload.get("tool_input")), response_of(payload)
    shown = _dict(response.get("returnDisplay"))
    is_edit, is_agent = tool_class in EDITING_CLASSES, tool_class == "agent"
    paths = _paths(payload, given, shown)
    return ToolCall(
        paths=paths,
        command=_text(given, "command") if tool_class == "command" else None,
        edits=_edits(given, paths) if is_edit else (),
        changed_lines=_changed_lines(shown) if is_edit else (),
        intent=_text(given, "description") or _text(given, "instruction"),
        assignment=_text(given, "prompt") if is_agent else None,
        described=_strings(given, "description", "instruction", "query", "prompt"),
        started_agent_type=_text(given, "agent_name") if is_agent else None,
        arguments="" if tool_class in _FORMS else arguments_text(given),
        pattern=_text(given, "pattern") or "",
        output=_output(payload, response, tool_class),
        stated_privacy=None if tool_class in _FORMS else stated_privacy(given),
    )


def _paths(payload: Payload, given: Mapping[str, Any], shown: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files of a call. The model may name them relative to the folder of the session."""
    named = (_text(shown, "filePath"), _text(given, "file_path"))
    folder = payload.get("cwd")
    root = folder if isinstance(folder, str) else ""
    return tuple(dict.fromkeys(os.path.join(root, path) for path in named if path))


def _edits(given: Mapping[str, Any], paths: tuple[str, ...]) -> tuple[Edit, ...]:
    """Return the one edit that an input is."""
    after = _text(given, "new_string") or _text(given, "content") or ""
    return (Edit(paths[0] if paths else "", _text(given, "old_string") or "", after),)


def _changed_lines(shown: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the added and removed lines of the client's own patch."""
    lines = (_text(shown, "fileDiff") or "").splitlines()
    changed = (line for line in lines if line[:1] in ("+", "-"))
    return tuple(line for line in changed if not line.startswith(_HEADERS))


def _output(
    payload: Payload, response: Mapping[str, Any], tool_class: str | None
) -> ToolOutput | None:
    """Return the output, None without a response. A file's text is left out: nobody keeps it."""
    if not response:
        return None
    has_failed = error_of(payload) is not None
    if tool_class == "command":
        answer = read_shell_answer(response)
        if answer.is_unfinished:
            return ToolOutput(outcome="unknown")
        return ToolOutput(answer.output, outcome="failure" if has_failed else None)
    text = "" if tool_class in _FILE_CLASSES else answer_text(response)
    return ToolOutput(text, outcome="failure" if has_failed else None)


def _text(given: Mapping[str, Any], name: str) -> str | None:
    value = given.get(name)
    return value if isinstance(value, str) else None


def _strings(given: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    return tuple(text for name in names if (text := _text(given, name)) is not None)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
