"""Serve the gateway's application until a signal ends it."""

import logging
import os
import socket
from asyncio import TimerHandle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from hooklore.config import StoreLocation
from hooklore.errors import HookloreError, StoreUnreadable
from hooklore.gateway.addresses import WILDCARDS, Addresses, addresses_of
from hooklore.gateway.application import guard, make_application
from hooklore.gateway.guard import OAuthPaths
from hooklore.gateway.presence import RunningGateway, marked
from hooklore.requests.access_tokens import TokenFile

_MOST_CONNECTIONS = 256
_IDLE_SECONDS = 30
_HEADER_SECONDS = 10.0
_LONGEST_HEADERS = 32 * 1024
_LEAVING_SECONDS = 5


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """The options of the command line. `rate` is how many requests a token may send in a second, 0 for no limit.

    With `oauth` programs may ask for a token themselves, `allowed_redirects` being further places for the answer.
    """

    host: str
    port: int
    public_url: str | None
    tls_cert: str | None
    tls_key: str | None
    rate: float
    oauth: bool = False
    allowed_redirects: Sequence[str] = ()


class _Impatient(H11Protocol):
    """A connection that must bring the whole header of a request within some seconds."""

    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(_HEADER_SECONDS, transport.close)

    def data_received(self, data: bytes) -> None:
        """Read on. A request whose header has come is the application's to wait for."""
        super().data_received(data)
        is_answered = self.cycle is not None and not self.cycle.response_complete
        if is_answered:
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(_HEADER_SECONDS, self.transport.close)

    def on_response_complete(self) -> None:
        """Stop waiting: between two requests the server's own timeout counts."""
        self._stop_waiting()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def serve(
    place: StoreLocation, home: str, options: GatewayOptions, say: Callable[[str], None]
) -> None:
    """Serve until a signal comes. `say` is told one line, the address, once clients can connect.

    Raise HookloreError for a store or an address that cannot be used.
    """
    _require_own_store(place)
    # The libraries log what clients send, and nobody may find a memory in a log.
    logging.disable(logging.CRITICAL)
    listening = _bind(options)
    port = listening.getsockname()[1]
    has_tls = bool(options.tls_cert and options.tls_key)
    addresses = addresses_of(options.host, port, options.public_url, has_tls=has_tls)
    app = _make_application(place, TokenFile(place, home), addresses, options)
    config = uvicorn.Config(
        app, http=_Impatient, ws="none", lifespan="off", log_config=None, access_log=False,
        server_header=False, proxy_headers=False, limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=_IDLE_SECONDS, timeout_graceful_shutdown=_LEAVING_SECONDS,
        h11_max_incomplete_event_size=_LONGEST_HEADERS,
        ssl_certfile=options.tls_cert, ssl_keyfile=options.tls_key,
    )  # fmt: skip
    _load(config)
    local = f"{'https' if has_tls else 'http'}://{_reachable(options.host)}:{port}"
    with marked(place, RunningGateway(addresses.url, local)):
        say(f"serving on {addresses.url}")
        uvicorn.Server(config).run(sockets=[listening])


def _make_application(
    place: StoreLocation, tokens: TokenFile, addresses: Addresses, options: GatewayOptions
) -> ASGIApp:
    """Return the application behind its door. Raise HookloreError for a redirect that cannot be used."""
    app, oauth = make_application(place, addresses), OAuthPaths()
    if options.oauth:
        from hooklore.gateway.oauth.oauth_routes import add_oauth  # 33 MB, with the SDK

        oauth = add_oauth(app, tokens, addresses.url, options.allowed_redirects)
    return guard(app, tokens, addresses, options.rate, oauth)


def _reachable(host: str) -> str:
    """Return where this machine reaches what listens on `host`."""
    if host in WILDCARDS:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _require_own_store(place: StoreLocation) -> None:
    """Raise StoreUnreadable for a store that another user owns."""
    try:
        owner = os.stat(place.directory).st_uid
    except FileNotFoundError:
        return
    if owner != os.getuid():
        raise StoreUnreadable(str(place.directory), "another user owns it")


def _load(config: uvicorn.Config) -> None:
    """Read what the server needs. Raise HookloreError for files of TLS that are none."""
    if bool(config.ssl_certfile) != bool(config.ssl_keyfile):
        raise HookloreError(
            "could not serve with TLS: the certificate or its key is missing",
            fix="add both `--tls-cert` and `--tls-key`",
        )
    try:
        config.load()
    except OSError as error:  # a file that is no certificate, too
        raise HookloreError(
            f"could not serve with TLS: {error.strerror or error}",
            fix="name a certificate and its key, each in PEM form",
        ) from None


def _bind(options: GatewayOptions) -> socket.socket:
    """Return the listening socket. Raise HookloreError for an address that cannot be taken."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    # asyncio lets answers go at once only where the socket says that it is TCP, and else they wait 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((options.host, options.port))
        listening.listen(_MOST_CONNECTIONS)
    except OSError as error:
        listening.close()
        raise HookloreError(
            f"could not serve on `{options.host}:{options.port}`: {error.strerror or error}",
            fix="name another with `--port`",
        ) from None
    return listening
