"""Print the protocol of shared memory: `hooklore protocol`."""

from typing import Annotated

import typer

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.cli import output
from hooklore.cli.protocol.page import render_page
from hooklore.cli.protocol.rules import RULES
from hooklore.cli.protocol.text import protocol_text


def protocol(
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="the agent that the text is for")
    ] = DEFAULT_AGENT_ID,
    full: Annotated[bool, typer.Option("--full", help="the full rules instead")] = False,
    page: Annotated[bool, typer.Option("--page", help="the page of the documentation")] = False,
) -> None:
    """Print the short text that tells an agent to read and write shared memory.

    `hooks install --protocol` puts it into the agent's file of instructions.
    """
    if full and page:
        raise typer.BadParameter("give only one of `--full` and `--page`")
    if page:
        output.data(render_page().rstrip("\n"))
    else:
        output.data((RULES if full else protocol_text(agent)).rstrip("\n"))
