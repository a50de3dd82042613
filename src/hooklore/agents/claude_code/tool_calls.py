"""Tool calls of Claude Code, read from the input and the response that its payloads carry."""

from typing import Any

from hooklore.agents.agent import Payload
from hooklore.agents.event import EDITING_CLASSES, Edit, Outcome, ToolCall, ToolOutput
from hooklore.agents.flattened_text import flatten_text
from hooklore.agents.stated_privacy import stated_privacy
from hooklore.agents.task_list import arguments_text

_PATHS = ("file_path", "notebook_path", "path")
_COUNTS = ("numFiles", "numLines", "startLine", "totalLines", "totalMatches")
_READ_CLASSES = frozenset(("read", "search"))
_FILE_CLASSES = EDITING_CLASSES | _READ_CLASSES
_FORMS = frozenset(("edit", "write", "read", "search", "agent", "command"))
"""Classes of tools whose input is read field by field."""


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload. Fields of the wrong type are left out."""
    given, response = _dict(payload.get("tool_input")), payload.get("tool_response")
    is_edit, is_agent = tool_class in EDITING_CLASSES, tool_class == "agent"
    return ToolCall(
        paths=_paths(given, _dict(response)),
        command=_string_or_none(given.get("command")) if tool_class == "command" else None,
        edits=tuple(_edits(given)) if is_edit else (),
        changed_lines=tuple(_changed_lines(response)) if is_edit else (),
        intent=_string_or_none(given.get("description")),
        assignment=_string_or_none(given.get("prompt")) if is_agent else None,
        described=tuple(_strings(given, "description", "query", "prompt")),
        started_agent_type=_string_or_none(given.get("subagent_type")) if is_agent else None,
        arguments="" if tool_class in _FORMS else arguments_text(given),
        pattern=_string(given.get("pattern")),
        counts=_counts(_dict(response)) if tool_class in _READ_CLASSES else {},
        output=None if response in (None, "", [], {}) else _output(response, tool_class),
        stated_privacy=None if tool_class in _FORMS else stated_privacy(given),
    )


def change_command(payload: Payload, command: str) -> Payload:
    """Return the input of a payload's tool with another command."""
    return {**_dict(payload.get("tool_input")), "command": command}


_SHELL = "Bash"
_PLAIN_INPUT = frozenset(("command", "description", "timeout", "run_in_background"))
"""Inputs of the shell that leave its sandbox and its folder as they are."""


def runs_plainly(payload: Payload) -> bool:
    """Return whether a payload's tool is the shell, with no input that changes how it runs a command."""
    given = _dict(payload.get("tool_input"))
    return payload.get("tool_name") == _SHELL and _PLAIN_INPUT.issuperset(given)


def _paths(given: dict[str, Any], response: dict[str, Any]) -> tuple[str, ...]:
    named = (*(given.get(name) for name in _PATHS), response.get("filePath"))
    return tuple(dict.fromkeys(path for path in named if isinstance(path, str)))


def _edits(given: dict[str, Any]) -> list[Edit]:
    """Return the edits of an input, or the one edit that the input is."""
    path = next(iter(_strings(given, *_PATHS)), "")
    edits = [_dict(edit) for edit in _list(given.get("edits"))] or [given]
    return [Edit(path, _string(edit.get("old_string")), _after(edit)) for edit in edits]


def _after(edit: dict[str, Any]) -> str:
    return _string(edit.get("new_string") or edit.get("content") or edit.get("new_source"))


def _changed_lines(response: Any) -> list[str]:
    """Return the added and removed lines of the client's own patch."""
    hunks = _list(_dict(response).get("structuredPatch"))
    lines = [line for hunk in hunks for line in _list(_dict(hunk).get("lines"))]
    return [line for line in lines if isinstance(line, str) and line[:1] in ("+", "-")]


def _counts(response: dict[str, Any]) -> dict[str, int]:
    """Return range and counts of a read or a search, never its content."""
    source = response | _dict(response.get("file"))
    return {name: source[name] for name in _COUNTS if type(source.get(name)) is int}


def _output(response: Any, tool_class: str | None) -> ToolOutput:
    """Return the output. A read's and an edit's text is left out unless the tool failed: nobody keeps it."""
    fields = _dict(response)
    outcome = _outcome(fields, tool_class)
    is_kept = tool_class not in _FILE_CLASSES or outcome == "failure"
    text, errors = _texts(response, tool_class) if is_kept else ("", "")
    return ToolOutput(text, errors, outcome, _tokens(fields))


def _outcome(response: dict[str, Any], tool_class: str | None) -> Outcome | None:
    """Return the outcome that a response states by its fields; None when it states none."""
    if response.get("interrupted") is True:
        return "partial"
    if response.get("success") is False or True in (
        response.get("isError"),
        response.get("is_error"),
    ):
        return "failure"
    status, code = response.get("exitCode", response.get("exit_code")), response.get("code")
    if type(status) is int and status != 0:
        return "failure"
    if tool_class == "web" and type(code) is int and code >= 400:
        return "failure"
    if response.get("backgroundTaskId") or response.get("isAsync") is True:
        return "unknown"
    return None


def _texts(response: Any, tool_class: str | None) -> tuple[str, str]:
    """Return the output and the error output of a response."""
    if isinstance(response, dict) and ("stdout" in response or "stderr" in response):
        return _string(response.get("stdout")), _string(response.get("stderr"))
    if isinstance(response, dict):
        for name in ("content", "result", "message"):
            if response.get(name):
                return flatten_text(response[name]), ""
    return ("" if tool_class == "agent" else flatten_text(response)), ""


def _tokens(response: dict[str, Any]) -> int:
    total = response.get("totalTokens")
    return total if type(total) is int and 0 <= total < 1 << 53 else 0


def _strings(given: dict[str, Any], *names: str) -> list[str]:
    return [given[name] for name in names if isinstance(given.get(name), str)]


def _string_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
