"""The intent, the outcome and the change that a tool call tells of."""

from collections.abc import Mapping
from dataclasses import dataclass

from hooklore.agents.event import EDITING_CLASSES, HookEvent, ToolCall
from hooklore.shell.command import has_hidden_exit_status
from hooklore.shell.test_outcome import parse_test_outcome
from hooklore.text.plural import format_count
from hooklore.text.project_paths import relative_to_root

_MOST = 4096
"""Changed lines that are looked at."""


@dataclass(frozen=True, slots=True)
class Change:
    """Lines that an edit added and removed, and the first of them as text."""

    added: int = 0
    removed: int = 0
    text: str = ""


def describe_step(event: HookEvent, lines: Mapping[str, int] | None) -> str | None:
    """Return the intent of a step whose agent says none: an edit's change, else what the step asks for.

    `lines` counts the lines that an edit adds and removes, None for a file of which only the path is kept.
    """
    if event.tool_class not in EDITING_CLASSES:
        return next(iter(event.call.described), None)
    if not event.call.paths:
        return None
    path = relative_to_root(event.call.paths[0], event.cwd or "")
    if lines is None:
        return f"{event.tool_class} {path}"
    added, removed = lines.get("added", 0), lines.get("removed", 0)
    if event.tool_class == "write":
        return f"write {_count_lines(added)} to {path}"
    if added and removed:
        return f"replace {_count_lines(removed)} by {added} in {path}"
    if removed:
        return f"remove {_count_lines(removed)} from {path}"
    # Without a text before, the edit of a notebook may add a cell or replace one.
    return f"put {_count_lines(added)} into {path}" if added else f"edit {path}"


def _count_lines(count: int) -> str:
    return format_count(count, "line")


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
    if event.call.command is not None and has_hidden_exit_status(event.call.command):
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
