"""The way between the client's lines and the SDK: messages go in and out, and broken lines are answered here."""

from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError

from hooklore.mcp_server.batches import Batches, encode
from hooklore.mcp_server.envelope import read_line
from hooklore.mcp_server.input_lines import MendedInput
from hooklore.mcp_server.output_lines import OutputLines


async def serve_lines(server: Server[Any]) -> None:
    """Serve on stdin and stdout until the client closes stdin."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
    transport = _Transport()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(transport.read, to_server)
        tasks.start_soon(transport.write, from_server)
        await server.run(incoming, outgoing, server.create_initialization_options())


class _Transport:
    """Both directions of one client."""

    def __init__(self) -> None:
        self._batches, self._output = Batches(), OutputLines()

    async def read(self, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand each message of the client on, and answer what is none."""
        async with to_server:
            async for line in anyio.wrap_file(MendedInput()):
                read, answer = read_line(line), None
                parts = list(read.parts)
                if read.is_batch:
                    parts, answer = self._batches.open(parts)
                for part in parts:
                    if isinstance(part, JSONRPCError):
                        await self._output.write(encode(part))
                    else:
                        await to_server.send(SessionMessage(part))
                if answer is not None:
                    await self._output.write(answer)

    async def write(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write each message of the SDK, or the batch that it completes."""
        async with from_server:
            async for sent in from_server:
                line = self._batches.answer(sent.message)
                if line is not None:
                    await self._output.write(line)
