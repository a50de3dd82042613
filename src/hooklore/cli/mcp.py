"""Serve memory to an agent by the Model Context Protocol: `hooklore mcp`."""

from enum import StrEnum
from importlib.util import find_spec
from typing import Annotated

import typer

from hooklore.cli.store import here
from hooklore.errors import HookloreError


class Tools(StrEnum):
    """The tools that a server offers."""

    DEFAULT = "default"
    ALL = "all"


def mcp(
    *,
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="NAME", help="the agent that the server is registered for"),
    ] = None,
    tools: Annotated[
        Tools, typer.Option("--tools", help="the five that an agent needs, or every tool")
    ] = Tools.DEFAULT,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="only tools that write nothing")
    ] = False,
    reference: Annotated[
        bool,
        typer.Option("--reference", help="print the reference of all tools as Markdown, and end"),
    ] = False,
) -> None:
    """Serve memory's tools on stdin and stdout, to an agent that starts this as its MCP server.

    The server acts as that agent alone: never as a person, and not for a client that is another agent.
    """
    if reference:
        _print_reference()
        return
    if find_spec("mcp") is None:
        raise HookloreError(
            "could not serve MCP: the extra is not installed",
            fix="run `pip install 'hooklore[mcp]'` in hooklore's environment",
        )
    from hooklore.mcp_server.serving import ServerOptions, serve

    serve(here(), ServerOptions(agent, tools.value, read_only))


def _print_reference() -> None:
    from hooklore.cli.output import data
    from hooklore.mcp_server.reference import render_reference

    data(render_reference().rstrip("\n"))
