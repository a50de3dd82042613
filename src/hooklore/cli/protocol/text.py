"""The short text of the protocol for one agent: five points, of which each names its rule."""

from hooklore.agents.guests import find_guest, list_guests
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


def agent_ids() -> tuple[str, ...]:
    """Return the ids of the agents that the protocol is written for, those with hooks first."""
    return (*MODULES, *(guest.id for guest in list_guests()))


def protocol_text(agent_id: str) -> str:
    """Return the text for an agent. Raise NoProtocol."""
    agent, guest = find_agent(agent_id), find_guest(agent_id)
    known = agent or guest
    if known is None:
        raise NoProtocol(agent_id)
    runs_commands = agent is not None or (guest is not None and guest.runs_commands)
    writes = _WRITE_BY_COMMAND if runs_commands else _WRITE_BY_PERSON
    reads = _READ_BY_COMMAND if runs_commands else _READ_BY_PERSON
    reads = _READ_BY_HOOKS if agent is not None else reads
    return (
        f"hooklore shared memory protocol (v{VERSION}) for {known.name}, agent id `{known.id}`:\n"
        f"- At the start of a run: {reads} (MUST-1).\n"
        f"- At the end of a run: keep confirmed items only, {writes} (MUST-2).\n"
        "- Never store secrets or personal data (MUST-3).\n"
        "- If memory cannot be read, do not go on by guessing: stop, and ask the person to run "
        "`hooks doctor` (MUST-6).\n"
        f"- Full rules: {RULES_PATH}, or `hooklore protocol --full`.\n"
    )
