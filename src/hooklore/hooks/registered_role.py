"""The role of an event's agent, as the registry has it."""

from dataclasses import replace

from hooklore.agents.event import HookEvent
from hooklore.config import Settings
from hooklore.memories.agent_registry import agents_of


def with_registered_role(event: HookEvent, settings: Settings) -> HookEvent:
    """Return the event under its agent's id, with the registered role. A subagent has the role of its type."""
    agent = agents_of(settings).of_record(event.agent_id)
    is_main = event.agent_type is None and not event.subagent_id
    role = agent.role if is_main else event.role
    if (agent.id, role) == (event.agent_id, event.role):
        return event
    return replace(event, agent_id=agent.id, role=role)
