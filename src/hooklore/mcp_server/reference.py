"""The reference of all tools as Markdown, written from the table that the server offers them by."""

from collections.abc import Iterable, Mapping

import orjson

from hooklore.mcp_server.input_schema import Schema, input_schema
from hooklore.requests.tool import Tool
from hooklore.requests.tool_table import TOOLS

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
    tools = sorted(TOOLS.values(), key=lambda tool: not tool.is_default)
    table = [
        "| tool | every server | writes | owner | admin | worker |",
        "|---|---|---|---|---|---|",
    ]
    table += [_row(tool) for tool in tools]
    return "\n".join((_BEGINNING, *table, "", *map(_section, tools)))


def _row(tool: Tool) -> str:
    marks = [tool.is_default, tool.writes]
    marks += [permission in tool.permissions for permission in ("owner", "admin", "worker")]
    cells = " | ".join("yes" if mark else "–" for mark in marks)
    return f"| `{tool.name}` | {cells} |"


def _section(tool: Tool) -> str:
    schema = input_schema(tool.arguments)
    lines = [f"## {tool.name}", "", tool.description, ""]
    properties: Mapping[str, Schema] = schema["properties"]
    if not properties:
        return "\n".join((*lines, "It takes no arguments.", ""))
    lines += ["| argument | type | default | |", "|---|---|---|---|"]
    lines += _arguments(properties, schema.get("required", ()))
    return "\n".join((*lines, ""))


def _arguments(properties: Mapping[str, Schema], required: Iterable[str]) -> list[str]:
    return [
        f"| `{name}` | {_type(part)} | {_default(part, is_required=name in required)} "
        f"| {_cell(part.get('description', ''))} |"
        for name, part in properties.items()
    ]


def _type(part: Schema) -> str:
    if "enum" in part:
        return ", ".join(f"`{each}`" for each in part["enum"] if each != "")
    if part.get("type") == "array":
        return f"list of {part.get('items', {}).get('type', 'values')}"
    return str(part.get("type", "any"))


def _default(part: Schema, *, is_required: bool) -> str:
    if is_required:
        return "required"
    default = part.get("default")
    return "–" if default in (None, "") else f"`{orjson.dumps(default).decode()}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
