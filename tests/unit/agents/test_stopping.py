"""Errors of tools that did not fail by themselves, as Claude Code words them."""

import json

import pytest

from hooklore.agents.claude_code.stopping import STOPS
from tests.unit.capture.test_capture import FIXTURES


@pytest.mark.parametrize(
    ("tool_class", "error", "expected"),
    [
        ("command", "Exit code 1\noops", None),
        ("command", "Error: Exit code 2\nPermission to use the press has been denied.", None),
        ("command", "Exit code 137\n[Request interrupted by user for tool use]\nlint....", "interrupted"),
        ("command", "Exit code 1\nan answer: [Request interrupted by user]", None),
        ("command", "make: no rule to make target 'press'", None),
        ("command", "The user doesn't want to proceed with this tool use. STOP.", "refused"),
        ("command", "The user doesn't want to take this action right now.", "refused"),
        ("command", "Permission to use Bash with command cd /a && ls\nb has been denied.", "refused"),
        ("command", "Claude requested permissions to use Bash, but you haven't granted it yet.", "refused"),
        ("command", "This command requires approval", "refused"),
        ("mcp", "Permission to use mcp__mill__press has been denied.", "refused"),
        ("command", "<tool_use_error>Sibling tool call errored</tool_use_error>", "cancelled"),
        ("read", "Sibling tool call errored", "cancelled"),
        ("command", "Cancelled: parallel tool call Bash(make) errored", "cancelled"),
        ("agent", "[Request interrupted by user for tool use]", "interrupted"),
        ("read", "Interrupted by user", "interrupted"),
        ("edit", "File has not been read yet. Read it first before writing to it.", "harness"),
        ("edit", "String to replace not found in file.\nString: x", "harness"),
        ("edit", "No changes to make: old_string and new_string are exactly the same.", "harness"),
        ("read", "File does not exist. Did you mean a.py?", "harness"),
        ("read", "File content (27240 tokens) exceeds maximum allowed tokens (25000).", "harness"),
        ("search", "Path does not exist: /a", "harness"),
        ("other", "Unknown skill: commit", "harness"),
        ("command", "<tool_use_error>InputValidationError: Bash failed</tool_use_error>", "harness"),
        ("command", "<tool_use_error>Anything</tool_use_error>", "harness"),
        ("command", "PreToolUse:Bash hook error: [guard.sh]: not on main", "harness"),
        ("mcp", "MCP error -32602: Input validation error: Invalid arguments", "harness"),
        ("mcp", "the press is on fire", None),
        ("web", "Request failed with status code 404", None),
        (None, "anything", None),
        ("command", "", None),
    ],
)  # fmt: skip
def test_an_error_tells_who_stopped_the_tool(
    tool_class: str | None, error: str, expected: str | None
) -> None:
    assert STOPS.stopped_by(tool_class, error) == expected


@pytest.mark.parametrize(
    ("name", "tool_class", "expected"), [("Bash", "command", None), ("Read", "read", "harness")]
)
def test_recorded_failures_are_told_apart(name: str, tool_class: str, expected: str | None) -> None:
    payload = json.loads((FIXTURES / f"PostToolUseFailure-{name}.json").read_bytes())

    assert STOPS.stopped_by(tool_class, payload["error"]) == expected


def test_a_long_error_is_judged_by_its_beginning() -> None:
    assert STOPS.stopped_by("command", "x was blocked " * 100_000) is None
    assert STOPS.stopped_by("command", "Permission to use " * 100_000) is None
