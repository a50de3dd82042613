"""Reserve decisions about memory for a person (seed 000 §11), and proposals for agents with the permission."""

from typing import Final

from hooklore.agents.agent import AgentPermission
from hooklore.errors import HookloreError
from hooklore.records.draft import Principal

MAY_PROPOSE: Final[frozenset[AgentPermission]] = frozenset(("owner", "admin"))
"""Permissions of agents that may propose to delete or to restore (seed 004)."""

_PROPOSED_VERBS: Final = frozenset(("delete", "restore", "forget"))
"""Verbs of the command line that do what these tools of seed 004 do."""


def require_person(who: Principal, verb: str, name: str) -> None:
    """Raise HookloreError for an agent and for a program. `verb` and `name` stand in the message."""
    if not who.person or who.program:
        raise HookloreError(
            f"could not {verb} `{name}`: a person decides it", fix="ask the user to run it"
        )


def may_propose(verb: str, permission: AgentPermission) -> bool:
    """Return whether an agent with a permission may bring a verb of the command line before its user."""
    return verb not in _PROPOSED_VERBS or permission in MAY_PROPOSE


def require_proposer(who: Principal, verb: str) -> None:
    """Raise HookloreError for an agent that may not propose a verb of the command line."""
    if not who.person and not may_propose(verb, who.permission):
        raise HookloreError(
            f"could not {verb} it: `{who.agent_id}` is a {who.permission}, "
            "and only an owner or an admin may propose it",
            fix="ask the user to do it in a terminal of their own",
        )
