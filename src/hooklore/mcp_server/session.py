"""The session of an agent that calls a tool, as far as its client tells it."""

import os
from collections.abc import Mapping

from hooklore.agents.registry import find_agent

_LONGEST = 128


def find_session(agent_id: str, meta: Mapping[str, object] | None) -> str | None:
    """Return the id of the agent's session: from the call's `meta`, else from the environment.

    Return None for a client that tells it in neither place: a made-up session would hide the user's words.
    """
    agent = find_agent(agent_id)
    if agent is None:
        return None
    told = _value_at(meta, agent.mcp.session) if agent.mcp.session else None
    marked = os.environ.get(agent.marks.session) if agent.marks.session else None
    return told or marked or None


def _value_at(meta: Mapping[str, object] | None, path: tuple[str, ...]) -> str | None:
    found: object = meta
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) and 0 < len(found) <= _LONGEST else None
