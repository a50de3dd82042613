"""Tool calls of Gemini CLI, read from the input and the response that its payloads carry.

One event reports every answer. An `error` says that the client's own tool failed. A shell command has none,
its exit status stands in the lines below its output.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import Payload
from hooklore.agents.call_input import first_text, object_at, read_input, texts_of
from hooklore.agents.event import EDITING_CLASSES, FILE_CLASSES, Outcome, ToolCall, ToolOutput
from hooklore.agents.flattened_text import flatten_text
from hooklore.agents.stopping import StopMarks

CALL = replace(
    dialect.CALL,
    intent=("description", "instruction"),
    described=("description", "instruction", "query", "prompt"),
    agent_type="agent_name",
)
_HEADERS = ("+++ ", "--- ")
_SHELL = "run_shell_command"
_UNTRUSTED = re.compile(r"\A\s*<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*\Z", re.DOTALL)
_BELOW = re.compile(
    r"(?:\A|\n)(?:Error: [^\n]*|Exit Code: -?\d+|Signal: \w+|Background PIDs: [\d, ]+|Process Group PGID: \d+)"
    r"(?:\n(?:Exit Code: -?\d+|Signal: \w+|Background PIDs: [\d, ]+|Process Group PGID: \d+))*\Z"
)
"""The lines that the client writes below a command's output."""

_OUTPUT = "Output: "
_FAILED = re.compile(r"^(?:Exit Code: -?[1-9]\d*|Signal: \w+|Error: )", re.MULTILINE)
_CANCELLED = "Command was cancelled by user"
_TIMED_OUT = "Command was automatically cancelled"
_BACKGROUND = "Command moved to background"
STOPS = StopMarks(
    {
        "interrupted": _CANCELLED,
        "refused": r"(?i:Tool execution (?:blocked|denied)|User (?:denied|cancelled))",
        "harness": "params/",
    },
    exit_status=re.compile(r"Exit Code: (\d{1,3})\b"),
    judges_own_tools=True,
)
"""The error of a command that ran to its end begins with its status, as `error_of` words it."""


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
        text, _ = _read_shell_answer(response)
        if text.startswith(_BACKGROUND):
            return ToolOutput(outcome="unknown")
        return ToolOutput(text, outcome=outcome)
    return ToolOutput("" if tool_class in FILE_CLASSES else _answer_text(response), outcome=outcome)


def _answer_text(response: Mapping[str, Any]) -> str:
    """Return the text that the model is given, without the client's wrapper."""
    given = response.get("llmContent")
    parts = given if isinstance(given, list) else [given]
    return "\n".join(filter(None, map(_part_text, parts)))


def _part_text(part: Any) -> str:
    """Return the text of one part of an answer: a text, or data that is flattened."""
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        return flatten_text(part)
    found = _UNTRUSTED.match(text)
    return found[1] if found else text


def _read_shell_answer(response: Mapping[str, Any]) -> tuple[str, str]:
    """Return the output of a command, and the client's own lines below the output.

    Where the client shows its user the output, the output ends where that text does: a line of the
    output that looks like the client's is no exit status.
    """
    text = _answer_text(response)
    if not text.startswith(_OUTPUT):
        return text, ""
    text, shown = text[len(_OUTPUT) :], _shown_text(response.get("returnDisplay"))
    if shown and text.startswith(shown):
        return shown, text[len(shown) :].lstrip("\n")
    found = _BELOW.search(text)
    output = text[: found.start()] if found else text
    below = text[found.start() :].lstrip("\n") if found else ""
    return "" if output == "(empty)" else output, below


def _shown_text(display: Any) -> str:
    """Return the output that the client shows its user: a text, or rows of coloured parts."""
    if isinstance(display, str):
        return display
    rows = [row for row in display if isinstance(row, list)] if isinstance(display, list) else []
    parts = [[str(p.get("text", "")) for p in row if isinstance(p, dict)] for row in rows]
    return "\n".join("".join(row).rstrip() for row in parts).rstrip("\n")


def error_of(payload: Payload) -> str | None:
    """Return the error of a tool that failed, None for a payload of a tool that did not.

    A command's begins with its exit status, signal or error, then comes its output.
    """
    response = object_at(payload, CALL.gave)
    error = response.get("error")
    if isinstance(error, dict):
        return first_text(error, "message") or _answer_text(response)
    if payload.get("tool_name") != _SHELL or not response:
        return None
    output, below = _read_shell_answer(response)
    if output.startswith((_CANCELLED, _TIMED_OUT)):
        return output
    said = [line for line in below.splitlines() if _FAILED.match(line)]
    first = sorted(said, key=lambda line: not STOPS.exit_status.match(line))
    return "\n".join([*first, output]) if said else None
