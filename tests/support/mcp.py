"""The official client of the Model Context Protocol, with a server that it starts as an agent does."""

import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, Implementation, TextContent

from hooklore.mcp_server.calling import CONTENT_KEY

COMMAND: Final = str(Path(sys.executable).parent / "hooklore")
SECONDS: Final = 60.0

Result = TypeVar("Result")


def server(home: Path, *options: str, folder: Path | None = None,
           **variables: str) -> StdioServerParameters:  # fmt: skip
    """Return the command of a server of that home, which works in `folder`."""
    return StdioServerParameters(
        command=COMMAND,
        args=["mcp", *options],
        env={"HOME": str(home), **variables},
        cwd=folder or home,
    )


def converse(
    parameters: StdioServerParameters,
    talk: Callable[[Client], Awaitable[Result]],
    *,
    name: str = "a test's own client",
) -> Result:
    """Return the result of a conversation with a server that is started for it."""

    async def run() -> Result:
        who = Implementation(name=name, version="1")
        with anyio.fail_after(SECONDS):
            async with Client(parameters, client_info=who) as client:
                return await talk(client)

    return anyio.run(run)


def call(parameters: StdioServerParameters, tool: str, arguments: Mapping[str, Any] | None = None,
         *, name: str = "a test's own client") -> CallToolResult:  # fmt: skip
    """Return the result of one call in a conversation of its own."""

    async def talk(client: Client) -> CallToolResult:
        return await client.call_tool(tool, dict(arguments or {}))

    return converse(parameters, talk, name=name)


def text_of(result: CallToolResult) -> str:
    """Return the text that a client hands to its model."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def content_of(result: CallToolResult) -> Mapping[str, Any]:
    """Return the ids and flags beside the text."""
    content: Mapping[str, Any] = (result.meta or {}).get(CONTENT_KEY, {})
    return content
