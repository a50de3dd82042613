"""Serve one client on stdin and stdout."""

import logging
import os
from dataclasses import dataclass

import anyio

from hooklore.config import StoreLocation, load_settings
from hooklore.mcp_server.client_identity import decide_agent, find_session
from hooklore.mcp_server.memory_server import Choice, Context, MemoryServer, client_name
from hooklore.mcp_server.transport import serve_lines
from hooklore.memories.agent_registry import agents_of
from hooklore.requests.request import Caller


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of the command line: `agent` is the one that the server is registered for."""

    agent: str | None = None
    tools: Choice = "default"
    read_only: bool = False


def serve(place: StoreLocation, options: ServerOptions) -> None:
    """Serve on stdin and stdout until the client closes stdin."""
    # The SDK logs what it could not read, and a client keeps the server's stderr in files.
    logging.disable(logging.CRITICAL)
    parent = _Parent(place, options.agent)
    memory = MemoryServer(
        place, parent.caller_of, choice=options.tools, read_only=options.read_only
    )
    try:
        anyio.run(serve_lines, memory.server)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        # The client has left while it was owed an answer.
        pass


class _Parent:
    """The client that started this process, in the folder where it works."""

    def __init__(self, place: StoreLocation, registered: str | None) -> None:
        self._registered, self._folder = registered, _working_directory()
        self._agents = agents_of(load_settings(place.config))

    def caller_of(self, context: Context) -> Caller:
        """Return who calls. Raise WrongClient."""
        agent = decide_agent(self._registered, client_name(context), self._agents)
        return Caller(agent, find_session(agent, context.meta), self._folder)


def _working_directory() -> str | None:
    """Return the folder that the client started this process in; None where the folder is gone."""
    try:
        return os.getcwd()
    except OSError:
        return None
