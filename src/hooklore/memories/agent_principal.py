"""The principal of an agent: what it may read, as whom it writes, and what it may do."""

from typing import TYPE_CHECKING

from hooklore.memories.agent_registry import UnregisteredAgent, agents_of
from hooklore.records.draft import Principal, ProjectKeys

if TYPE_CHECKING:
    from hooklore.broker import Broker

_NAMELESS = "unknown"
"""The name of an agent that runs a command and that no module describes."""


def agent_principal(
    broker: "Broker", agent: str, session: str | None, folder: ProjectKeys | None
) -> Principal:
    """Return an agent, by its id or an alias, in a project's folder. Raise UnregisteredAgent."""
    agents = agents_of(broker.settings)
    found = agents.of_record(agent) if agent == _NAMELESS else agents.find(agent)
    if found is None:
        raise UnregisteredAgent(agents, str(broker.place.config))
    project = broker.project_of(folder)
    return Principal(
        agent_id=found.id,
        role=found.role,
        permission=found.permission,
        is_main_agent=True,
        session_id=session,
        scopes=broker.settings.curated.scopes,
        project=project.id if project else None,
        branch=folder.branch if folder else None,
    )
