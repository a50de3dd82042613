"""A Responses API on loopback that says what a test wrote down and keeps every request.

    with ScriptedModel([shell("make test"), say("done")]) as model:
        ...  # a client that talks to model.url
    model.requests

A script that has run out goes on with `AFTER`. The client connects its MCP servers while the model works: a
turn that calls a server's tool waits, command by command, until a request offers the tool.
"""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

Json = dict[str, Any]

AFTER: Final = "The script has no further turn."
SUMMARY: Final = "The work so far, in one sentence of the script."
_MOST_WAITS: Final = 60
_SHELLS: Final = {"exec_command": "cmd", "shell_command": "command"}
"""Names of the client's shell tool, and the argument that holds the command."""


@dataclass(frozen=True)
class Turn:
    """One answer of the model: a text, or the call of a tool."""

    text: str = ""
    tool: str = ""
    namespace: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    input: str | None = None


Turns = Sequence[Turn]


def say(text: str) -> Turn:
    """A turn of text alone, which ends the model's work on the prompt."""
    return Turn(text=text)


def call(tool: str, namespace: str = "", /, **arguments: Any) -> Turn:
    """A turn that calls one tool."""
    return Turn(tool=tool, namespace=namespace, arguments=arguments)


def shell(command: str) -> Turn:
    """A turn that runs one command with the shell tool that the client offers."""
    return call("shell", command=command)


def patch(text: str) -> Turn:
    """A turn that edits files with the client's own patch tool."""
    return Turn(tool="apply_patch", input=text)


@dataclass(frozen=True)
class Request:
    """One request for an answer of the model, as it came."""

    path: str
    body: Json

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools, those of a server behind the server's namespace and a dot."""
        return tuple(_names(self.body.get("tools") or []))

    def texts(self, role: str) -> tuple[str, ...]:
        """The texts of the messages of a role, in order."""
        items = [each for each in self.body.get("input") or [] if each.get("role") == role]
        return tuple(part.get("text", "") for each in items for part in each.get("content") or [])

    @property
    def told(self) -> str:
        """Everything that hooks and the client told the model in the developer's voice."""
        return "\n\n".join(self.texts("developer"))

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs of tools."""
        kinds = ("function_call_output", "custom_tool_call_output")
        items = [each for each in self.body.get("input") or [] if each.get("type") in kinds]
        return tuple(json.dumps(each.get("output"), ensure_ascii=False) for each in items)


def _names(tools: list[Json]) -> Iterator[str]:
    for each in tools:
        if each.get("type") == "namespace":
            yield from (f"{each['name']}.{one.get('name')}" for one in each.get("tools", []))
        else:
            yield each.get("name") or each.get("type") or ""


class ScriptedModel:
    """The API, from `with` to its end."""

    def __init__(self, turns: Turns) -> None:
        self._turns = list(turns)
        self._requests: list[Request] = []
        self._waits = _MOST_WAITS
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests so far."""
        with self._lock:
            return tuple(self._requests)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: Json) -> list[Json]:
        """Return the items of the next turn."""
        with self._lock:
            self._requests.append(Request(path, body))
            number = len(self._requests)
            turn = self._next(Request(path, body).tools)
        return [_item(turn, number, Request(path, body).tools)]

    def _next(self, tools: tuple[str, ...]) -> Turn:
        turn = self._turns[0] if self._turns else say(AFTER)
        if turn.namespace and f"{turn.namespace}.{turn.tool}" not in tools and self._waits:
            self._waits -= 1
            return shell("sleep 0.3")
        del self._turns[:1]
        return turn

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_words: object) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                self._send("application/json", b'{"models":[],"data":[],"object":"list"}')

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                if not self.path.endswith("/responses"):
                    self._send("application/json", b"{}")
                    return
                self._send("text/event-stream", _stream(model.answer(self.path, json.loads(raw))))

            def _send(self, kind: str, body: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler


def _item(turn: Turn, number: int, tools: tuple[str, ...]) -> Json:
    called = {"id": f"fc_{number}", "call_id": f"call_{number}"}
    if turn.input is not None:
        return {"type": "custom_tool_call", **called, "name": turn.tool, "input": turn.input}
    if turn.tool:
        name, arguments = turn.tool, dict(turn.arguments)
        if name == "shell":
            name = next(each for each in _SHELLS if each in tools)
            arguments = {_SHELLS[name]: arguments["command"]}
        item = {"type": "function_call", **called, "name": name, "arguments": json.dumps(arguments)}
        return item | ({"namespace": turn.namespace} if turn.namespace else {})
    content = [{"type": "output_text", "text": turn.text, "annotations": []}]
    return {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}


def _stream(items: list[Json]) -> bytes:
    """Return the server-sent events of one answer."""
    events: list[Json] = [{"type": "response.created", "response": {"id": "resp"}}]
    for index, item in enumerate(items):
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    usage = {
        "input_tokens": 1200, "input_tokens_details": {"cached_tokens": 200},
        "output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 1230,
    }  # fmt: skip
    ended = {"id": "resp", "status": "completed", "output": items, "usage": usage}
    events.append({"type": "response.completed", "response": ended})
    return b"".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events)
