"""The reference of all tools as Markdown, written from the table that the server offers them by."""

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


class _Argument(BaseModel):
    """One argument as its schema has it, or the members of a list."""

    type: str = "any"
    description: str = ""
    default: JsonValue = None
    enum: tuple[str, ...] = ()
    items: "_Argument | None" = None

    def row(self, name: str, *, is_required: bool) -> str:
        """Return the row of the table: name, type or words that may be given, default, description."""
        kind = ", ".join(f"`{each}`" for each in self.enum) or self.type
        if self.type == "array":
            kind = f"list of {self.items.type if self.items else 'value'}"
        default = "–" if self.default is None else f"`{orjson.dumps(self.default).decode()}`"
        description = self.description.replace("|", "\\|")
        return f"| `{name}` | {kind} | {'required' if is_required else default} | {description} |"


def _section(tool: Verb) -> str:
    schema = input_schema(tool.arguments)
    known = {n: _Argument.model_validate(each) for n, each in schema["properties"].items()}
    lines, required = [f"## {tool.name}", "", tool.summary, ""], schema.get("required", ())
    if not known:
        return "\n".join((*lines, "It takes no arguments.", ""))
    rows = (each.row(name, is_required=name in required) for name, each in known.items())
    lines += ["| argument | type | default | |", "|---|---|---|---|", *rows, ""]
    unlisted = ", ".join(f"`{name}`" for name in tool.arguments.model_fields if name not in known)
    rest = f"It also takes {unlisted}, which its schema leaves out."
    return "\n".join((*lines, *([rest, ""] if unlisted else [])))
