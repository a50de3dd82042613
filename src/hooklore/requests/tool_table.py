"""The table of all tools: what the MCP server lists, what the documentation says, and what is permitted."""

from collections.abc import Mapping
from typing import Final

from hooklore.agents.agent import AgentPermission as Permission
from hooklore.memories.authorization import MAY_PROPOSE
from hooklore.requests import arguments
from hooklore.requests.remember_arguments import RememberArguments
from hooklore.requests.tool import EVERYBODY, Tool

_DEFAULT: Final = (
    Tool(
        "remember",
        "Keep what lasts: a rule, a decision, a fact that the code does not tell.",
        RememberArguments,
        writes=True,
        is_default=True,
    ),
    Tool(
        "recall",
        "Bring what memory knows about a question, and who said it.",
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

_SHELVES: Final = (
    ("", "the project's memory", "the project's archive"),
    ("global_", "the memory of all projects", "the archive of all projects"),
)
_PERSON_DECIDES: Final = "It waits until a person approves it."


def _of_shelf(name: str, memory: str, archive: str) -> tuple[Tool, ...]:
    """Return the tools of seed 004 for one shelf, `name` being what their names have of it."""
    of_memory, of_archive = f"{name}memory", f"{name}memory_archive"
    return (
        _entry_tool(f"save_to_{of_memory}", f"Save an entry to {memory}.", arguments.SaveArguments),
        _entry_tool(
            f"retrieve_from_{of_memory}", f"Search {memory} by keywords.", arguments.FindArguments
        ),
        *_of_key(name, memory),
        _entry_tool(
            f"list_{of_memory}_entries", f"List the entries of {memory}.", arguments.ListArguments
        ),
        _deciding_tool(
            f"delete_{of_memory}_entry",
            f"Propose to delete an entry of {memory}, without the archive.",
        ),
        _entry_tool(f"get_{of_memory}_summary", f"Summarize {memory}.", arguments.EntryArguments),
        _entry_tool(f"search_{of_archive}", f"Search {archive}.", arguments.FindArguments),
        _entry_tool(f"list_{of_archive}", f"List {archive}.", arguments.ListArguments),
        _deciding_tool(f"restore_from_{of_archive}", f"Propose to restore an entry of {archive}."),
        _entry_tool(f"get_{of_archive}_summary", f"Summarize {archive}.", arguments.EntryArguments),
    )


def _of_key(name: str, memory: str) -> tuple[Tool, ...]:
    """Return the tool that opens an entry by its key, which seed 004 has for projects alone."""
    words = f"Open an entry of {memory} by its key."
    return () if name else (_entry_tool("get_memory_entry", words, arguments.KeyArguments),)


def _entry_tool(name: str, description: str, model: type[arguments.Arguments]) -> Tool:
    writes = name.startswith("save_")
    return Tool(name, f"{description} {_for(EVERYBODY)}", model, EVERYBODY, writes=writes)


def _deciding_tool(name: str, description: str) -> Tool:
    words = f"{description} {_PERSON_DECIDES} {_for(MAY_PROPOSE)}"
    return Tool(name, words, arguments.KeyArguments, MAY_PROPOSE, writes=True)


def _for(permissions: frozenset[Permission]) -> str:
    """Return who may call a tool, as seed 004 lists it."""
    return f"({', '.join(each.capitalize() for each in _ORDER if each in permissions)})"


_ORDER: Final[tuple[Permission, ...]] = ("owner", "admin", "worker")
TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (*_DEFAULT, *(tool for shelf in _SHELVES for tool in _of_shelf(*shelf)))
}
"""The tools by their names, the default ones first."""
