"""A Messages API on loopback that says what a test wrote down and keeps every request.

    with ScriptedApi([bash("make test"), say("done")], {"SUB-MARK": [say("looked")]}) as api:
        ...  # a client that talks to api.url
    api.requests

The main conversation takes `turns` in order. A conversation whose first user message holds a
mark of `lanes` (a subagent: its first message is the prompt that the Agent tool was given) takes
that lane's turns. A script that has run out goes on with `AFTER`.
"""

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, count
from types import TracebackType
from typing import Any, Final, Literal, Self
from uuid import uuid4

Json = dict[str, Any]
Kind = Literal["turn", "compact", "side", "count", "other"]

MAIN: Final = ""
AFTER: Final = "The script has no further turn."
SUMMARY: Final = "The work so far, in one sentence of the script."
SIDE: Final = "A side request"
REMINDER: Final = re.compile(r"<system-reminder>\n?(.*?)\n?</system-reminder>", re.DOTALL)


@dataclass(frozen=True)
class ToolUse:
    """A tool that the model asks for."""

    name: str
    input: Json


@dataclass(frozen=True)
class ApiError:
    """An error in place of an answer."""

    status: int = 400
    type: str = "invalid_request_error"
    message: str = "the script says no"


@dataclass(frozen=True)
class Turn:
    """One answer of the model. `meanwhile` runs when the request has come and is not answered."""

    text: str = ""
    tool_use: tuple[ToolUse, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
    error: ApiError | None = None
    meanwhile: Callable[[], object] | None = None


Turns = Sequence[Turn]
Lanes = Mapping[str, Turns]


def say(text: str) -> Turn:
    """A turn of text alone, which ends the model's work on the prompt."""
    return Turn(text=text)


def use(name: str, **given: Any) -> Turn:
    """A turn that asks for one tool."""
    return Turn(tool_use=(ToolUse(name, given),))


def bash(command: str) -> Turn:
    """A turn that runs one command."""
    return use("Bash", command=command, description="run a command")


def delegate(prompt: str, *, agent: str = "general-purpose") -> Turn:
    """A turn that starts a subagent and waits for it: the client's default is not to wait."""
    return use(
        "Agent",
        description="delegated work",
        prompt=prompt,
        subagent_type=agent,
        run_in_background=False,
    )


@dataclass(frozen=True)
class Request:
    """One request as it came. `lane` and `number` say which turn of the script answered it."""

    kind: Kind
    lane: str
    number: int
    method: str
    path: str
    body: Json

    @property
    def messages(self) -> list[Json]:
        """The conversation."""
        found: list[Json] = self.body.get("messages") or []
        return found


def blocks(message: Json) -> list[Json]:
    """The content of a message as blocks, whichever of the two forms it has."""
    content = message.get("content") or []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)]


def said(message: Json) -> str:
    """The text of a message without the client's reminders: a recalled mark opens no lane."""
    return REMINDER.sub("", "\n".join(block.get("text") or "" for block in blocks(message)))


class Script:
    """Which turn answers a request. One caller at a time."""

    def __init__(self, turns: Turns, lanes: Lanes) -> None:
        self._lanes = {MAIN: list(turns)} | {mark: list(turns) for mark, turns in lanes.items()}
        self._numbers = {mark: count() for mark in self._lanes}
        self._refused: dict[str, tuple[str, int]] = {}

    def answer(self, body: Json) -> tuple[Kind, str, int, Turn]:
        """The kind of request this is, its lane, the turn's number there and the turn."""
        users = [m for m in body.get("messages") or [] if m.get("role") == "user"]
        if users and _asks_for_summary(said(users[-1])):
            return "compact", MAIN, 0, say(f"<analysis>-</analysis><summary>{SUMMARY}</summary>")
        if not body.get("tools"):
            return "side", MAIN, 0, say(_side(body))
        lane = self._lane(said(users[0]) if users else "")
        number = self._number(lane, body)
        turns = self._lanes[lane]
        return "turn", lane, number, turns[number] if number < len(turns) else say(AFTER)

    def _lane(self, first: str) -> str:
        return next((mark for mark in self._lanes if mark and mark in first), MAIN)

    def _number(self, lane: str, body: Json) -> int:
        # The client sends a refused request once more: the same answer is due, not the next turn.
        conversation = _fingerprint(body)
        refused, number = self._refused.pop(lane, ("", -1))
        if refused != conversation:
            number = next(self._numbers[lane])
        turns = self._lanes[lane]
        if number < len(turns) and turns[number].error:
            self._refused[lane] = (conversation, number)
        return number


def _asks_for_summary(text: str) -> bool:
    return "create a detailed summary of" in text and "<summary>" in text


def _side(body: Json) -> str:
    wants_json = "json_schema" in json.dumps(body.get("output_config") or {})
    return json.dumps({"title": SIDE}) if wants_json else SIDE


def _fingerprint(body: Json) -> str:
    spoken = [(m["role"], said(m)) for m in body.get("messages") or [] if m["role"] != "system"]
    return json.dumps(spoken)


def message(turn: Turn, model: str) -> Json:
    """The answer's JSON. Its ids are new ones each time: a resumed session keeps the old."""
    content: list[Json] = [{"type": "text", "text": turn.text}] if turn.text else []
    for tool in turn.tool_use:
        tool_id = f"toolu_{uuid4().hex}"
        content.append({"type": "tool_use", "id": tool_id, "name": tool.name, "input": tool.input})
    return {
        "id": f"msg_{uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if turn.tool_use else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20, **turn.usage},
    }


def stream(whole: Json) -> Iterator[tuple[str, Json]]:
    """The same answer as the events of a stream, without their `type`."""
    opening = whole | {"content": [], "stop_reason": None}
    yield "message_start", {"message": opening}
    for index, block in enumerate(whole["content"]):
        start, delta = _halves(block)
        yield "content_block_start", {"index": index, "content_block": start}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"delta": ending, "usage": whole["usage"]}
    yield "message_stop", {}


def _halves(block: Json) -> tuple[Json, Json]:
    if block["type"] == "text":
        return block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
    given = json.dumps(block["input"])
    return block | {"input": {}}, {"type": "input_json_delta", "partial_json": given}


class ScriptedApi:
    """The API of one script, serving from `with` to its end; `url` is its base address."""

    def __init__(self, turns: Turns, lanes: Lanes | None = None) -> None:
        self._script = Script(turns, lanes or {})
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._failures: list[Exception] = []
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()
        if self._failures and error is None:
            raise self._failures[0]

    @property
    def requests(self) -> tuple[Request, ...]:
        """Every request so far, in the order in which they came."""
        with self._lock:
            return tuple(self._requests)

    def other(self, kind: Kind, method: str, path: str, body: Json) -> None:
        """Keep a request that no turn answers."""
        with self._lock:
            self._requests.append(Request(kind, MAIN, 0, method, path, body))

    def turn(self, path: str, body: Json) -> Turn:
        """Keep a request for a message; the turn that answers it."""
        with self._lock:
            kind, lane, number, turn = self._script.answer(body)
            self._requests.append(Request(kind, lane, number, "POST", path, body))
        return self._after_its_meanwhile(turn)

    def _after_its_meanwhile(self, turn: Turn) -> Turn:
        try:
            if turn.meanwhile:
                turn.meanwhile()
        except Exception as error:
            # Raised again where the test can see it; here it would die with its thread.
            self._failures.append(error)
            return replace(turn, error=ApiError(message=f"meanwhile failed: {error!r}"))
        return turn


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, api: ScriptedApi) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.api = api
        self._open: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, peer = super().get_request()
        self._open.append(connection)
        return connection, peer

    def hang_up(self) -> None:
        """End the connections that clients keep open, so that their threads can be joined."""
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # Nagle's algorithm waits 40 ms for a delayed ACK
    server: _Server

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, *_: Any) -> None:
        """Say nothing on stderr."""

    def do_GET(self) -> None:
        self.server.api.other("other", self.command, self.path, {})
        self._send_json(200, {"data": [], "has_more": False})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = None
        if not isinstance(body, dict):
            self.server.api.other("other", "POST", self.path, {"raw": raw.decode("latin-1")})
            self._refuse(ApiError(message="the body is not a JSON object"))
        else:
            self._route(self.path.partition("?")[0], body, len(raw))

    def _route(self, path: str, body: Json, size: int) -> None:
        if path == "/v1/messages":
            self._answer(body)
        elif path == "/v1/messages/count_tokens":
            self.server.api.other("count", "POST", self.path, body)
            self._send_json(200, {"input_tokens": max(1, size // 4)})
        else:
            self.server.api.other("other", "POST", self.path, body)
            self._send_json(200, {})

    def _answer(self, body: Json) -> None:
        turn = self.server.api.turn(self.path, body)
        if turn.error:
            self._refuse(turn.error)
            return
        whole = message(turn, body.get("model") or "scripted")
        if body.get("stream"):
            self._send(200, "text/event-stream", _wire(stream(whole)))
        else:
            self._send_json(200, whole)

    def _refuse(self, error: ApiError) -> None:
        told = {"type": "error", "error": {"type": error.type, "message": error.message}}
        self._send_json(error.status, told)

    def _send_json(self, status: int, body: Json) -> None:
        self._send(status, "application/json", json.dumps(body).encode())

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.send_header("x-should-retry", "false")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _wire(events: Iterator[tuple[str, Json]]) -> bytes:
    lines = chain.from_iterable(
        (f"event: {name}\n", f"data: {json.dumps({'type': name, **body})}\n\n")
        for name, body in events
    )
    return "".join(lines).encode()
