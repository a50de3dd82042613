"""Tool calls of Gemini CLI, read from the input and the response that its payloads carry."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import Payload
from hooklore.agents.call_input import FILE_CLASSES, first_text, object_at, read_input, texts_of
from hooklore.agents.event import EDITING_CLASSES, Outcome, ToolCall, ToolOutput
from hooklore.agents.gemini.tool_answer import (
    IN_BACKGROUND,
    answer_text,
    error_of,
    read_shell_answer,
)

CALL = replace(
    dialect.CALL,
    intent=("description", "instruction"),
    described=("description", "instruction", "query", "prompt"),
    agent_type="agent_name",
)
_HEADERS = ("+++ ", "--- ")


def read_call(payload: Payload, tool_class: str | None) -> ToolCall:
    """Return the tool call of a payload. The model may name a file relative to the folder of the session."""
    response = object_at(payload, CALL.gave)
    shown = object_at(response, ("returnDisplay",))
    named = [*texts_of(shown, "filePath"), *texts_of(object_at(payload, CALL.given), *CALL.paths)]
    folder = first_text(payload, "cwd") or ""
    return read_input(
        payload,
        tool_class,
        CALL,
        paths=tuple(dict.fromkeys(os.path.join(folder, path) for path in named if path)),
        changed_lines=_changed_lines(shown) if tool_class in EDITING_CLASSES else (),
        output=_output(payload, response, tool_class),
    )


def _changed_lines(shown: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the added and removed lines of the client's own patch."""
    lines = (first_text(shown, "fileDiff") or "").splitlines()
    changed = (line for line in lines if line[:1] in ("+", "-"))
    return tuple(line for line in changed if not line.startswith(_HEADERS))


def _output(
    payload: Payload, response: Mapping[str, Any], tool_class: str | None
) -> ToolOutput | None:
    """Return the output, None without a response. A file's text is left out: nobody keeps it."""
    if not response:
        return None
    outcome: Outcome | None = "failure" if error_of(payload) is not None else None
    if tool_class == "command":
        answer = read_shell_answer(response)
        if answer.output.startswith(IN_BACKGROUND):
            return ToolOutput(outcome="unknown")
        return ToolOutput(answer.output, outcome=outcome)
    return ToolOutput("" if tool_class in FILE_CLASSES else answer_text(response), outcome=outcome)
