"""A Gemini API on loopback that says what a test wrote down and keeps every request.

    with ScriptedModel([shell("make test"), say("done")]) as model:
        ...  # a client that talks to model.url
    model.turns

Streamed requests take the turns in order; a script that has run out goes on with `AFTER`. A request of
another kind (a title, a summary, a count of tokens) takes none.
"""

import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

Json = dict[str, Any]

AFTER: Final = "The script has no further turn."
_USAGE: Final = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


@dataclass(frozen=True)
class Turn:
    """One answer of the model: a text, or calls of tools."""

    text: str = ""
    calls: tuple[tuple[str, Json], ...] = ()

    @property
    def parts(self) -> list[Json]:
        """The answer as the API words it."""
        calls = [{"functionCall": {"name": name, "args": given}} for name, given in self.calls]
        return [*([{"text": self.text}] if self.text else []), *calls]


Turns = Sequence[Turn]


def say(text: str) -> Turn:
    """A turn of text alone, which ends the model's work on the prompt."""
    return Turn(text)


def use(name: str, **given: Any) -> Turn:
    """A turn that asks for one tool."""
    return Turn(calls=((name, given),))


def shell(command: str) -> Turn:
    """A turn that runs one command."""
    return use("run_shell_command", command=command, description="run a command")


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    path: str
    body: Json = field(repr=False)

    @property
    def is_turn(self) -> bool:
        """Return whether a turn of the script answered it."""
        return "streamGenerateContent" in self.path

    @property
    def contents(self) -> list[Json]:
        """The conversation."""
        found: list[Json] = self.body.get("contents") or []
        return found

    def text(self, *, fresh: bool = False) -> str:
        """All text before the model, tools' answers included; `fresh`: since the model's last answer."""
        ends = [i for i, each in enumerate(self.contents) if each.get("role") == "model"]
        shown = self.contents[ends[-1] + 1 :] if fresh and ends else self.contents
        return "\n".join(_text(part) for each in shown for part in each.get("parts", ()))

    @property
    def system(self) -> str:
        """The system instruction."""
        found = self.body.get("systemInstruction") or {}
        return "\n".join(_text(part) for part in found.get("parts", ()))

    @property
    def tools(self) -> list[str]:
        """The names of the tools that the model may call."""
        given = self.body.get("tools") or []
        return [one["name"] for each in given for one in each.get("functionDeclarations", ())]


def _text(part: Json) -> str:
    answered = part.get("functionResponse")
    if answered is None:
        return str(part.get("text", ""))
    response = answered.get("response") or {}
    return "\n".join(str(value) for value in response.values())


class ScriptedModel:
    """The API of one script, serving from `with` to its end; `url` is its base address."""

    def __init__(self, turns: Turns) -> None:
        self._waiting = iter(turns)
        self._lock = threading.Lock()
        self._requests: list[Request] = []
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
        self._server.server_close()

    @property
    def requests(self) -> tuple[Request, ...]:
        """Every request so far, in the order in which they came."""
        with self._lock:
            return tuple(self._requests)

    @property
    def turns(self) -> tuple[Request, ...]:
        """The requests that the script answered."""
        return tuple(each for each in self.requests if each.is_turn)

    def answer(self, path: str, body: Json) -> Turn:
        """Keep a request; the turn that answers it."""
        request = Request(path, body)
        with self._lock:
            self._requests.append(request)
            if request.is_turn:
                return next(self._waiting, say(AFTER))
        wants_json = "json" in json.dumps(body.get("generationConfig") or {})
        return say("{}" if wants_json else "ok")


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


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
        self._send("application/json", b"{}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        with suppress(ValueError):
            body = json.loads(raw or b"{}")
            if isinstance(body, dict):
                self._answer(body)
                return
        self.send_error(400)

    def _answer(self, body: Json) -> None:
        if "countTokens" in self.path:
            self._send("application/json", json.dumps({"totalTokens": 10}).encode())
            return
        turn = self.server.model.answer(self.path, body)
        told = {
            "candidates": [
                {
                    "content": {"role": "model", "parts": turn.parts},
                    "finishReason": "STOP",
                    "index": 0,
                }
            ],
            "usageMetadata": _USAGE,
            "modelVersion": "scripted",
        }
        if "streamGenerateContent" in self.path:
            self._send("text/event-stream", f"data: {json.dumps(told)}\r\n\r\n".encode())
        else:
            self._send("application/json", json.dumps(told).encode())

    def _send(self, content_type: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True
