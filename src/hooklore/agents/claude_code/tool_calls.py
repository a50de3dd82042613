"""Tool calls of Claude Code, read from the input and the response that its payloads carry."""

from dataclasses import replace
from typing import Any

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import Payload
from hooklore.agents.call_input import first_text, object_at, read_input, texts_of
from hooklore.agents.event import (
    EDITING_CLASSES,
    FILE_CLASSES,
    READ_CLASSES,
    Outcome,
    ToolCall,
    ToolOutput,
)
from hooklore.agents.flattened_text import flatten_text
from hooklore.agents.transcript_file import token_count

CALL = replace(
    dialect.CALL,
    paths=("file_path", "notebook_path", "path"),
    edits="edits",
    after=("new_string", "content", "new_source"),
    agent_type="subagent_type",
)
_COUNTS = ("numFiles", "numLines", "startLine", "totalLines", "totalMatches")
_PLAIN_INPUT = frozenset(("command", "description", "timeout", "run_in_background"))
"""Inputs of the shell that leave its sandbox and its folder as they are."""


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload. Fields of the wrong type are left out."""
    answer = payload.get("tool_response")
    given, response = object_at(payload, CALL.given), object_at(payload, CALL.gave)
    paths = [*texts_of(given, *CALL.paths), *texts_of(response, "filePath")]
    return read_input(
        payload,
        tool_class,
        CALL,
        paths=tuple(dict.fromkeys(paths)),
        changed_lines=_changed_lines(response) if tool_class in EDITING_CLASSES else (),
        counts=_counts(response) if tool_class in READ_CLASSES else {},
        output=None if answer in (None, "", [], {}) else _output(answer, response, tool_class),
    )


def change_command(payload: Payload, command: str) -> Payload:
    """Return the input of a payload's tool with another command."""
    return {**object_at(payload, CALL.given), "command": command}


def runs_plainly(payload: Payload) -> bool:
    """Return whether a payload's tool is the shell, with no input that changes how it runs a command."""
    given = object_at(payload, CALL.given)
    return payload.get("tool_name") == "Bash" and _PLAIN_INPUT.issuperset(given)


def _changed_lines(response: Payload) -> tuple[str, ...]:
    """Return the added and removed lines of the client's own patch."""
    hunks = response.get("structuredPatch")
    listed = [object_at(h, ()).get("lines") for h in hunks] if isinstance(hunks, list) else []
    lines = (line for each in listed if isinstance(each, list) for line in each)
    return tuple(line for line in lines if isinstance(line, str) and line[:1] in ("+", "-"))


def _counts(response: Payload) -> dict[str, int]:
    """Return range and counts of a read or a search, never its content."""
    source = {**response, **object_at(response, ("file",))}
    return {name: source[name] for name in _COUNTS if type(source.get(name)) is int}


def _output(answer: Any, response: Payload, tool_class: str | None) -> ToolOutput:
    """Return the output. A read's and an edit's text is left out unless the tool failed: nobody keeps it."""
    outcome = _outcome(response, tool_class)
    is_kept = tool_class not in FILE_CLASSES or outcome == "failure"
    text, errors = _texts(answer, response, tool_class) if is_kept else ("", "")
    return ToolOutput(text, errors, outcome, token_count(response.get("totalTokens")))


def _outcome(response: Payload, tool_class: str | None) -> Outcome | None:
    """Return the outcome that a response states by its fields; None when it states none."""
    if response.get("interrupted") is True:
        return "partial"
    status, code = response.get("exitCode", response.get("exit_code")), response.get("code")
    if (
        response.get("success") is False
        or True in (response.get("isError"), response.get("is_error"))
        or (type(status) is int and status != 0)
        or (tool_class == "web" and type(code) is int and code >= 400)
    ):
        return "failure"
    is_running = response.get("backgroundTaskId") or response.get("isAsync") is True
    return "unknown" if is_running else None


def _texts(answer: Any, response: Payload, tool_class: str | None) -> tuple[str, str]:
    """Return the output and the error output of a response."""
    if "stdout" in response or "stderr" in response:
        return first_text(response, "stdout") or "", first_text(response, "stderr") or ""
    for name in ("content", "result", "message"):
        if response.get(name):
            return flatten_text(response[name]), ""
    return ("" if tool_class == "agent" else flatten_text(answer)), ""
