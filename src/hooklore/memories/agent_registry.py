"""The registry of agents: who may write, in which role, and with which permission (seed 000 §1, seed 003).

An id, a role and a permission are three things. The role says the kind of work, the permission the acts that
are allowed. `[agents]` in a store's `config.toml` adds agents, and changes what the built-in ones have.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import get_args

from hooklore.agents.agent import NOT_AGENTS, Agent, AgentPermission, AgentRole
from hooklore.agents.registry import brought_agents, known_agents
from hooklore.config import Settings
from hooklore.errors import HookloreError


@dataclass(frozen=True, slots=True)
class RegisteredAgent:
    """An agent that may read and write. `aliases` are other names of the same agent."""

    id: str
    role: AgentRole = "general"
    permission: AgentPermission = "worker"
    aliases: tuple[str, ...] = ()


_NAMED_BY_SEEDS = (
    RegisteredAgent("musician", "executor"),
    RegisteredAgent("codex", "reasoner"),
    RegisteredAgent("gemini", "researcher"),
    *map(RegisteredAgent, ("copilot", "chatgpt", "openclaw", "qwen", "opencode", "hermes")),
)
"""The agents that the seeds name, and those whose marks are known, beside those with a module."""


class UnregisteredAgent(HookloreError):
    """An agent's id stands in no registry. `registry` is the file to which it can be added."""

    code = "forbidden"

    def __init__(self, agents: "AgentRegistry", registry: str) -> None:
        super().__init__(
            f"could not act as that agent: none of {', '.join(agents.ids)}",
            fix=f"add a table `[agents.<id>]` to `{registry}`",
        )


class AgentRegistry:
    """The agents of one store, by their ids and aliases."""

    def __init__(self, agents: Iterable[RegisteredAgent]) -> None:
        self.agents = {agent.id: agent for agent in agents}
        self._by_name = {name: agent for agent in self.agents.values() for name in agent.aliases}
        self._by_name |= self.agents  # an id is never another agent's alias

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all agents."""
        return tuple(self.agents)

    @property
    def writers(self) -> tuple[str, ...]:
        """The ids of all that write records: the agents, also those that other packages bring, then the
        writers that are no agents.
        """
        brought = (agent.id for agent in brought_agents() if agent.id not in self.agents)
        return (*self.agents, *brought, *NOT_AGENTS)

    def is_writer(self, name: str) -> bool:
        """Return whether `name` is the id of one of the `writers`."""
        found = self.find(name)
        return name in NOT_AGENTS or (found is not None and found.id == name)

    def find(self, name: str) -> RegisteredAgent | None:
        """Return the agent with this id or alias, or None. Another package may have brought it."""
        return self._by_name.get(name) or _brought(name)

    def canonical_id(self, name: str) -> str:
        """Return the id of the agent that a name means, or the name itself."""
        found = self._by_name.get(name)
        return found.id if found is not None else name

    def may_mean(self, name: str, agent_id: str) -> bool:
        """Return whether a caller that is the agent `agent_id` may give itself this name.

        Another program has names of its own (`admin_xxx`, seed 004): a permission, then a name of nobody's.
        """
        permission, _, rest = name.partition("_")
        is_of_program = bool(rest) and permission in get_args(AgentPermission)
        found = self.find(rest if is_of_program else name)
        return is_of_program if found is None else found.id == agent_id

    def of_record(self, name: str) -> RegisteredAgent:
        """Return the agent with this id or alias. An unknown one has no role of its own, and works."""
        return self.find(name) or RegisteredAgent(name)


def agents_of(settings: Settings) -> AgentRegistry:
    """Return the registry of a store: the built-in agents, as its settings change and complete them."""
    given = tuple(
        (id_, each.role, each.permission, each.aliases) for id_, each in settings.agents.items()
    )
    return _registry(given, settings.curated.agents)


def registered_agents(settings: Settings) -> tuple[str, ...]:
    """Return the names of all writers: the agents, and the person and programs."""
    return agents_of(settings).writers


def _brought(name: str) -> RegisteredAgent | None:
    if name in NOT_AGENTS:
        return None
    found = (agent for agent in brought_agents() if name in (agent.id, *agent.aliases))
    return next(map(_registered, found), None)


def _registered(agent: Agent) -> RegisteredAgent:
    return RegisteredAgent(agent.id, agent.role, agent.permission, agent.aliases)


@cache
def _built_in() -> tuple[RegisteredAgent, ...]:
    """Return the agents that need no setting. A module's own role goes before the seed's."""
    found = {each.id: _registered(each) for each in known_agents()}
    for agent in _NAMED_BY_SEEDS:
        known = found.get(agent.id, agent)
        role = agent.role if known.role == "general" else known.role
        found[agent.id] = replace(known, role=role)
    return tuple(found.values())


_Given = tuple[str, AgentRole | None, AgentPermission | None, tuple[str, ...]]


@lru_cache(maxsize=8)
def _registry(given: tuple[_Given, ...], others: tuple[str, ...]) -> AgentRegistry:
    found = {agent.id: agent for agent in _built_in()}
    found |= {name: RegisteredAgent(name) for name in others if name not in (*found, *NOT_AGENTS)}
    for id_, role, permission, aliases in given:
        known = found.get(id_, RegisteredAgent(id_))
        found[id_] = RegisteredAgent(
            id_,
            role or known.role,
            permission or known.permission,
            tuple(dict.fromkeys((*known.aliases, *aliases))),
        )
    return AgentRegistry(found.values())
