"""The server: which handler answers which request of the protocol."""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from hooklore import __version__
from hooklore.config import StoreLocation, load_settings
from hooklore.errors import HookloreError
from hooklore.hooks.left_alone import require_not_switched_off
from hooklore.mcp_server.calling import ask, response_text, tool_result
from hooklore.mcp_server.client_identity import decide_agent
from hooklore.mcp_server.definitions import define_tools
from hooklore.mcp_server.resources import RESOURCES, VERBS, contents_of
from hooklore.mcp_server.session import find_session
from hooklore.mcp_server.toolset import Choice, choose_tools
from hooklore.mcp_server.transport import serve_lines
from hooklore.memories.agent_registry import agents_of
from hooklore.requests.request import Caller
from hooklore.requests.response import Response, refuse

INSTRUCTIONS = (
    "Memory shared by the user's coding agents: call recall before you answer from memory or decide again.\n"
    "Call remember when the user states a rule, a decision and its reason, or a fact that lasts."
)
"""Two lines that clients show their model."""

_URIS = " and ".join(RESOURCES)

_Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of the command line: `agent` is the one that the server is registered for."""

    agent: str | None = None
    tools: Choice = "default"
    read_only: bool = False


def serve(place: StoreLocation, options: ServerOptions) -> None:
    """Serve on stdin and stdout until the client closes stdin."""
    # The SDK logs what it could not read, and a client keeps the server's stderr in files.
    logging.disable(logging.CRITICAL)
    try:
        anyio.run(serve_lines, MemoryServer(place, options).server)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        # The client has left while it was owed an answer.
        pass


class MemoryServer:
    """One server for one client: it offers tools and resources, and asks the resident."""

    def __init__(self, place: StoreLocation, options: ServerOptions) -> None:
        self._place, self._options = place, options
        self._tools = choose_tools(options.tools, read_only=options.read_only)
        self._folder = _working_directory()
        self._agents = agents_of(load_settings(place.config))
        self.server: Server[Any] = Server(
            "hooklore",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )
        # A span of the SDK's own tracing would carry what is called to whatever exporter is installed.
        self.server.middleware.clear()

    async def _list_tools(
        self, _context: _Context, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=define_tools(self._tools))

    async def _call_tool(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in self._tools:
            return tool_result(self._no_such_tool())
        return tool_result(await self._ask(context, params.name, params.arguments or {}))

    async def _list_resources(
        self, _context: _Context, _params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        return ListResourcesResult(resources=list(RESOURCES.values()))

    async def _read_resource(
        self, context: _Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """Return a resource. Raise MCPError: the protocol has no other form for a resource that fails."""
        verb = VERBS.get(params.uri)
        if verb is None:
            raise MCPError(INVALID_PARAMS, f"could not find that resource: there are {_URIS}")
        response = await self._ask(context, verb, {})
        text = response_text(response)
        if not response.success:
            raise MCPError(INTERNAL_ERROR, text)
        return ReadResourceResult(contents=[contents_of(params.uri, text)])

    async def _ask(self, context: _Context, verb: str, arguments: Mapping[str, object]) -> Response:
        try:
            require_not_switched_off()
            caller = self._caller(context)
        except HookloreError as error:
            return refuse(error)
        return await ask(self._place, verb, arguments, caller)

    def _caller(self, context: _Context) -> Caller:
        """Return who calls. Raise WrongClient."""
        client = context.session.client_params
        name = client.client_info.name if client else None
        agent = decide_agent(self._options.agent, name, self._agents)
        return Caller(agent, find_session(agent, context.meta), self._folder)

    def _no_such_tool(self) -> Response:
        only = "only reads, and " if self._options.read_only else ""
        return Response(
            success=False,
            problem=f"could not find that tool: this server {only}has {', '.join(self._tools)}",
            hint="call one of these tools",
        )


def _working_directory() -> str | None:
    """Return the folder that the client started this process in; None where the folder is gone."""
    try:
        return os.getcwd()
    except OSError:
        return None
