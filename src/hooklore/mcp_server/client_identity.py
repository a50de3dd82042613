"""Decide as which agent a client acts, and in which session: the registered one, unless it is known to be another.

A client's name is a claim, and the registration is one, too. Where both name a known agent they must agree:
a copied registration would otherwise write one agent's memories under another's name. A client with another
name is the agent whose marks its process has.
"""

import os
from collections.abc import Mapping

from hooklore.agents.agent import NOT_AGENTS
from hooklore.agents.registry import UNKNOWN, agent_of, agent_of_mcp_client, find_agent
from hooklore.agents.speaker import identify_speaker
from hooklore.config import read_environment
from hooklore.errors import HookloreError
from hooklore.memories.agent_registry import AgentRegistry

_LONGEST = 128
_REGISTER = "register the server with `--agent NAME`, the name of this agent"


class WrongClient(HookloreError):
    """A client may not act as the agent that its server was registered for."""


def decide_agent(registered: str | None, client_name: str | None, agents: AgentRegistry) -> str:
    """Return the id of the agent that acts, of which `registered` is the one of the command line.

    `client_name` is the client's own name, None where the client does not say it. `agents` knows the
    aliases. Raise WrongClient when the two are different agents, when neither names an agent, and for a
    name that no agent may go by.
    """
    known = agent_of_mcp_client(client_name)
    if registered in NOT_AGENTS:
        raise WrongClient(
            f"could not act as `{registered}`: an MCP client is an agent", fix=_REGISTER
        )
    if registered is None and known is None:
        cause = "its client is not a known one"
        raise WrongClient(f"could not tell which agent this is: {cause}", fix=_REGISTER)
    runs = known.id if known else _marked_agent()
    acting = agents.canonical_id(registered or runs or "")
    if runs is not None and acting != agents.canonical_id(runs):
        raise WrongClient(
            f"could not act as `{registered}`: this client is {agent_of(runs).name}",
            fix=f"register the server here with `--agent {runs}`",
        )
    return acting


def _marked_agent() -> str | None:
    """Return the agent that the marks of this process name, None where they name none."""
    marked = identify_speaker(read_environment(), is_at_terminal=False)
    return marked.agent_id if marked.kind == "agent" and marked.agent_id != UNKNOWN else None


def require_client_of(agent: str, client_name: str | None, agents: AgentRegistry) -> None:
    """Raise WrongClient for a client that shows a token of `agent` and is known to be another agent.

    The marks of this process say nothing about a client that only sends requests to it.
    """
    known = agent_of_mcp_client(client_name)
    if known is not None and agents.canonical_id(known.id) != agents.canonical_id(agent):
        raise WrongClient(
            f"could not act as `{agent}`: this client is {known.name}",
            fix=f"give it a token of `{known.id}`",
        )


def find_session(agent_id: str, meta: Mapping[str, object] | None) -> str | None:
    """Return the id of the agent's session: from the call's `meta`, else from the environment.

    Return None for a client that tells it in neither place: a made-up session would hide the user's words.
    """
    agent = find_agent(agent_id)
    marked = os.environ.get(agent.marks.session) if agent and agent.marks.session else None
    return told_session(agent_id, meta) or marked or None


def told_session(agent_id: str, meta: Mapping[str, object] | None) -> str | None:
    """Return the id of the agent's session that the call's `meta` holds, None for none."""
    agent = find_agent(agent_id)
    if agent is None or not agent.mcp.session:
        return None
    told: object = meta
    for name in agent.mcp.session:
        told = told.get(name) if isinstance(told, Mapping) else None
    return told if isinstance(told, str) and 0 < len(told) <= _LONGEST else None
