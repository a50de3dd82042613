"""The outcome and the change that a tool call tells of."""

from dataclasses import dataclass

from hooklore.agents.event import HookEvent, ToolCall
from hooklore.shell.command import has_hidden_exit_status
from hooklore.shell.test_outcome import parse_test_outcome

_MOST = 4096
"""Changed lines that are looked at."""


@dataclass(frozen=True, slots=True)
class Change:
    """Lines that an edit added and removed, and the first of them as text."""

    added: int = 0
    removed: int = 0
    text: str = ""


def outcome_of(event: HookEvent) -> str:
    """Return the outcome of a tool that answered, by the form of its answer, never by its words.

    `unknown` is an empty answer, a task that still runs, or an exit status that a pipe hides. The other
    three outcomes are those of seed 003.
    """
    output = event.call.output
    if output is None:
        return "unknown"
    if output.outcome is not None:
        return output.outcome
    if event.command is not None and has_hidden_exit_status(event.command):
        return parse_test_outcome(output_text(event)) or "unknown"
    return "success"


def output_text(event: HookEvent) -> str:
    """Return the output of a tool, and its error output below."""
    output = event.call.output
    return f"{output.text}\n{output.errors}" if output else "\n"


def change_of(call: ToolCall) -> Change:
    """Return the change that an edit or a write makes: by the client's own lines, else by its input."""
    if call.changed_lines:
        added = sum(line[0] == "+" for line in call.changed_lines)
        removed = len(call.changed_lines) - added
        return Change(added, removed, "\n".join(call.changed_lines[:_MOST]))
    added = sum(len(edit.after.splitlines()) for edit in call.edits)
    removed = sum(len(edit.before.splitlines()) for edit in call.edits)
    return Change(added, removed, call.before_and_after[1])
