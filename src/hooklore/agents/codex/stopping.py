"""Errors of tools that did not fail by themselves, as Codex CLI words them."""

import re

from hooklore.agents.event import StoppedBy

EXIT_STATUS = re.compile(r"Exit code (\d{1,3})\b")
"""The beginning of the error of a command that ran to its end."""

_MARKS: tuple[tuple[StoppedBy, re.Pattern[str]], ...] = (
    (
        "refused",
        re.compile(
            r"(?:exec command|patch|user) rejected\b|rejected by user"
            r"|user rejected MCP tool call|writing (?:is blocked|outside of the project)"
            r"|`.{1,4096}` rejected: blocked by policy"
            r"|MCP tool call requires approval",
            re.DOTALL,
        ),
    ),
    (
        "cancelled",
        re.compile(r"user cancelled MCP tool call|MCP tool call cancelled|aborted before"),
    ),
    ("interrupted", re.compile(r"(?:command )?aborted by user")),
    (
        "harness",
        re.compile(
            r"(?:Command|Tool call) blocked by PreToolUse hook|unsupported (?:custom tool )?call"
            r"|apply_patch verification failed|failed to parse function arguments",
        ),
    ),
)
"""The client's words for each reason, at the beginning of an error."""


def stopped_by(_tool_class: str | None, error: str) -> StoppedBy | None:
    """Return who stopped a tool, or None for a failure of the tool itself.

    A command that stated its exit status ran to its end.
    """
    text = error.strip()
    if EXIT_STATUS.match(text):
        return None
    return next((kind for kind, mark in _MARKS if mark.match(text)), None)
