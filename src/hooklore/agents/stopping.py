"""The client's words for a tool that did not fail by itself, at the beginning of its error."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hooklore.agents.event import StoppedBy

_OUTSIDE = frozenset(("command", "web", "mcp"))
"""Classes of tools that reach out of the client. The client itself does the work of every other tool."""


@dataclass(frozen=True, slots=True)
class StopMarks:
    """The words of one client, regular expressions by who stopped the tool.

    `exit_status` begins the error of a command that ran to its end, `interrupted` follows where somebody ended it.
    `tag` stands in front of the errors of the client's harness. The harness' are also those of the client's
    own tools (a file that was not read, a string that was not found), where `judges_own_tools`.
    """

    marks: Mapping[StoppedBy, str] = field(default_factory=dict)
    exit_status: re.Pattern[str] = re.compile(r"(?!)")
    interrupted: str = ""
    tag: str = ""
    judges_own_tools: bool = False

    def stopped_by(self, tool_class: str | None, error: str) -> StoppedBy | None:
        """Return who stopped a tool, or None for a failure of the tool itself."""
        text = error.strip()
        if status := self.exit_status.match(text):
            rest = text[status.end() :].lstrip()
            return "interrupted" if self.interrupted and rest.startswith(self.interrupted) else None
        inner = text.removeprefix(self.tag).lstrip()
        marks = ((kind, re.compile(mark, re.DOTALL)) for kind, mark in self.marks.items())
        found = next((kind for kind, mark in marks if mark.match(inner)), None)
        is_own = self.judges_own_tools and tool_class is not None and tool_class not in _OUTSIDE
        is_tagged = bool(self.tag) and text.startswith(self.tag)
        return found or ("harness" if is_own or is_tagged else None)
