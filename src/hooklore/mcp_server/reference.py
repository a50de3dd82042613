"""The reference of all tools as Markdown, written from the table that the server offers them by."""

from collections.abc import Iterator

import orjson
from pydantic import BaseModel, JsonValue

from hooklore.mcp_server.input_schema import input_schema
from hooklore.requests.verb import Verb
from hooklore.requests.verb_table import tools

_BEGINNING = """\
# The tools of the MCP server

`hooklore mcp --reference` writes this page from the server's own table; a test compares the two.

The first tools are those of every server. A server that runs with `--tools all` has the others, too, one \
with `--read-only` only those that write nothing. An agent calls a tool as itself, and its permission \
decides. A tool that deletes, restores or replaces in a person's place proposes, and the proposal waits for \
`hooklore pending`.

An agent whose client is not known is named by `--agent`. Python talks to the server by the official SDK:

<!-- mcp -->
```python
import asyncio

from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def main() -> None:
    server = StdioServerParameters(command="hooklore", args=["mcp", "--agent", "codex"])
    async with Client(server) as memory:
        await memory.call_tool("remember", {"content": "Amounts are integer yen.", "kind": "todo"})
        found = await memory.call_tool("recall", {"query": "how are amounts stored?"})
        print(found.content[0].text)


asyncio.run(main())
```
"""


def render_reference() -> str:
    """Return the page: a table of all tools, then each tool with its arguments."""
    rows = tools().values()
    table = [
        "| tool | every server | writes | owner | admin | worker |",
        "|---|---|---|---|---|---|",
    ]
    table += map(_row, rows)
    return "\n".join((_BEGINNING, *table, "", *map(_section, rows)))


def _row(tool: Verb) -> str:
    marks = [tool.tool == "every", tool.writes]
    marks += [permission in tool.permissions for permission in ("owner", "admin", "worker")]
    cells = " | ".join("yes" if mark else "–" for mark in marks)
    return f"| `{tool.name}` | {cells} |"


class _Items(BaseModel):
    """The members of a list, by their type."""

    type: str = "value"


class _Argument(BaseModel):
    """One argument as its schema has it."""

    type: str = "any"
    description: str = ""
    default: JsonValue = None
    enum: tuple[str, ...] = ()
    items: _Items = _Items()

    @property
    def type_text(self) -> str:
        """The type in words, or the words that may be given."""
        if self.enum:
            return ", ".join(f"`{each}`" for each in self.enum)
        return f"list of {self.items.type}" if self.type == "array" else self.type

    @property
    def default_text(self) -> str:
        """The default as JSON."""
        return "–" if self.default is None else f"`{orjson.dumps(self.default).decode()}`"


class _Arguments(BaseModel):
    """The arguments of a tool by name."""

    properties: dict[str, _Argument]
    required: tuple[str, ...] = ()

    def rows(self) -> Iterator[str]:
        """Yield a row of the table for each argument."""
        for name, each in self.properties.items():
            default = "required" if name in self.required else each.default_text
            description = each.description.replace("|", "\\|")
            yield f"| `{name}` | {each.type_text} | {default} | {description} |"


def _section(tool: Verb) -> str:
    arguments = _Arguments.model_validate(input_schema(tool.arguments))
    lines = [f"## {tool.name}", "", tool.summary, ""]
    unlisted = [name for name in tool.arguments.model_fields if name not in arguments.properties]
    if not arguments.properties:
        return "\n".join((*lines, "It takes no arguments.", ""))
    lines += ["| argument | type | default | |", "|---|---|---|---|"]
    rest = (
        f"It also takes {', '.join(f'`{name}`' for name in unlisted)}, which its schema leaves out."
    )
    return "\n".join((*lines, *arguments.rows(), "", *([rest, ""] if unlisted else [])))
