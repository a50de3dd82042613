"""The official client of the Model Context Protocol, with a server that it starts as an agent does.

A module of tests that imports this one is skipped where the extra is not installed.
"""

import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from tests.support.untried import NO_MCP

pytest.importorskip("mcp", reason=NO_MCP)

import anyio
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, Implementation, TextContent

from hooklore.mcp_server.calling import CONTENT_KEY

COMMAND: Final = str(Path(sys.executable).parent / "hooklore")
SECONDS: Final = 60.0
NAME: Final = "a test's own client"

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
    name: str = NAME,
) -> Result:
    """Return the result of a conversation with a server that is started for it."""

    async def run() -> Result:
        who = Implementation(name=name, version="1")
        with anyio.fail_after(SECONDS):
            async with Client(parameters, client_info=who) as client:
                return await talk(client)

    return anyio.run(run)


@contextmanager
def open_server(
    parameters: StdioServerParameters,
) -> Iterator[Callable[[str, Mapping[str, Any]], CallToolResult]]:
    """Yield the function that calls a tool of one server, which runs until the end of the block."""
    client = Client(parameters, client_info=Implementation(name=NAME, version="1"))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as opened:
        yield lambda tool, given: portal.call(opened.call_tool, tool, dict(given))


def call(parameters: StdioServerParameters, tool: str, arguments: Mapping[str, Any] | None = None,
         *, name: str = NAME) -> CallToolResult:  # fmt: skip
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
