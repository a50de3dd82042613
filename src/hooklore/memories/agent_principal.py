"""The principal of an agent: what it may read, as whom it writes, and what it may do."""

from typing import TYPE_CHECKING

from hooklore.index import keys
from hooklore.memories.agent_registry import UnregisteredAgent, agents_of
from hooklore.records.draft import PERSON, Principal, ProjectKeys

if TYPE_CHECKING:
    from hooklore.broker import Broker

_MAX_READ = 20
"""Records of a session, the newest, that say whose session it is."""

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
        asks=True,
        session_id=_own_session(broker, found.id, session),
        scopes=broker.settings.curated.scopes,
        project=project.id if project else None,
        branch=folder.branch if folder else None,
    )


def _own_session(broker: "Broker", agent: str, session: str | None) -> str | None:
    """Return the session, or None for one in which the hooks of another agent recorded something.

    A session says what its agent may read, and which prompts back its word, so no agent takes another's.
    """
    if session is None:
        return None
    found = broker.as_reader(PERSON).history(keys.in_session(session), _MAX_READ)
    is_foreign = any(r.stream == "observation" and r.agent_id != agent for r in found)
    return None if is_foreign else session
