"""Reserve decisions about memory for a person (seed 000 §11), and proposals for agents with the permission."""

from typing import Final

from hooklore.agents.agent import AgentPermission
from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.records.draft import Principal
from hooklore.records.record import Record

MAY_PROPOSE: Final[frozenset[AgentPermission]] = frozenset(("owner", "admin"))
"""Permissions of agents that may propose to delete or to restore (seed 004)."""

_PROPOSED_VERBS: Final = frozenset(("delete", "restore", "forget"))
"""Verbs of the command line that do what these tools of seed 004 do."""

Problem = tuple[str, str]
"""Why an act cannot be done to a record, and the command that helps."""


def require_person(who: Principal, verb: str, name: str) -> None:
    """Raise HookloreError for an agent and for a program. `verb` and `name` stand in the message."""
    if not who.person or who.program:
        raise HookloreError(
            f"could not {verb} `{name}`: a person decides it", fix="ask the user to run it"
        )


def get_decided(broker: Broker, prefix: str, who: Principal, verb: str) -> tuple[Reader, Record]:
    """Return the record that a person decides about, and the reader that found it.

    Raise HookloreError for an agent, NotFound for no record.
    """
    broker.refresh()
    require_person(who, verb, prefix)
    reader = broker.as_reader(who)
    return reader, get_record(reader, prefix)


def standing_problem(reader: Reader, record: Record) -> Problem | None:
    """Return (problem, fix) of a record that is no memory, waits, or is no longer in force, or None."""
    if record.stream != "memory":
        return f"a {record.kind} is no memory", "run `hooklore list --stream memory`"
    if record.waits:
        return "it waits to be approved", f"run `hooklore approve {record.id}`"
    if not reader.is_in_force(record):
        return (
            "it has been replaced, forgotten, or has expired",
            f"run `hooklore show {record.id}`",
        )
    return None


def require_possible(verb: str, record: Record, problem: Problem | None) -> None:
    """Raise HookloreError for a problem, with which `verb` cannot be done to a record."""
    if problem is not None:
        raise HookloreError(f"could not {verb} `{record.id}`: {problem[0]}", fix=problem[1])


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
