"""The agents that hooklore knows, by the name that the registered command line gives.

An agent of hooklore's own has a line in `MODULES`. Another package brings one by an entry point of the
group `hooklore.agents`, which has its id and names its `Agent`. Entry points are looked up only for a name that is
not in `MODULES`: the look-up imports `importlib.metadata`, 28 ms that no other hook pays.
"""

import re
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module

from hooklore.agents.agent import Agent, Asking
from hooklore.errors import HookloreError

MODULES = {
    "claude": "hooklore.agents.claude_code",
    "codex": "hooklore.agents.codex",
    "gemini": "hooklore.agents.gemini",
}
"""Agent id to the module that holds its `AGENT`; the first one is the default."""

DEFAULT_AGENT_ID = next(iter(MODULES))

UNKNOWN = "unknown"
"""The agent id of a name that no record may carry."""

_GROUP = "hooklore.agents"
_AGENT_ID = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_REMEMBERED = 64


class UnknownAgent(HookloreError):
    """No module and no entry point describes the agent of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"could not find the agent `{name}`: nothing installed describes it",
            fix=f"name one of: {', '.join(MODULES)}",
        )


def find_agent(name: str) -> Agent | None:
    """Return the agent of this name; None when nobody describes it."""
    module = MODULES.get(name)
    if module is not None:
        return _load(module)
    return _from_entry_point(name) if _AGENT_ID.fullmatch(name) else None


def agent_of(name: str) -> Agent:
    """Return the agent of this name; for an unknown one an agent without events of ours."""
    return find_agent(name) or _without_events(name)


def get_agent(name: str) -> Agent:
    """Return the agent of this name. Raise UnknownAgent."""
    found = find_agent(name)
    if found is None:
        raise UnknownAgent(name)
    return found


def default_agent() -> Agent:
    """Return the agent that a command line without a name is for."""
    return _load(MODULES[DEFAULT_AGENT_ID])


def known_agents() -> tuple[Agent, ...]:
    """Return the agents of hooklore's own, the default one first."""
    return tuple(_load(module) for module in MODULES.values())


@cache
def brought_agents() -> tuple[Agent, ...]:
    """Return the agents that other packages bring. Entry points are looked up: nothing on a hook's path calls it.

    An agent whose package cannot be loaded is left out, and others' commands go on.
    """
    from importlib.metadata import entry_points

    names = sorted(entry_points(group=_GROUP).names - MODULES.keys())
    return tuple(agent for agent in map(_loadable, names) if agent is not None)


def agent_of_mcp_client(name: str | None) -> Agent | None:
    """Return the agent whose MCP client calls itself `name`; None for any other name."""
    own = (agent for agent in known_agents() if name in agent.mcp.names)
    brought = (agent for agent in brought_agents() if name in agent.mcp.names)
    return next(own, None) or next(brought, None)


def spoken_names() -> str:
    """Return the names by which people address the known agents, as alternatives of a regular expression."""
    return "|".join(re.escape(name) for agent in known_agents() for name in agent.spoken_names)


def public_sites() -> frozenset[str]:
    """Return the public sites of the known agents' makers."""
    return frozenset(site for agent in known_agents() for site in agent.sites)


def transcript_paths() -> str:
    """Return a regular expression for the transcripts that the known agents write."""
    return "|".join(agent.transcripts for agent in known_agents())


def notes_paths() -> str:
    """Return a regular expression for the files that people write for the known agents."""
    return "|".join(agent.notes for agent in known_agents())


def normalize_agent_id(agent: str) -> str:
    """Return the name as a record carries it, `unknown` when no record may carry it."""
    return agent if _AGENT_ID.fullmatch(agent) else UNKNOWN


def is_edit_tool(agent: str | None, tool: object) -> bool:
    """Return whether a record's tool changes files: `agent` is the record's agent id."""
    if not isinstance(tool, str):
        return False
    return agent_of(agent or DEFAULT_AGENT_ID).tool_class(tool) in ("edit", "write")


@cache
def _load(module: str) -> Agent:
    agent: Agent = import_module(module).AGENT
    return agent


@lru_cache(maxsize=_REMEMBERED)
def _from_entry_point(name: str) -> Agent | None:
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group=_GROUP, name=name)), None)
    if found is None:
        return None
    agent = found.load()
    return agent if isinstance(agent, Agent) and agent.id == name else None


def _loadable(name: str) -> Agent | None:
    try:
        return find_agent(name)
    except Exception:  # another package's module may raise anything when it is loaded
        return None


@lru_cache(maxsize=_REMEMBERED)
def _without_events(name: str) -> Agent:
    """Return an agent of which only who and where is understood, in the fields of the default one."""
    return replace(default_agent(), id=name, name=name, events={}, tools={}, tool_prefixes={}, asking=Asking(),
                   role="general", permission="worker", aliases=(), source_system="other",
                   memory_files=lambda: None, loads_memory_files=False)  # fmt: skip
