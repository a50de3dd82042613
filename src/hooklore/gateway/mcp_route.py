"""The Model Context Protocol at `/mcp`, for the agents whose tokens the other routes take."""

import anyio
from starlette.requests import Request as HttpRequest
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hooklore.config import StoreLocation
from hooklore.gateway.http_call import HttpCall
from hooklore.requests.request import Caller

PATH = "/mcp"


def mcp_route(place: StoreLocation) -> Route:
    """Return the route. It takes POST alone: no session is kept that GET could listen to or DELETE end."""
    return Route(PATH, _McpEndpoint(place), methods=["POST"], include_in_schema=False)


class _McpEndpoint:
    """Hands requests to the SDK, which is imported for the first one: it takes as much memory as all else."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._server: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Raise Problem for a parameter of the address that it does not take."""
        HttpCall.of(HttpRequest(scope))
        if self._server is None:
            self._server = await anyio.to_thread.run_sync(self._make_server)
        await self._server(scope, receive, send)

    def _make_server(self) -> ASGIApp:
        from hooklore.mcp_server.http_serving import HttpMemoryServer

        return HttpMemoryServer(self._place, _bearer_of)


def _bearer_of(request: HttpRequest) -> Caller:
    return HttpCall.of(request).caller()
