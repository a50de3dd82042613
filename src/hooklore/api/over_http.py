"""Requests that a gateway answers, which may be on another machine.

What is to be kept while the gateway does not answer waits in an outbox of this user's. It is sent in its order
before the next request that reaches the gateway, in this program or a later one, and counts once.
"""

import http.client
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

import orjson

from hooklore.api.http_connections import HttpAnswer, HttpConnections
from hooklore.api.outbox import QueuedWrite, outbox_of
from hooklore.api.queueing import prepare_to_wait
from hooklore.config import read_environment
from hooklore.errors import ConfigError, GatewayUnreachable, HookloreError
from hooklore.hooks.project import project_keys
from hooklore.requests.request import Request
from hooklore.requests.response import Response
from hooklore.requests.results import Ingested, Remembered
from hooklore.requests.server_url import is_loopback, read_server_url
from hooklore.requests.verb_table import find_verb

_LONGEST_TOKEN: Final = 512
_REST_PER_SECOND: Final = 10.0
"""Seconds without another try for each second that a failed one took: a dead network must not slow each write."""

_ABOUT_THE_WRITE: Final = (400, 413, 422)
"""Statuses of a write that the gateway will never take. Any other refusal may pass."""

_TRANSIENT: Final = (408, 425, 429)
_TAKES_NONE_NOW: Final = (0, 429, 502, 503, 504)
_TAKES_NONE_OF_OURS: Final = (401, 421)
"""Statuses of a token that opens nothing, and of another host than the gateway's own."""

_SECONDS_TRIED: Final = 60.0
"""Seconds after which a write is tried again that is refused for now, as one outside of the token's scopes."""


class _Refused(Exception):
    """The gateway answers with another status than success."""

    def __init__(self, status: int, response: Response) -> None:
        super().__init__(status)
        self.status, self.response = status, response

    @property
    def may_pass(self) -> bool:
        """Return whether the same request may succeed later."""
        return self.status in _TRANSIENT or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR


class OverHttp:
    """Asks one gateway with one token. It may be shared by threads."""

    def __init__(self, url: str, token: str, agent: str, seconds: float) -> None:
        """A call waits for at most about `seconds`.

        Where `agent` is named, what waits for the gateway outlives the token: the agent's next one sends it.
        Raise HookloreError for a URL where the token could be read on its way, and for what is no token.
        """
        self._url = _checked_url(url)
        self._headers = {
            "Authorization": f"Bearer {_checked_token(token)}",
            "Content-Type": "application/json", "Accept": "application/json",
        }  # fmt: skip
        self._connections, self._seconds = HttpConnections(self._url), seconds
        self._outbox = outbox_of(_home(), self._url, agent or token)
        self._resting_until = self._tried_until = 0.0
        self._tried: set[Path] = set()

    def answer(self, request: Request) -> Response:
        """Return the response of the gateway, or that a write waits. Raise GatewayUnreachable.

        Raise OutboxFull where no more may wait, and TypeError for what JSON cannot hold.
        """
        write = self._write_of(request)
        if not _can_wait(write.verb):
            self.send_waiting()
            return self._read(write)
        if self._outbox.paths() and not self.send_waiting():
            return self._queue(write, "earlier writes wait")
        try:
            self._require_rested()
            return self._post(write)
        except GatewayUnreachable as error:
            return self._queue(write, error.cause)
        except _Refused as refused:
            if refused.may_pass:
                return self._queue(write, refused.response.problem)
            return refused.response

    def send_waiting(self) -> bool:
        """Send what waits, in its order. Return whether a new write may follow: what is left holds up none."""
        end = time.monotonic() + self._seconds
        while waiting := self._list_waiting():
            if self._resting_until > time.monotonic():
                return False
            with self._outbox.sending() as is_ours:
                if not is_ours or not self._send_all(waiting, end):
                    return False
        return True

    def close(self) -> None:
        """Send what waits, if that can be done, and close the connections."""
        self.send_waiting()
        self._connections.close()

    def _write_of(self, request: Request) -> QueuedWrite:
        caller = request.caller
        named = {
            "agent_id": caller.agent_id, "session_id": caller.session_id, "project": caller.project,
            "group": "true" if caller.is_group else None,
        }  # fmt: skip
        parameters = {name: value for name, value in named.items() if value}
        # What comes back from a file is what was sent: a list for a tuple, and no object of the program's.
        arguments = orjson.loads(orjson.dumps(dict(request.arguments)))
        key = request.key or uuid.uuid4().hex
        return QueuedWrite(request.verb, arguments, parameters, key, self._url)

    def _list_waiting(self) -> list[Path]:
        """Return what waits, without what was tried a short time ago and is left for a reason of its own."""
        if self._tried_until < time.monotonic():
            self._tried.clear()
        return [path for path in self._outbox.paths() if path not in self._tried]

    def _send_all(self, waiting: list[Path], end: float) -> bool:
        """Send each of these writes until `end`. Return False where one is left that may succeed at once."""
        for path in waiting:
            if time.monotonic() > end:
                return False
            write = self._outbox.read(path)
            status = self._send(path, write) if write is not None else HTTPStatus.OK
            if status in _TAKES_NONE_NOW:
                return False
            self._tried.update(waiting if status in _TAKES_NONE_OF_OURS else (path,))
            self._tried_until = time.monotonic() + _SECONDS_TRIED
            if status in _TAKES_NONE_OF_OURS:
                break
        return True

    def _send(self, path: Path, write: QueuedWrite) -> int:
        """Send one write that waits. Return the status of the answer, 0 for none."""
        try:
            self._post(write)
        except GatewayUnreachable:
            return 0
        except _Refused as refused:
            if refused.status in _ABOUT_THE_WRITE:
                self._outbox.refuse(path, replace(write, problem=refused.response.problem))
            return refused.status
        self._outbox.remove(path)
        return HTTPStatus.OK

    def _read(self, write: QueuedWrite) -> Response:
        try:
            return self._post(write)
        except _Refused as refused:
            return refused.response

    def _queue(self, write: QueuedWrite, cause: str) -> Response:
        """Put a write into the outbox, without its private parts. One that holds a secret is refused."""
        prepared, response = prepare_to_wait(write, cause)
        if prepared is not None:
            self._outbox.put(prepared)
        return response

    def _post(self, write: QueuedWrite) -> Response:
        """Return the response to a request. Raise GatewayUnreachable, or _Refused for one without success."""
        body = orjson.dumps(dict(write.arguments))
        target = f"/v1/verbs/{quote(write.verb, safe='')}?{urlencode(dict(write.parameters))}"
        headers = {**self._headers, "Idempotency-Key": write.key}
        end = time.monotonic() + self._seconds
        while True:
            answer = self._ask(target, body, headers, end)
            wait = answer.headers.get("retry-after", "")
            is_told_to_wait = answer.status == HTTPStatus.TOO_MANY_REQUESTS and wait.isdigit()
            if not is_told_to_wait or time.monotonic() + int(wait) >= end:
                return self._response_of(answer)
            time.sleep(int(wait))

    def _ask(self, target: str, body: bytes, headers: Mapping[str, str], end: float) -> HttpAnswer:
        started = time.monotonic()
        try:
            return self._connections.post(target, body, headers, max(end - started, 0.1))
        except (OSError, http.client.HTTPException) as error:
            if not isinstance(
                error, ConnectionError
            ):  # a machine that refuses or hangs up is there
                now = time.monotonic()
                self._resting_until = now + (now - started) * _REST_PER_SECOND
            raise GatewayUnreachable(self._url, _cause_of(error)) from None

    def _response_of(self, answer: HttpAnswer) -> Response:
        """Return the response of an answer. Raise _Refused, and GatewayUnreachable for that of another program."""
        try:
            given = orjson.loads(answer.body)
            if answer.status == HTTPStatus.OK:
                text = str(given.pop("text"))
                return Response(success=True, text=text, content=given)
            problem, hint = str(given["detail"]), str(given["action"])
            refusal = {"refusal": given["refusal"]} if "refusal" in given else {}
            response = Response(
                success=False, content=refusal, problem=problem, hint=hint,
                code=given["error"],
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError):
            cause = f"what answers there is no gateway (status {answer.status})"
            raise GatewayUnreachable(self._url, cause) from None
        raise _Refused(answer.status, response)

    def _require_rested(self) -> None:
        if self._resting_until > time.monotonic():
            raise GatewayUnreachable(self._url, "it did not answer just now")


def name_project(url: str, folder: str) -> str | None:
    """Return the key by which the gateway of a URL knows the project of a folder, None where it cannot.

    A folder's remote is its project anywhere. Its path is that on this machine alone.
    """
    keys = project_keys(folder, None, _home())
    found = keys.keys[0] if keys is not None else ""
    is_known = found.startswith("remote:") or is_loopback(urlsplit(url).hostname or "")
    return found if found and is_known else None


def _can_wait(verb: str) -> bool:
    """Return whether a verb keeps something, and its result can say that it waits."""
    found = find_verb(verb)
    return found is not None and found.writes and found.result in (Remembered, Ingested)


def _cause_of(error: Exception) -> str:
    """Return why nothing answers, without what was sent."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return getattr(error, "strerror", None) or type(error).__name__


def _checked_url(url: str) -> str:
    """Return the URL of a server. Raise HookloreError for one that no token may be sent to."""
    try:
        if url.isascii():  # as a header names its host
            return read_server_url(url)
    except (ValueError, TypeError, AttributeError):
        pass
    raise HookloreError(
        "could not use `url`: it must be like `https://memory.example.org`, and `http` is for this machine",
        fix='give the scheme and the host alone: `Memory(url="http://127.0.0.1:8377", …)`',
    )


def _checked_token(token: object) -> str:
    """Return a token. Raise HookloreError, which does not repeat it."""
    is_line = isinstance(token, str) and token.isascii() and token.isprintable()
    if not is_line or not 0 < len(str(token)) <= _LONGEST_TOKEN or " " in str(token):
        raise HookloreError(
            "could not use `token`: it is no token of `hooklore token create`",
            fix="give its text, without blanks and line ends",
        )
    return str(token)


def _home() -> str:
    home = read_environment().get("HOME")
    if not home:
        raise ConfigError("environment", "HOME", "it is not set")
    return home
