"""The table of all tools: what the MCP server lists, what the documentation says, and what is permitted."""

from collections.abc import Mapping
from typing import Final

from hooklore.requests import arguments
from hooklore.requests.tool import Tool

_DEFAULT: Final = (
    Tool(
        "remember",
        "Keep what lasts: a rule, a decision and its reason, a fact that the code does not tell.",
        arguments.RememberArguments,
        writes=True,
        is_default=True,
    ),
    Tool(
        "recall",
        "Bring what memory knows about a question, with who said it and `private`.",
        arguments.RecallArguments,
        is_default=True,
    ),
    Tool("get", "Open memories in full.", arguments.GetArguments, is_default=True),
    Tool(
        "search_memories",
        "Search memory by words.",
        arguments.SearchArguments,
        is_default=True,
    ),
    Tool(
        "wake_up",
        "What a session begins with: rules, open items, an index of titles.",
        arguments.NoArguments,
        is_default=True,
    ),
)

TOOLS: Final[Mapping[str, Tool]] = {tool.name: tool for tool in _DEFAULT}
"""The tools by their names, the default ones first."""
