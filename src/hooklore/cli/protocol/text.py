"""The short text of the protocol for one agent: five points, of which each names its rule."""

from dataclasses import dataclass

from hooklore.agents.guests import Guest, find_guest, list_guests
from hooklore.agents.registry import MODULES, find_agent
from hooklore.cli.protocol.rules import RULES_PATH, VERSION
from hooklore.errors import HookloreError

_READ_BY_HOOKS = (
    "the hooks of the session bring shared memory. Where they brought nothing, call the tool `wake_up` "
    "or run `hooklore snapshot`"
)
_READ_BY_COMMAND = "read shared memory: call the tool `wake_up`, or run `hooklore snapshot`"
_READ_BY_PERSON = (
    "read shared memory: call the tool `wake_up`. Without the tool, ask the person for the output of "
    "`hooklore snapshot`"
)
_WRITE_BY_COMMAND = "with the tool `remember` or with `hooklore remember`"
_WRITE_BY_PERSON = (
    "with the tool `remember`. Without the tool, list them for the person to keep with "
    "`hooklore remember`"
)


class NoProtocol(HookloreError):
    """No agent of that name is known."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"could not write the protocol for `{name}`: no such agent is known",
            fix=f"name one of: {', '.join(agent_ids())}",
        )


@dataclass(frozen=True, slots=True)
class _Reader:
    """An agent as the text needs it: how it reads at the start, and how it writes at the end."""

    id: str
    name: str
    reads: str
    writes: str


def agent_ids() -> tuple[str, ...]:
    """Return the ids of the agents that the protocol is written for, those with hooks first."""
    return (*MODULES, *(guest.id for guest in list_guests()))


def protocol_text(agent_id: str) -> str:
    """Return the text for an agent. Raise NoProtocol."""
    reader = _reader(agent_id)
    return (
        f"hooklore shared memory protocol (v{VERSION}) for {reader.name}, agent id `{reader.id}`:\n"
        f"- At the start of a run: {reader.reads} (MUST-1).\n"
        f"- At the end of a run: keep confirmed items only, {reader.writes} (MUST-2).\n"
        "- Never store secrets or personal data (MUST-3).\n"
        "- If memory cannot be read, do not go on by guessing: stop, and ask the person to run "
        "`hooks doctor` (MUST-6).\n"
        f"- Full rules: {RULES_PATH}, or `hooklore protocol --full`.\n"
    )


def _reader(agent_id: str) -> _Reader:
    agent = find_agent(agent_id)
    if agent is not None:
        return _Reader(agent.id, agent.name, _READ_BY_HOOKS, _WRITE_BY_COMMAND)
    guest = find_guest(agent_id)
    if guest is None:
        raise NoProtocol(agent_id)
    return _of_guest(guest)


def _of_guest(guest: Guest) -> _Reader:
    if guest.runs_commands:
        return _Reader(guest.id, guest.name, _READ_BY_COMMAND, _WRITE_BY_COMMAND)
    return _Reader(guest.id, guest.name, _READ_BY_PERSON, _WRITE_BY_PERSON)
