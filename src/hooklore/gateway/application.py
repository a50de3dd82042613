"""The application of the gateway: its routes, its problems, and the door before them."""

from collections.abc import Mapping
from http import HTTPStatus

import anyio
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse
from starlette.types import ASGIApp

from hooklore import __version__
from hooklore.config import StoreLocation
from hooklore.errors import HookloreError, StoreUnreadable
from hooklore.gateway.addresses import Addresses
from hooklore.gateway.appending import Appender
from hooklore.gateway.forms import ProblemDetails
from hooklore.gateway.guard import Guard, OAuthPaths
from hooklore.gateway.http_call import as_json
from hooklore.gateway.mcp_route import mcp_route
from hooklore.gateway.memory_routes import router
from hooklore.gateway.problem import Problem
from hooklore.gateway.rate_limit import RateLimit
from hooklore.gateway.route_descriptions import describe
from hooklore.gateway.verb_routes import verb_router
from hooklore.requests.access_tokens import TokenFile
from hooklore.resident.asking import start_resident
from hooklore.resident.call import request_status

_TITLE = "hooklore"
_DESCRIPTION = (
    "One memory shared by a person's agents: read it at the start of a run, keep what is settled."
)
_ACTIONS: Mapping[int, str] = {
    404: "see `/openapi.json` for the routes",
    405: "see `/openapi.json` for the methods of this route",
}


def make_application(place: StoreLocation, addresses: Addresses) -> FastAPI:
    """Return the routes of a store's gateway, without the door before them."""
    app = FastAPI(
        title=_TITLE, version=__version__, description=_DESCRIPTION,
        servers=[{"url": addresses.url}], docs_url=None, redoc_url=None,
        redirect_slashes=False,
    )  # fmt: skip
    app.state.place, app.state.appender = place, Appender(place)
    app.include_router(router)
    app.include_router(verb_router())
    app.get("/healthz", **describe("health"))(_tell_health)
    app.router.routes.append(mcp_route(place))
    app.add_exception_handler(Problem, _respond_problem)
    app.add_exception_handler(HTTPException, _respond_http)
    app.add_exception_handler(Exception, _respond_failure)
    _complete(app)
    return app


def guard(
    app: ASGIApp, tokens: TokenFile, addresses: Addresses, rate: float, oauth: OAuthPaths
) -> ASGIApp:
    """Return an application behind its door."""
    return Guard(app, addresses, tokens, RateLimit(rate), oauth)


def _complete(app: FastAPI) -> None:
    """Complete the OpenAPI document with the token that its routes need."""
    parts = app.openapi()["components"]
    parts["schemas"][ProblemDetails.__name__] = ProblemDetails.model_json_schema()
    parts["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    for name in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(name, None)


async def _tell_health(request: HttpRequest) -> HttpResponse:
    """Tell whether the memory answers."""
    place: StoreLocation = request.app.state.place
    try:
        await anyio.to_thread.run_sync(_require_answer, place)
    except HookloreError as error:
        raise Problem.of_error(error) from None
    return as_json({"status": "ok", "version": __version__})


def _require_answer(place: StoreLocation) -> None:
    """Ask the resident for its state, or start one where none runs. Raise StoreError, ResidentUnreachable."""
    try:
        with open(place.log, "rb"):
            pass
    except FileNotFoundError:
        pass  # of a store without a memory yet
    except OSError as error:
        raise StoreUnreadable(str(place.log), error.strerror or str(error)) from None
    if request_status(place) is None:
        start_resident(place)


async def _respond_problem(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, Problem)
    return error.respond()


async def _respond_failure(_request: HttpRequest, _error: Exception) -> HttpResponse:
    """Word what nobody expected, without the error's words: they may hold what the client sent."""
    action = "run `hooks doctor`, then send it again"
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return Problem(status, "the gateway failed", action, code="failed").respond()


async def _respond_http(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Word what the router itself refuses: a path or a method that there is not."""
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    action = _ACTIONS.get(status, "send another request")
    detail = f"could not answer: {status.phrase.lower()}"
    return Problem(status, detail, action, headers=error.headers).respond()
