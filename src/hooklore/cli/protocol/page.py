"""`hooklore protocol`, and the page of the documentation about it: placements, texts and rules."""

from pathlib import Path
from typing import Annotated

import typer

from hooklore.agents.agent import Agent
from hooklore.agents.guests import Guest, list_guests
from hooklore.agents.registration import Places
from hooklore.agents.registry import DEFAULT_AGENT_ID, known_agents
from hooklore.cli import output
from hooklore.cli.protocol.text import RULES, agent_ids, protocol_text


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


_BEGINNING = """\
# The protocol of shared memory

`hooklore protocol --page` writes this page; a test compares the two. `hooklore protocol --agent NAME` prints \
the short text for an agent, `hooklore protocol --full` the rules.

## Where the text goes

`hooks install --protocol --agent NAME` puts the text into the file of an agent that has one, between two \
marks, and `hooks uninstall` takes it out again. The other places are edited by hand.

| agent | id | by `hooks install --protocol` | elsewhere |
|---|---|---|---|
"""

_PLACES = Places(Path("/~"), Path("/."))
"""Folders that make a path of the page: `~` is the home."""


def render_page() -> str:
    """Return the page."""
    rows = [*map(_member_row, known_agents()), *map(_guest_row, list_guests())]
    texts = [f"### `{name}`\n\n```text\n{protocol_text(name)}```\n" for name in agent_ids()]
    rules = RULES.replace("\n## ", "\n### ").replace("# The rules", "## The rules", 1)
    return "\n".join((_BEGINNING + "\n".join(rows), "", "## The short texts", "", *texts, rules))


def _member_row(agent: Agent) -> str:
    registration = agent.registration()
    instructions = registration.instructions
    if instructions is None:
        return f"| {agent.name} | `{agent.id}` | – | – |"
    user = str(instructions.path("user", _PLACES)).removeprefix("/")
    placed = f"`{user}`"
    if "project" in registration.scopes:
        placed += f", with `--project` `{instructions.path('project', _PLACES).name}`"
    return f"| {agent.name} | `{agent.id}` | {placed} | {instructions.elsewhere} |"


def _guest_row(guest: Guest) -> str:
    return f"| {guest.name} | `{guest.id}` | – | {guest.place} |"
