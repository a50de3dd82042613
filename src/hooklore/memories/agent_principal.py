"""The principal of an agent: what it may read, as whom it writes, and what it may do."""

from typing import TYPE_CHECKING

from hooklore.memories.agent_registry import UnregisteredAgent, agents_of
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.records.visible_prefix import take_visible

if TYPE_CHECKING:
    from hooklore.broker import Broker

_MAX_TURNS = 200
_MAX_STEPS = 20

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
        around=broker.projects_around(folder),
        branch=folder.branch if folder else None,
    )


def _own_session(broker: "Broker", agent: str, session: str | None) -> str | None:
    """Return the session, or None for one in which the hooks of another agent recorded something.

    A session says what its agent may read, and which prompts back its word, so no agent takes another's.
    """
    if session is None:
        return None
    owner = broker.as_reader(PERSON)
    turns = owner.history(keys.turns_in(session), _MAX_TURNS)
    steps = take_visible(  # what the tools of an agent write must not crowd out what hooks record
        lambda most: owner.history(keys.in_session(session), most), _MAX_STEPS, _is_by_hook
    )
    is_foreign = any(record.agent_id != agent for record in (*turns, *steps))
    return None if is_foreign else session


def _is_by_hook(record: Record) -> bool:
    return record.stream == "observation"
