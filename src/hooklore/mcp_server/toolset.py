"""The tools that one server offers: a choice from the table of all tools."""

from collections.abc import Mapping
from typing import Literal

from hooklore.requests.tool import Tool
from hooklore.requests.tool_table import TOOLS

Choice = Literal["default", "all"]
"""The tools of a server: the five that an agent needs, or every tool of the table."""


def choose_tools(choice: Choice, *, read_only: bool) -> Mapping[str, Tool]:
    """Return the tools of a server by name. With `read_only` no tool among them writes."""
    return {name: tool for name, tool in TOOLS.items()
            if (choice == "all" or tool.is_default) and not (read_only and tool.writes)}  # fmt: skip
