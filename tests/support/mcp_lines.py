"""A client of the MCP server that sends lines as they are, broken ones too, and reads what comes back."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread, Timer
from typing import Any, Final

from tests.support.mcp import COMMAND

INITIALIZE: Final = json.dumps(
    {"jsonrpc": "2.0", "id": "opening", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "lines", "version": "1"}}}
)  # fmt: skip

SECONDS: Final = 120.0
"""How long a server may take to answer what a test reads. Then it is ended, so that the test fails."""

Ids = Counter[str | int | None]


@dataclass(frozen=True)
class Ending:
    """What a server wrote after the last answer that was read, what it said on stderr, and its status."""

    rest: bytes
    complaint: bytes
    status: int


class LineClient:
    """One server with pipes that the test holds itself."""

    def __init__(self, home: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [COMMAND, "mcp", "--agent", "claude", *options],
            env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, cwd=home,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def send(self, *lines: str | bytes) -> None:
        """Send lines. A thread writes them, so that a server that answers meanwhile is not in the way."""
        raw = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
        self._writer = Thread(target=self._write, args=[raw])
        self._writer.start()

    def _write(self, raw: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(raw)
        self._process.stdin.flush()

    def read(self) -> Any:
        """Return the next line of the server."""
        assert self._process.stdout is not None
        clock = Timer(SECONDS, self._process.kill)
        clock.start()
        try:
            return json.loads(self._process.stdout.readline())
        finally:
            clock.cancel()

    def ask(self, line: str | bytes) -> Any:
        """Return the answer to one line."""
        self.send(line)
        return self.read()

    def read_all(self, owed: Ids) -> list[Any]:
        """Return what the server writes until it has answered each id as often as it is owed."""
        answers: list[Any] = []
        while owed - ids_of(answers):
            answers.append(self.read())
        return answers

    def end(self) -> Ending:
        """Close the server's input and return how it ended."""
        self._writer.join()
        rest, complaint = self._process.communicate(timeout=60)
        return Ending(rest, complaint, self._process.returncode)

    def kill(self) -> None:
        """End the server if it runs."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def open_lines(home: Path, *options: str) -> Iterator[LineClient]:
    """Yield a client whose server is gone behind the block."""
    client = LineClient(home, *options)
    try:
        yield client
    finally:
        client.kill()


def ids_of(answers: Iterable[Any]) -> Ids:
    """Return how often each id was answered."""
    return Counter(answer["id"] for answer in answers)


def request(id_: object, method: str, **params: Any) -> str:
    """Return the line of a request."""
    message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False)


def call_of(id_: object, tool: str, **arguments: Any) -> str:
    """Return the line that calls a tool."""
    return request(id_, "tools/call", name=tool, arguments=arguments)
