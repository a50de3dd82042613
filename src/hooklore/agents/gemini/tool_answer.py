"""The answer of a tool of Gemini CLI: its text, whether the tool failed, and who stopped it.

One event reports every answer. An `error` says that the client's own tool failed. A shell command has none,
its exit status stands in the lines below its output.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from hooklore.agents import hook_dialect as dialect
from hooklore.agents.agent import Payload
from hooklore.agents.call_input import first_text, object_at
from hooklore.agents.flattened_text import flatten_text
from hooklore.agents.stopping import StopMarks

_SHELL = "run_shell_command"
_UNTRUSTED = re.compile(r"\A\s*<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*\Z", re.DOTALL)
_BELOW = re.compile(
    r"(?:\A|\n)(?:Error: [^\n]*|Exit Code: -?\d+|Signal: \w+|Background PIDs: [\d, ]+|Process Group PGID: \d+)"
    r"(?:\n(?:Exit Code: -?\d+|Signal: \w+|Background PIDs: [\d, ]+|Process Group PGID: \d+))*\Z"
)
"""The lines that the client writes below a command's output."""

_OUTPUT = "Output: "
_NOTHING = "(empty)"
_FAILED = re.compile(r"^(?:Exit Code: -?[1-9]\d*|Signal: \w+|Error: )", re.MULTILINE)
_CANCELLED = "Command was cancelled by user"
_TIMED_OUT = "Command was automatically cancelled"
IN_BACKGROUND = "Command moved to background"
"""The beginning of the output of a command that runs on."""

STOPS = StopMarks(
    {
        "interrupted": re.compile(_CANCELLED),
        "refused": re.compile(
            r"Tool execution (?:blocked|denied)|User (?:denied|cancelled)", re.IGNORECASE
        ),
        "harness": re.compile("params/"),
    },
    exit_status=re.compile(r"Exit Code: (\d{1,3})\b"),
    judges_own_tools=True,
)
"""The error of a command that ran to its end begins with its status, as `error_of` words it."""


class ShellAnswer(NamedTuple):
    """The answer of a command: its output, and the client's own lines below the output."""

    output: str
    below: str


def answer_text(response: Mapping[str, Any]) -> str:
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


def read_shell_answer(response: Mapping[str, Any]) -> ShellAnswer:
    """Return the answer of a command, taken apart.

    Where the client shows its user the output, the output ends where that text does: a line of the
    output that looks like the client's is no exit status.
    """
    text = answer_text(response)
    if not text.startswith(_OUTPUT):
        return ShellAnswer(text, "")
    text, shown = text[len(_OUTPUT) :], _shown_text(response.get("returnDisplay"))
    if shown and text.startswith(shown):
        return ShellAnswer(shown, text[len(shown) :].lstrip("\n"))
    found = _BELOW.search(text)
    output = text[: found.start()] if found else text
    below = text[found.start() :].lstrip("\n") if found else ""
    return ShellAnswer("" if output == _NOTHING else output, below)


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
    response = object_at(payload, dialect.CALL.gave)
    error = response.get("error")
    if isinstance(error, dict):
        return first_text(error, "message") or answer_text(response)
    if payload.get("tool_name") != _SHELL or not response:
        return None
    answer = read_shell_answer(response)
    if answer.output.startswith((_CANCELLED, _TIMED_OUT)):
        return answer.output
    said = [line for line in answer.below.splitlines() if _FAILED.match(line)]
    first = sorted(said, key=lambda line: not STOPS.exit_status.match(line))
    return "\n".join([*first, answer.output]) if said else None
