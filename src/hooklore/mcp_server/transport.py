"""The way between the client's lines and the SDK: messages go in and out, and broken lines are answered here."""

import os
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from hooklore.mcp_server.batches import Batches, encode
from hooklore.mcp_server.envelope import read_line
from hooklore.mcp_server.input_lines import MendedInput

_LAST_SECONDS = 10.0
"""Seconds for the calls that are under way when the client has closed stdin."""


async def serve_lines(server: Server[Any]) -> None:
    """Serve on stdin and stdout until the client closes stdin."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
    transport = _Transport()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(transport.read, to_server)
        tasks.start_soon(transport.write, from_server)
        await server.run(incoming, outgoing, server.create_initialization_options())


class _OutputLines:
    """The client's end of the standard output: whole lines. All else that is printed here goes to stderr."""

    def __init__(self) -> None:
        self._fd = os.dup(1)
        self._lock = anyio.Lock()
        try:
            os.dup2(2, 1)
        except OSError:  # this process has no stderr
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    async def write(self, line: str) -> None:
        """Write one line. Raise BrokenPipeError where the client has left."""
        async with self._lock:
            await anyio.to_thread.run_sync(self._write, f"{line}\n".encode())

    def _write(self, raw: bytes) -> None:
        rest = memoryview(raw)
        while rest:
            rest = rest[os.write(self._fd, rest) :]


class _Transport:
    """Both directions of one client."""

    def __init__(self) -> None:
        self._batches, self._output = Batches(), _OutputLines()
        self._owed, self._settled = 0, anyio.Event()

    async def read(self, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand each message of the client on, and answer what is none.

        The SDK gives up what it works on when the stream ends. So the stream ends when all is answered: a client
        that has nothing more to say may still read.
        """
        async with to_server:
            async for line in anyio.wrap_file(MendedInput()):
                await self._take(line, to_server)
            with anyio.move_on_after(_LAST_SECONDS):
                while self._owed:
                    await self._settled.wait()

    async def _take(
        self, line: str, to_server: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        read, answer = read_line(line), None
        parts = list(read.parts)
        if read.is_batch:
            parts, answer = self._batches.open(parts)
        for part in parts:
            if isinstance(part, JSONRPCError):
                await self._output.write(encode(part))
            else:
                await to_server.send(self._owe(part))
        if answer is not None:
            await self._output.write(answer)

    def _owe(self, message: JSONRPCRequest | JSONRPCNotification) -> SessionMessage:
        if isinstance(message, JSONRPCNotification):
            return SessionMessage(message)
        self._owed += 1
        return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=self._settle))

    async def _settle(self) -> None:
        """Count a request that was answered, or that its client cancelled."""
        self._owed -= 1
        self._settled.set()
        self._settled = anyio.Event()

    async def write(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write each message of the SDK, or the batch that it completes."""
        async with from_server:
            async for sent in from_server:
                line = self._batches.answer(sent.message)
                if line is not None:
                    await self._output.write(line)
                if isinstance(sent.message, JSONRPCResponse | JSONRPCError):
                    await self._settle()
