"""Let a person decide: at a terminal, or by saying yes in the agent's client (seed 000 §11, §15)."""

import time
from collections.abc import Sequence
from typing import Literal

from hooklore.agents.registry import agent_of
from hooklore.broker import Broker
from hooklore.cli.memory.asker import asker, person_here
from hooklore.cli.speaking import is_at_terminal, speaker, take_confirmation
from hooklore.errors import HookloreError
from hooklore.maintenance.audit import record_confirmation
from hooklore.memories import confirmation
from hooklore.memories.authorization import require_proposer
from hooklore.memories.confirmation import find_named
from hooklore.records.draft import Principal

_IN_A_TERMINAL = "the user runs it in a terminal of their own"
_IN_THE_CLIENT = (
    f"run it as a plain command of its own, so that your client asks the user; or {_IN_A_TERMINAL}"
)


def way_to_decide() -> str:
    """Return how a person decides what this process may not: in the agent's client, where that can ask."""
    runs = speaker()
    if runs.kind == "program":
        return "run it at a terminal"
    if runs.through and is_at_terminal():
        # A multiplexer that an agent started once goes on for days, and its windows look like any other.
        return f"open a terminal that {runs.through} did not start: {runs.agent_id} started that"
    return _IN_THE_CLIENT if agent_of(speaker().agent_id).asking.modes else _IN_A_TERMINAL


def decider(
    broker: Broker, verb: str, agent: str | None = None, names: Sequence[str] = ()
) -> Principal:
    """Return the person who decides an act, and record how that is known.

    With `agent` the act is that agent's, which the act itself refuses. Raise HookloreError when no person
    runs this process and none said yes in the client.
    """
    if agent is not None or speaker().kind == "agent":
        require_proposer(asker(broker, agent), verb.split(" ", maxsplit=1)[0])
    if agent is not None:
        return asker(broker, agent)
    confirmed = require_decider(broker, verb)
    return record_decision(broker, verb, confirmed, names)


def require_decider(broker: Broker, verb: str) -> Literal["terminal", "client"]:
    """Return how a person's decision is confirmed. Raise HookloreError when none decided."""
    if speaker().kind == "person":
        return "terminal"
    words, token = take_confirmation()
    if not token:
        raise HookloreError(
            f"could not {verb}: only a person decides it, and this was run by "
            f"{'a program' if speaker().kind == 'program' else speaker().agent_id}",
            fix=way_to_decide(),
        )
    _redeem(broker, words, token)
    return "client"


def _redeem(broker: Broker, words: tuple[str, ...], token: str) -> None:
    broker.refresh()
    named = confirmation.find_named(broker.as_reader(person_here(broker)), words)
    act = (speaker().session_id or "", words, [record.id for record in named])
    confirmation.redeem(broker.place, time.time(), token, act)


def record_decision(
    broker: Broker,
    verb: str,
    confirmed: Literal["terminal", "client", "token"],
    names: Sequence[str] = (),
) -> Principal:
    """Append how a person's decision was confirmed, to the log and the audit. Return the person.

    `names` are keys, ids or beginnings of ids. Only ids are kept of them: a key may hold a secret.
    """
    person = person_here(broker, confirmed)
    broker.refresh()
    ids = [record.id for record in find_named(broker.as_reader(person), ("", *names))]
    record_confirmation(broker, verb, confirmed, ids)
    return person
