"""Find the principal of a command: the person, or with `--agent` an agent that reads as itself."""

from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli.store import keys_of
from hooklore.errors import HookloreError
from hooklore.memories.event_schema import KNOWN_AGENTS, registered_agents
from hooklore.records.draft import Principal

if TYPE_CHECKING:
    from hooklore.broker import Broker

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


def asker(broker: "Broker", agent: str | None) -> Principal:
    """Return the principal in the project of the working directory. Raise HookloreError for an unknown agent."""
    keys = keys_of(None)
    project = broker.project_of(keys)
    place = {"project": project.id if project else None, "branch": keys.branch if keys else None}
    if agent is None:
        return Principal(person=True, agent_id="person", permission="owner", **place)  # type: ignore[arg-type]
    if agent not in registered_agents(broker.settings):
        raise HookloreError(
            f"could not act as that agent: none of {', '.join(KNOWN_AGENTS)}",
            fix=f"add it to `agents` under `[curated]` in `{broker.place.config}`",
        )
    return Principal(agent_id=agent, scopes=broker.settings.curated.scopes, **place)  # type: ignore[arg-type]


def places_of(broker: "Broker", who: Principal, scope: str | None) -> list[str] | None:
    """Return the places that a scope's name means, None for no name.

    Raise HookloreError for a project without records, BadParameter for any other name.
    """
    from hooklore.memories.scope import find_project_id

    if scope is None:
        return None
    if scope == "project":
        found = who.project
    elif scope.startswith("project:"):
        found = find_project_id(broker, scope.removeprefix("project:"))
    elif scope in ("global", *broker.settings.curated.scopes) or scope.startswith("agent:"):
        return [scope]
    else:
        raise typer.BadParameter(
            "must be `global`, `project`, `project:<slug>` or `agent:<agent_id>`",
            param_hint="--scope",
        )
    if found is None:
        raise HookloreError(
            "could not find that project: nothing is recorded there",
            fix="run `hooklore project explain` in its folder",
        )
    return [f"project:{found}"]
