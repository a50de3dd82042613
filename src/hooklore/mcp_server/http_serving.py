"""Serve each request of HTTP by itself: no session is kept, so a restart ends none."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mcp.server.context import CallNext, HandlerResult
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_REQUEST
from starlette.requests import Request as HttpRequest
from starlette.types import Receive, Scope, Send

from hooklore.config import StoreLocation, load_settings
from hooklore.errors import HookloreError
from hooklore.mcp_server.calling import response_text
from hooklore.mcp_server.client_identity import require_client_of, told_session
from hooklore.mcp_server.memory_server import Context, MemoryServer, client_name
from hooklore.memories.agent_registry import agents_of
from hooklore.requests.request import Caller
from hooklore.requests.response import refuse


class HttpMemoryServer:
    """An application of ASGI that answers each request by the SDK.

    `bearer_of` returns who sends a request of HTTP: only that counts, whatever the client says it is.
    """

    def __init__(self, place: StoreLocation, bearer_of: Callable[[HttpRequest], Caller]) -> None:
        self._place, self._bearer_of = place, bearer_of
        self._server = MemoryServer(place, self._caller_of).server
        self._server.middleware.append(self._check_start)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. The SDK's tasks end with it, and so with the process."""
        answering = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with answering.run():
            await answering.handle_request(scope, receive, send)

    def _caller_of(self, context: Context) -> Caller:
        return self._checked(context, client_name(context))

    async def _check_start(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Refuse another agent where it says its name: older clients do so in `initialize` alone."""
        if ctx.method == "initialize":
            try:
                self._checked(ctx, _name_in(ctx.params or {}))
            except HookloreError as error:
                raise MCPError(INVALID_REQUEST, response_text(refuse(error))) from None
        return await call_next(ctx)

    def _checked(self, context: Context, name: str | None) -> Caller:
        """Return who calls, in the session that the call tells. Raise WrongClient."""
        assert context.request is not None
        caller = self._bearer_of(context.request)
        agents = agents_of(load_settings(self._place.config))
        require_client_of(caller.agent_id, name, agents)
        session = caller.session_id or told_session(caller.agent_id, context.meta)
        return replace(caller, session_id=session)


def _name_in(parameters: Mapping[str, Any]) -> str | None:
    info = parameters.get("clientInfo")
    name = info.get("name") if isinstance(info, Mapping) else None
    return name if isinstance(name, str) else None
