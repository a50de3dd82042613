"""Agents without a module: they run no hook of ours, and are told the protocol by their own settings."""

from dataclasses import dataclass

from hooklore.agents.registry import MODULES, known_agents


@dataclass(frozen=True, slots=True)
class Guest:
    """One agent without a module: `place` is where its user puts a text of instructions.

    `runs_commands` says that the agent runs commands on the machine of its user, `connector_hosts` where a
    connector of its service takes an answer of OAuth.
    """

    id: str
    name: str
    place: str
    runs_commands: bool = True
    connector_hosts: tuple[str, ...] = ()


_GUESTS = (
    Guest("chatgpt", "ChatGPT", "Custom Instructions in its settings, or the system prompt of the API",
          runs_commands=False, connector_hosts=("chatgpt.com",)),
    Guest("openclaw", "OpenClaw",
          "the system prompt in its `config.yaml` or equivalent, or `AGENTS.md` in its workspace"),
    Guest("copilot", "Copilot CLI", "`AGENTS.md` of the project"),
    Guest("qwen", "Qwen Code", "`QWEN.md` or `AGENTS.md` of the project"),
    Guest("opencode", "opencode", "`AGENTS.md` of the project"),
    Guest("hermes", "Hermes Agent", "`AGENTS.md` of the project"),
)  # fmt: skip


def list_guests() -> tuple[Guest, ...]:
    """Return the agents without a module. One that gets a module is a guest no longer."""
    return tuple(agent for agent in _GUESTS if agent.id not in MODULES)


def find_guest(name: str) -> Guest | None:
    """Return the agent without a module of this id, None for any other."""
    return next((guest for guest in list_guests() if guest.id == name), None)


def list_connector_hosts() -> tuple[str, ...]:
    """Return the hosts where the connectors of all agents take an answer of OAuth."""
    of_agents = (each.connector_hosts for each in known_agents())
    of_guests = (each.connector_hosts for each in list_guests())
    return tuple(host for hosts in (*of_agents, *of_guests) for host in hosts)
