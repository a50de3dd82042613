"""The server: which handler answers which request of the protocol, whatever way it came."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

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
    Resource,
    TextResourceContents,
    ToolAnnotations,
)
from mcp.types import Tool as Definition

from hooklore import __version__
from hooklore.config import StoreLocation
from hooklore.errors import HookloreError
from hooklore.hooks.exclusions import require_not_switched_off
from hooklore.mcp_server.calling import response_text, tool_result
from hooklore.mcp_server.input_schema import input_schema
from hooklore.requests.request import Caller
from hooklore.requests.response import Response, refuse
from hooklore.requests.verb import Verb
from hooklore.requests.verb_table import all_verbs, tools
from hooklore.resident.async_asking import ask

INSTRUCTIONS = (
    "Memory shared by the user's coding agents: call recall before you answer from memory or decide again.\n"
    "Call remember when the user states a rule, a decision and its reason, or a fact that lasts."
)
"""Two lines that clients show their model."""

_RESOURCES: Final = {f"hooklore://{name}": name for name in ("pins", "profile")}
"""The verb that answers for each resource: what every session may read without a tool, by the same access rules."""

_TEXT = "text/plain"

Choice = Literal["default", "all"]
"""The tools of a server: those that an agent needs, or every tool of the table."""

Context = ServerRequestContext[Any, Any]


class MemoryServer:
    """Offers tools and resources, and asks the resident.

    `caller_of` returns who sends a request of the protocol. It raises HookloreError for a client that may not.
    """

    def __init__(
        self,
        place: StoreLocation,
        caller_of: Callable[[Context], Caller],
        *,
        choice: Choice = "default",
        read_only: bool = False,
    ) -> None:
        self._place, self._caller_of, self._read_only = place, caller_of, read_only
        self._tools = {
            name: verb
            for name, verb in tools().items()
            if (choice == "all" or verb.tool == "every") and not (read_only and verb.writes)
        }
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
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[_define(verb) for verb in self._tools.values()])

    async def _call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in self._tools:
            return tool_result(self._no_such_tool())
        return tool_result(await self._ask(context, params.name, params.arguments or {}))

    async def _list_resources(
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        rows = [(uri, all_verbs()[name]) for uri, name in _RESOURCES.items()]
        return ListResourcesResult(
            resources=[
                Resource(uri=uri, name=row.name, description=row.summary, mime_type=_TEXT)
                for uri, row in rows
            ]
        )

    async def _read_resource(
        self, context: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """Return a resource. Raise MCPError: the protocol has no other form for a resource that fails."""
        verb = _RESOURCES.get(params.uri)
        if verb is None:
            uris = " and ".join(_RESOURCES)
            raise MCPError(INVALID_PARAMS, f"could not find that resource: there are {uris}")
        response = await self._ask(context, verb, {})
        text = response_text(response)
        if not response.success:
            raise MCPError(INTERNAL_ERROR, text)
        found = TextResourceContents(uri=params.uri, text=text, mime_type=_TEXT)
        return ReadResourceResult(contents=[found])

    async def _ask(self, context: Context, verb: str, arguments: Mapping[str, object]) -> Response:
        try:
            require_not_switched_off()
            caller = self._caller_of(context)
        except HookloreError as error:
            return refuse(error)
        return await ask(self._place, verb, arguments, caller)

    def _no_such_tool(self) -> Response:
        only = "only reads, and " if self._read_only else ""
        return Response(
            success=False,
            problem=f"could not find that tool: this server {only}has {', '.join(self._tools)}",
            hint="call one of these tools",
        )


def client_name(context: Context) -> str | None:
    """Return the name that the client gives itself, None where it has not said one."""
    client = context.session.client_params
    return client.client_info.name if client else None


def _define(verb: Verb) -> Definition:
    """Return the definition of a tool, with hints for a client that asks its user.

    No tool destroys: what would delete or replace in a person's place becomes a proposal. A tool that
    writes must say so, because a client takes it for destructive otherwise.
    """
    writes, reads = ToolAnnotations(destructive_hint=False), ToolAnnotations(read_only_hint=True)
    return Definition(
        name=verb.name,
        description=verb.summary,
        input_schema=input_schema(verb.arguments),
        annotations=writes if verb.writes else reads,
    )
