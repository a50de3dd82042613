"""Errors of tools that did not fail by themselves, as Claude Code words them."""

import re

from hooklore.agents.stopping import StopMarks

_INTERRUPTED = "[Request interrupted by user"

STOPS = StopMarks(
    {
        "refused": (
            r"The user (?:doesn't|does not) want to (?:proceed|take this action)"
            r"|(?:The )?[Uu]ser (?:rejected|denied|declined|refused)\b"
            r"|Permission (?:to use|for) .{1,4096}? (?:has been|was) denied"
            r"|Claude requested permissions? to\b|This (?:Bash )?command (?:requires|needs) approval"
            r"|This Bash command contains multiple operations"
            r"|.{1,4096}? was blocked\. For security"
        ),
        "cancelled": r"Sibling tool call errored|Cancell?ed: |Cancell?ed$",
        "interrupted": rf"{re.escape(_INTERRUPTED)}|Interrupted by user",
        "harness": (
            r"InputValidationError|(?:Error: )?No such tool available"
            r"|(?:Pre|Post)ToolUse:\S+ (?:\[.{1,4096}?\] )?hook (?:error|blocking error|stopped)"
            r"|Hook (?:Pre|Post)ToolUse:\S+ |(?:Execution|Operation) (?:stopped|blocked) by (?:\S+ )?hook"
            r"|MCP error -32602\b"
        ),
    },
    exit_status=re.compile(r"(?:Error: )?Exit code (\d{1,3})\b"),
    judges_own_tools=True,
    interrupted=_INTERRUPTED,
    tag="<tool_use_error>",
)
