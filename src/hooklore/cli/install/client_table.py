"""The tables in the launcher's client: its agents, written from their modules, and its user's store.

The client imports nothing of ours, so the installer writes everything that the client must know of an
agent between two marks of its source: limits, variables, and the form of an answer. A second table has
the variables by which `agents/speaker.py` knows the processes that an agent starts. The store's digest
stands there because a hash costs the client the load of a library.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from hooklore.agents.agent import Agent
from hooklore.agents.registry import DEFAULT_AGENT_ID, brought_agents, known_agents
from hooklore.config import root_digest, store_root

OPENING = b"# >>> agents\n"
CLOSING = b"# <<< agents\n"


def fill_in(source: bytes, agents: Iterable[Agent], home: Path) -> bytes:
    """Return the client's source with the tables of `agents` and of the default store below `home`."""
    before, opening, rest = source.partition(OPENING)
    _, closing, after = rest.partition(CLOSING)
    if not (opening and closing):
        return source
    ordered = sorted(agents, key=lambda agent: (agent.id != DEFAULT_AGENT_ID, agent.id))
    rows = "".join(f"    {agent.id!r}: {_row(agent)},\n" for agent in ordered)
    # The id, the variables of its processes, and the variable of its session:
    speakers = tuple(
        (
            agent.id.encode(),
            tuple(name.encode() for name in agent.marks.process),
            agent.marks.session.encode(),
        )
        for agent in (*known_agents(), *brought_agents())
        if agent.marks.process
    )
    # The store that hooks use without a variable which names another:
    root = store_root({"HOME": str(home)})
    stores = {os.fsencode(root): root_digest(root).encode()} if root is not None else {}
    tables = (
        f"_DEFAULT_AGENT = {DEFAULT_AGENT_ID!r}\n_AGENTS = {{\n{rows}}}\n"
        f"_SPEAKERS = {speakers!r}\n_STORES = {stores!r}\n"
    )
    return before + opening + tables.encode() + closing + after


def _row(agent: Agent) -> str:
    """Return the constructor of one agent's row. Values are literals, so the row costs no import."""
    limits = {name: each.seconds for name, each in agent.events.items()}
    # What is printed when memory cannot be read: for the model, and to stop the turn.
    unreadable = (agent.unreadable.context, agent.unreadable.stop)
    answers = {
        name: tuple(text.replace("<event>", name).encode() for text in unreadable)
        for name, each in agent.events.items()
        if each.speaks
    }
    briefs = tuple(n for n, each in agent.events.items() if each.event == "session_start")
    session = f'"{agent.wire.names["session_id"][-1]}":'.encode()
    return (
        "_Agent(\n"
        f"        facts={tuple(name.encode() for name in agent.marks.names)!r},\n"
        f"        project={agent.marks.project_dir.encode()!r},\n"
        f"        session={session!r},\n"
        f"        limits={limits!r},\n"
        f"        answers={answers!r},\n"
        f"        briefs={briefs!r},\n"
        "    )"
    )
