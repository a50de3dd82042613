"""Errors of tools that did not fail by themselves, as Claude Code words them."""

import re

from hooklore.agents.event import StoppedBy

EXIT_STATUS = re.compile(r"(?:Error: )?Exit code (\d{1,3})\b")
"""The beginning of every error of a command that ran to its end."""

_OUTSIDE = frozenset(("command", "web", "mcp"))
"""Classes of tools that reach out of the client. The client itself does the work of every other tool."""

_INTERRUPTED = "[Request interrupted by user"

_MARKS: tuple[tuple[StoppedBy, re.Pattern[str]], ...] = (
    (
        "refused",
        re.compile(
            r"The user (?:doesn't|does not) want to (?:proceed|take this action)"
            r"|(?:The )?[Uu]ser (?:rejected|denied|declined|refused)\b"
            r"|Permission (?:to use|for) .{1,4096}? (?:has been|was) denied"
            r"|Claude requested permissions? to\b|This (?:Bash )?command (?:requires|needs) approval"
            r"|This Bash command contains multiple operations"
            r"|.{1,4096}? was blocked\. For security",
            re.DOTALL,
        ),
    ),
    ("cancelled", re.compile(r"Sibling tool call errored|Cancell?ed: |Cancell?ed$")),
    ("interrupted", re.compile(rf"{re.escape(_INTERRUPTED)}|Interrupted by user")),
    (
        "harness",
        re.compile(
            r"InputValidationError|(?:Error: )?No such tool available"
            r"|(?:Pre|Post)ToolUse:\S+ (?:\[.{1,4096}?\] )?hook (?:error|blocking error|stopped)"
            r"|Hook (?:Pre|Post)ToolUse:\S+ |(?:Execution|Operation) (?:stopped|blocked) by (?:\S+ )?hook"
            r"|MCP error -32602\b",
            re.DOTALL,
        ),
    ),
)
"""The client's words for each reason, at the beginning of an error."""

_TAG = "<tool_use_error>"


def stopped_by(tool_class: str | None, error: str) -> StoppedBy | None:
    """Return who stopped a tool, or None for a failure of the tool itself.

    Errors of the client's own tools (a file that was not read, a string that was not found) are the
    harness'. A command that stated its exit status ran to its end, unless the client says that somebody ended
    it.
    """
    text = error.strip()
    if status := EXIT_STATUS.match(text):
        is_interrupted = text[status.end() :].lstrip().startswith(_INTERRUPTED)
        return "interrupted" if is_interrupted else None
    inner = text.removeprefix(_TAG).lstrip()
    found = next((kind for kind, mark in _MARKS if mark.match(inner)), None)
    if found is not None:
        return found
    is_own = tool_class is not None and tool_class not in _OUTSIDE
    return "harness" if is_own or text.startswith(_TAG) else None
