"""The definitions of the tools, as `tools/list` sends them."""

from collections.abc import Mapping

from mcp.types import Tool as Definition
from mcp.types import ToolAnnotations

from hooklore.mcp_server.input_schema import input_schema
from hooklore.requests.tool import Tool


def define_tools(tools: Mapping[str, Tool]) -> list[Definition]:
    """Return the definition of each tool, in the order of `tools`."""
    return [_define(tool) for tool in tools.values()]


def _define(tool: Tool) -> Definition:
    return Definition(
        name=tool.name,
        description=tool.description,
        input_schema=input_schema(tool.arguments),
        annotations=_annotate(tool),
    )


def _annotate(tool: Tool) -> ToolAnnotations:
    """Return the hints for a client that asks its user.

    No tool destroys: what would delete or replace in a person's place becomes a proposal. A tool that
    writes must say so, because a client takes it for destructive otherwise.
    """
    if not tool.writes:
        return ToolAnnotations(read_only_hint=True)
    return ToolAnnotations(destructive_hint=False)
