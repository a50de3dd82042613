"""Connections to one server that stay open between requests.

The standard library's client does what is needed here, and a program that keeps memories elsewhere installs
nothing more for it.
"""

import http.client
import os
import ssl
import threading
import time
import urllib.request
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from hooklore.requests.server_url import is_loopback

_CONNECT_SECONDS = 5.0
_MOST_IDLE = 8
_MOST_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The answer to a request: its headers by their names in lower case, and its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpConnections:
    """The open connections to the server of a URL, which threads may share. A forked process opens its own.

    No redirect is followed: the headers, and with them the token, go to this server alone.
    """

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []
        self._pid = os.getpid()

    def post(
        self, target: str, body: bytes, headers: Mapping[str, str], seconds: float
    ) -> HttpAnswer:
        """Return the answer to a body, within about `seconds`. Raise OSError or http.client.HTTPException.

        A connection that the server has closed meanwhile is replaced once: the request may arrive twice.
        """
        end = time.monotonic() + seconds
        known = self._take()
        if known is not None:
            try:
                return self._ask(known, target, body, headers, end)
            except TimeoutError:
                raise
            except (OSError, http.client.HTTPException):
                pass  # it was closed while it was idle
        return self._ask(self._open(end), target, body, headers, end)

    def close(self) -> None:
        """Close the idle connections. A later request opens another."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def __del__(self) -> None:
        """Close the connections of a program that does not."""
        for connection in self._idle:
            connection.close()

    def _ask(
        self,
        connection: http.client.HTTPConnection,
        target: str,
        body: bytes,
        headers: Mapping[str, str],
        end: float,
    ) -> HttpAnswer:
        try:
            if connection.sock is not None:
                connection.sock.settimeout(_seconds_until(end))
            connection.request("POST", target, body, dict(headers))
            if connection.sock is not None:  # a new one, which was opened within shorter time
                connection.sock.settimeout(_seconds_until(end))
            answer = connection.getresponse()
            raw = _read_all(answer)
        except BaseException:
            connection.close()
            raise
        found = {name.lower(): value for name, value in answer.getheaders()}
        self._give_back(connection)
        return HttpAnswer(answer.status, found, raw)

    def _take(self) -> http.client.HTTPConnection | None:
        with self._lock:
            if self._pid != os.getpid():  # the parent goes on to use those that are open
                self._idle, self._pid = [], os.getpid()
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if connection.sock is not None and len(self._idle) < _MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _open(self, end: float) -> http.client.HTTPConnection:
        """Return a connection that opens itself, by the proxy that the environment names for the server."""
        seconds = min(_seconds_until(end), _CONNECT_SECONDS)
        host, port = str(self._url.hostname), self._url.port
        if self._url.scheme == "http":  # this machine itself, which no proxy reaches
            return http.client.HTTPConnection(host, port, timeout=seconds)
        context = ssl.create_default_context()
        proxy = _proxy_for(self._url)
        if proxy is None:
            return http.client.HTTPSConnection(host, port, timeout=seconds, context=context)
        tunnel = http.client.HTTPSConnection(
            str(proxy.hostname), proxy.port or 80, timeout=seconds, context=context
        )
        tunnel.set_tunnel(host, port or 443, _proxy_headers(proxy))
        return tunnel


def _read_all(answer: http.client.HTTPResponse) -> bytes:
    raw = answer.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise http.client.HTTPException("the answer is too long")
    return raw


def _seconds_until(end: float) -> float:
    return max(end - time.monotonic(), 0.01)


def _proxy_for(url: SplitResult) -> SplitResult | None:
    host = str(url.hostname)
    if is_loopback(host) or urllib.request.proxy_bypass(host):
        return None
    found = urllib.request.getproxies().get(url.scheme)
    if not found:
        return None
    proxy = urlsplit(found if "://" in found else f"http://{found}")
    return proxy if proxy.hostname else None


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    user = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(user.encode()).decode()}"}
