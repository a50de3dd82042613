"""The door before every route: by which name the gateway was asked, from where, by whom, how much, and how fast.

It is a layer of ASGI, for the routes of the SDK stand behind it, too.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hooklore.errors import HookloreError
from hooklore.gateway.addresses import Addresses
from hooklore.gateway.problem import Problem
from hooklore.gateway.rate_limit import RateLimit
from hooklore.requests.access_tokens import TokenFile, TokenInvalid
from hooklore.requests.token_kinds import AccessToken, Grant

BEARER: Final = "hooklore.bearer"
"""The key of the scope under which a request's `Bearer` stands."""

MOST_BODY: Final = 2 * 1024 * 1024
_MOST_PUBLIC_BODY: Final = 64 * 1024
_BODY_SECONDS: Final = 10.0
_MOST_DRAINED: Final = 8 * MOST_BODY
_DRAIN_SECONDS: Final = 2.0
_SECONDS_BETWEEN_NOTES: Final = 60.0
_LONGEST_TARGET: Final = 8 * 1024
_LONGEST_HEADERS: Final = 32 * 1024
_SINGLE: Final = (
    "host",
    "authorization",
    "content-type",
    "content-length",
    "origin",
    "idempotency-key",
)
_OPEN: Final = frozenset({"/healthz", "/openapi.json"})
_WELL_KNOWN: Final = "/.well-known/"
"""Programs look there for metadata of several standards. Some end at a 401, and go on after a 404."""

_REALM: Final = 'Bearer realm="hooklore"'


@dataclass(frozen=True, slots=True)
class Bearer:
    """The sender of a request: the text of the token, and what the token opens."""

    text: str = field(repr=False)
    token: AccessToken


@dataclass(frozen=True, slots=True)
class OAuthPaths:
    """The routes of OAuth as the door sees them: those in `public` need no token, those in `forms` take forms.

    `metadata_url` says to who has no token how to get one, and `server` is the URL whose grants count.
    """

    public: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset()
    metadata_url: str = ""
    server: str = ""


class Guard:
    """Lets a request through to `app`, with its bearer, or answers it with a problem."""

    def __init__(
        self,
        app: ASGIApp,
        addresses: Addresses,
        tokens: TokenFile,
        rate: RateLimit,
        oauth: OAuthPaths,
    ) -> None:
        self._app, self._addresses, self._tokens, self._rate = app, addresses, tokens, rate
        self._noted: dict[str, float] = {}
        self._oauth = oauth
        url = oauth.metadata_url
        self._challenge = f'{_REALM}, resource_metadata="{url}"' if url else _REALM

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection of ASGI. Only HTTP is served."""
        if scope["type"] != "http":
            return
        try:
            headers = _headers(scope)
            self._check_address(headers)
            self._check_form(scope, headers)
            if scope["path"] in self._oauth.public:
                self._take(scope["path"], "too many requests come by this route")
            elif scope["path"] not in _OPEN and not scope["path"].startswith(_WELL_KNOWN):
                scope[BEARER] = self._identify(headers)
        except Problem as problem:
            await _drain(receive)
            await problem.respond()(scope, receive, send)
            return
        await self._pass_on(scope, receive, send)

    def _check_address(self, headers: Mapping[str, str]) -> None:
        if headers.get("host", "").lower() not in self._addresses.hosts:
            raise Problem(
                HTTPStatus.MISDIRECTED_REQUEST, "this gateway does not serve that host",
                f"ask {self._addresses.url}, or start the gateway with `--public-url`",
            )  # fmt: skip
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._addresses.origins:
            raise Problem(
                HTTPStatus.FORBIDDEN, "a page of another site sent this request",
                "ask from a program, not from a page",
            )  # fmt: skip

    def _check_form(self, scope: Scope, headers: Mapping[str, str]) -> None:
        if len(scope["query_string"]) + len(scope["raw_path"]) > _LONGEST_TARGET:
            raise Problem(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long", "send less")
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._most_of(scope):
            raise _too_large(self._most_of(scope))
        if "transfer-encoding" in headers and "content-length" in headers:
            raise Problem(
                HTTPStatus.BAD_REQUEST, "the body has two lengths", "send `Content-Length` alone",
                headers={"Connection": "close"},
            )  # fmt: skip
        if scope["method"] != "POST":  # no other method has a route that reads a body
            return
        media = headers.get("content-type", "").partition(";")[0].strip().lower()
        takes_form = (
            scope["path"] in self._oauth.forms and media == "application/x-www-form-urlencoded"
        )
        if media != "application/json" and not takes_form:
            raise Problem(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body is of another type than JSON",
                "send `Content-Type: application/json`",
            )  # fmt: skip

    def _identify(self, headers: Mapping[str, str]) -> Bearer:
        """Return the bearer of a request. Raise Problem for a missing or an invalid token, and for too many."""
        scheme, _, text = headers.get("authorization", "").partition(" ")
        text = text.strip() if scheme.lower() == "bearer" else ""
        try:
            token = self._tokens.find(text)
            if isinstance(token, Grant) and token.server != self._oauth.server:
                raise TokenInvalid
        except HookloreError as error:
            problem = Problem.of_error(error)
            if problem.status is HTTPStatus.UNAUTHORIZED:
                problem.headers["WWW-Authenticate"] = self._challenge
            raise problem from None
        self._take(token.id, "this token sends too many requests")
        self._note_use(token.id)
        return Bearer(text, token)

    def _take(self, sender: str, detail: str) -> None:
        """Raise Problem where a token, or all who ask a route without one, send too many requests."""
        wait = self._rate.take(sender)
        if wait:
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS, detail, "wait, and send fewer",
                headers={"Retry-After": str(int(wait) + 1)},
            )  # fmt: skip

    def _most_of(self, scope: Scope) -> int:
        """Return how many bytes a body may have: few where anybody may send one."""
        return _MOST_PUBLIC_BODY if scope["path"] in self._oauth.public else MOST_BODY

    def _note_use(self, id_: str) -> None:
        """Note the use of a token in a thread: to flush a file takes longer than to answer."""
        now = time.time()
        if abs(now - self._noted.get(id_, 0.0)) >= _SECONDS_BETWEEN_NOTES:
            self._noted[id_] = now
            loop = asyncio.get_running_loop()
            loop.run_in_executor(None, self._tokens.mark_used, id_, now)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application with a body that is bounded in bytes and time, and word what it raises."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, _Bounded(receive, self._most_of(scope)), watched)
        except Problem as problem:
            if started:
                raise
            await _drain(receive)
            await problem.respond()(scope, receive, send)


class _Bounded:
    """Receives a body of at most so many bytes, within some seconds."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._left = receive, most, most
        self._end = time.monotonic() + _BODY_SECONDS
        self._is_whole = False

    async def __call__(self) -> Message:
        if self._is_whole:  # what follows is the client's leaving
            return await self._receive()
        try:
            async with asyncio.timeout(max(self._end - time.monotonic(), 0.0)):
                message = await self._receive()
        except TimeoutError:
            raise Problem(
                HTTPStatus.REQUEST_TIMEOUT, "the body did not arrive in time", "send it at once",
                headers={"Connection": "close"},
            ) from None  # fmt: skip
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _too_large(self._most)
        self._is_whole = not message.get("more_body", False)
        return message


async def _drain(receive: Receive) -> None:
    """Read the rest of a body that nobody wants, for a client that is cut off never reads the answer."""
    left = _MOST_DRAINED
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _too_large(most: int) -> Problem:
    return Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body has more than {most:,} bytes",
        "send less at a time", headers={"Connection": "close"},
    )  # fmt: skip


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers by their names. Raise Problem for too many, and for two of one that may stand once."""
    found: dict[str, str] = {}
    raw: list[tuple[bytes, bytes]] = scope["headers"]
    if sum(len(name) + len(value) for name, value in raw) > _LONGEST_HEADERS:
        raise Problem(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too long", "send less"
        )
    for name, value in raw:
        key = name.decode("latin-1").lower()
        if key in found and key in _SINGLE:
            raise Problem(
                HTTPStatus.BAD_REQUEST, f"the header `{key}` stands there twice", "send it once"
            )
        found[key] = value.decode("latin-1")
    return found


def bearer_of(scope: Mapping[str, Any]) -> Bearer:
    """Return who sends the request of a scope, which has passed the guard."""
    found: Bearer = scope[BEARER]
    return found
