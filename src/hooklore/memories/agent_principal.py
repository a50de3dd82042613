"""The principal of an agent that runs a command: what it may read and as whom it writes."""

from typing import TYPE_CHECKING

from hooklore.config import Settings
from hooklore.errors import HookloreError
from hooklore.memories.event_schema import NOT_AGENTS, registered_agents
from hooklore.records.draft import Principal, ProjectKeys

if TYPE_CHECKING:
    from hooklore.broker import Broker


class UnregisteredAgent(HookloreError):
    """An agent's id stands in no registry. `registry` is the file to which it can be added."""

    def __init__(self, settings: Settings, registry: str) -> None:
        names = (name for name in registered_agents(settings) if name not in NOT_AGENTS)
        super().__init__(
            f"could not act as that agent: none of {', '.join(names)}",
            fix=f"add it to `agents` under `[curated]` in `{registry}`",
        )


def agent_principal(
    broker: "Broker", agent: str, session: str | None, folder: ProjectKeys | None
) -> Principal:
    """Return an agent in a project's folder. Raise HookloreError for an agent that may not read."""
    if agent not in registered_agents(broker.settings):
        raise UnregisteredAgent(broker.settings, str(broker.place.config))
    project = broker.project_of(folder)
    return Principal(
        agent_id=agent,
        session_id=session,
        scopes=broker.settings.curated.scopes,
        project=project.id if project else None,
        branch=folder.branch if folder else None,
    )
