"""Decide as which agent a client acts: the registered one, unless the client is known to be another.

A client's name is a claim, and the registration is one, too. Where both name a known agent they must agree:
a copied registration would otherwise write one agent's memories under another's name.
"""

from hooklore.agents.agent import NOT_AGENTS
from hooklore.agents.registry import agent_of_mcp_client
from hooklore.errors import HookloreError


class WrongClient(HookloreError):
    """A client may not act as the agent that its server was registered for."""


def decide_agent(registered: str | None, client_name: str | None) -> str:
    """Return the id of the agent that acts, of which `registered` is the one of the command line.

    `client_name` is the client's own name, None where the client does not say it. Raise WrongClient when
    the two are different agents, when neither names an agent, and for a name that no agent may go by.
    """
    known = agent_of_mcp_client(client_name)
    if registered in NOT_AGENTS:
        raise WrongClient(
            f"could not act as `{registered}`: an MCP client is an agent",
            fix="register the server with `--agent NAME`, the name of this agent",
        )
    if registered is None and known is None:
        raise WrongClient(
            "could not tell which agent this is: its client is not a known one",
            fix="register the server with `--agent NAME`, the name of this agent",
        )
    if known is not None and registered not in (None, known.id):
        raise WrongClient(
            f"could not act as `{registered}`: this client is {known.name}",
            fix=f"register the server here with `--agent {known.id}`",
        )
    return registered or (known.id if known else "")
