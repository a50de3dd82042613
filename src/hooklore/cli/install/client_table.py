"""The table of agents in the launcher's client, written from their modules.

The client imports nothing of ours, so the installer writes everything that the client must know of an
agent between two marks of its source: limits, variables, and the form of an answer.
"""

from collections.abc import Iterable

from hooklore.agents.agent import Agent
from hooklore.agents.registry import DEFAULT_AGENT_ID

OPENING = b"# >>> agents\n"
CLOSING = b"# <<< agents\n"


def fill_in(source: bytes, agents: Iterable[Agent]) -> bytes:
    """Return the client's source with the table of `agents`; unchanged when it has no marks."""
    before, opening, rest = source.partition(OPENING)
    _, closing, after = rest.partition(CLOSING)
    if not (opening and closing):
        return source
    return before + opening + _table(agents).encode() + closing + after


def _table(agents: Iterable[Agent]) -> str:
    ordered = sorted(agents, key=lambda agent: (agent.id != DEFAULT_AGENT_ID, agent.id))
    rows = "".join(f"    {agent.id!r}: {_row(agent)},\n" for agent in ordered)
    return f"_DEFAULT_AGENT = {DEFAULT_AGENT_ID!r}\n_AGENTS = {{\n{rows}}}\n"


def _row(agent: Agent) -> str:
    """Return the constructor of one agent's row. Values are literals, so the row costs no import."""
    limits = {name: each.seconds for name, each in agent.events.items()}
    answers = {name: _unreadable(agent, name) for name, each in agent.events.items() if each.speaks}
    briefs = tuple(n for n, each in agent.events.items() if each.event == "session_start")
    return (
        "_Agent(\n"
        f"        facts={tuple(name.encode() for name in agent.marks.names)!r},\n"
        f"        project={agent.marks.project_dir.encode()!r},\n"
        f"        session={_session_key(agent)!r},\n"
        f"        limits={limits!r},\n"
        f"        answers={answers!r},\n"
        f"        briefs={briefs!r},\n"
        "    )"
    )


def _session_key(agent: Agent) -> bytes:
    """Return the beginning of the payload's field that holds the session's id."""
    return f'"{agent.wire.names["session_id"][-1]}":'.encode()


def _unreadable(agent: Agent, event: str) -> tuple[bytes, bytes]:
    """Return what is printed when memory cannot be read: for the model, and to stop the turn."""
    texts = (agent.unreadable.context, agent.unreadable.stop)
    context, stop = (text.replace("<event>", event).encode() for text in texts)
    return context, stop
