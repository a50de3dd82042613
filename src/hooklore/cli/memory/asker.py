"""Find the principal of a command: the person, the agent that runs it, or a program."""

from dataclasses import replace
from typing import Annotated, Literal

import typer

from hooklore.agents.speaker import PERSON_ID, PROGRAM_ID
from hooklore.broker import Broker
from hooklore.cli.speaking import speaker
from hooklore.cli.store import folder, keys_of
from hooklore.errors import HookloreError
from hooklore.hooks.exclusions import (
    load_pauses,
    require_memory_on,
    require_not_switched_off,
    without_paused,
)
from hooklore.memories.agent_principal import agent_principal
from hooklore.records.draft import Principal

Agent = Annotated[
    str | None, typer.Option("--agent", metavar="NAME", help="as this agent, not as the person")
]
Scope = Annotated[
    str | None,
    typer.Option(
        "--scope",
        metavar="SCOPE",
        help="`global`, `project` (this folder's), `project:<slug>` or `agent:<agent_id>`",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="as JSON")]


def asker(broker: Broker, agent: str | None) -> Principal:
    """Return the principal in the project of the working directory.

    An agent that runs the command is that agent, whatever `agent` says. Raise HookloreError for an unknown
    agent, and for an agent that names another one.
    """
    runs = speaker()
    if runs.kind == "agent":
        require_not_switched_off()
        require_memory_on(broker, keys_of(None), runs.session_id, folder(None))
        if agent not in (None, runs.agent_id):
            raise HookloreError(
                f"could not act as `{agent}`: `{runs.agent_id}` runs this command, and may only act as itself",
                fix=f"leave `--agent` out, or say `--agent {runs.agent_id}`",
            )
        return _agent_here(broker, runs.agent_id, runs.session_id)
    if agent is not None:
        who = _agent_here(broker, agent, None)
        if runs.kind == "person":
            return replace(who, confirmed="terminal")
        # A program that names an agent reads nothing private.
        return replace(who, is_self_named=True, asks=False)
    here = person_here(broker)
    return replace(here, agent_id=PROGRAM_ID, program=True) if runs.kind == "program" else here


def writer(broker: Broker, agent: str | None) -> Principal:
    """Return the principal of what this command writes: a program's word is its own, not the person's."""
    who = asker(broker, agent)
    return replace(who, person=False, permission="worker") if who.program else who


def person_here(
    broker: Broker, confirmed: Literal["", "terminal", "client", "token"] = ""
) -> Principal:
    """Return the person, in the project of the working directory."""
    keys = keys_of(None)
    project = broker.project_of(keys)
    return Principal(
        person=True,
        agent_id=PERSON_ID,
        permission="owner",
        confirmed=confirmed,
        project=project.id if project else None,
        around=broker.projects_around(keys),
        branch=keys.branch if keys else None,
    )


def _agent_here(broker: Broker, agent: str, session: str | None) -> Principal:
    keys = without_paused(broker, keys_of(None), load_pauses(broker.place))
    return agent_principal(broker, agent, session, keys)
