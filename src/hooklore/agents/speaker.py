"""Decide from facts who runs a command: the person, an agent, or a program.

The facts are the terminal and the marks that clients leave in the environment of the processes that they
start. No flag, variable or setting makes a process the person: only a terminal, and no agent's mark on the
process or on one above it, none of which is a client.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Final, Literal

from hooklore.agents.agent import Agent
from hooklore.agents.ancestry import (
    Ancestor,
    Process,
    find_lineage,
    find_process,
    tells_of_processes,
)
from hooklore.agents.registry import UNKNOWN, brought_agents, known_agents

PERSON_ID: Final = "person"
PROGRAM_ID: Final = "program"

_ANY_AGENT = "AI_AGENT"
"""The variable by which an agent that no module describes says that it is one."""

_OTHER_MARKS = {
    "COPILOT_CLI": "copilot", "QWEN_CODE": "qwen", "OPENCODE": "opencode",
    "OPENCLAW_SESSION_ID": "openclaw", "CURSOR_AGENT": UNKNOWN,
}  # fmt: skip
"""Marks of agents that have no module yet."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """The runner of a command. `session_id` is the agent's session, where its client tells it.

    `through` names the process above the command that an agent started, where the command itself has no mark.
    """

    kind: Literal["person", "agent", "program"]
    agent_id: str
    session_id: str | None = None
    through: str = ""


def identify_speaker(
    environment: Mapping[str, str],
    *,
    is_at_terminal: bool,
    above: Iterable[Ancestor] = (),
) -> Speaker:
    """Return who runs a process with this environment.

    `is_at_terminal` says that stdin and stderr are terminals. An agent's mark wins over a terminal, also where
    only one of the processes `above` has it, or is a client's program. A process with neither is a program:
    cron, CI, a script.
    """
    for each in chain((Ancestor(environment, frozenset()),), above):
        agent = _agent_of(each.environment) or _client_of(each.programs)
        if agent is not None:
            return replace(agent, through=each.title)
    return Speaker("person", PERSON_ID) if is_at_terminal else Speaker("program", PROGRAM_ID)


def is_run_by(number: int, agent_id: str) -> bool:
    """Return whether an agent runs a process, by the marks of the process and of those above it.

    Where the system tells of no process nothing speaks against it. Of a process that has ended nothing is known.
    """
    process = find_process(number)
    if process is None:
        return not tells_of_processes()
    runs = _runner_of(process)
    return runs.kind == "agent" and runs.agent_id == agent_id


@lru_cache(maxsize=256)
def _runner_of(process: Process) -> Speaker:
    """Return who runs a process. A server asks many times, and who started it stays."""
    return identify_speaker({}, is_at_terminal=False, above=find_lineage(process.number))


def _agent_of(environment: Mapping[str, str]) -> Speaker | None:
    """Return the agent that left a mark in an environment."""
    marked = _marked_by(known_agents(), environment)
    if marked is not None:
        return marked
    for name, agent_id in _OTHER_MARKS.items():
        if environment.get(name):
            return Speaker("agent", agent_id)
    marked = _marked_by(brought_agents(), environment)
    if marked is not None:
        return marked
    return Speaker("agent", UNKNOWN) if environment.get(_ANY_AGENT) else None


def _client_of(programs: frozenset[str]) -> Speaker | None:
    """Return the agent whose client a process is, by the names of its program."""
    for agent in known_agents():
        if not programs.isdisjoint(agent.marks.programs):
            return Speaker("agent", agent.id)
    return None


def _marked_by(agents: Iterable[Agent], environment: Mapping[str, str]) -> Speaker | None:
    """Return the first of `agents` that left a mark in the environment, with its session."""
    for agent in agents:
        if any(environment.get(name) for name in agent.marks.process):
            session = environment.get(agent.marks.session) if agent.marks.session else None
            return Speaker("agent", agent.id, session or None)
    return None
