"""Let a person decide (seed 000 §11, §15): at a terminal, or by saying yes in the agent's client.

What cannot be undone is approved in advance, too, by a token that was got at a terminal.
"""

import time
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import typer

from hooklore.agents.registry import agent_of
from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.memory.asker import asker, person_here
from hooklore.cli.speaking import ask, is_at_terminal, speaker, take_confirmation
from hooklore.errors import HookloreError
from hooklore.maintenance.audit import record_confirmation
from hooklore.memories.decisions import approval_token, confirmation
from hooklore.memories.decisions.authorization import require_proposer
from hooklore.records.draft import Principal
from hooklore.text.plural import format_count

Yes = Annotated[bool, typer.Option("--yes", help="at a terminal: do not ask")]
Approve = Annotated[
    str | None,
    typer.Option("--approve", metavar="TOKEN", help="a token that a person got with `--token`"),
]
Token = Annotated[
    bool, typer.Option("--token", help="at a terminal: print a token that approves this elsewhere")
]

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
    runs = speaker()
    if runs.kind == "person":
        return "terminal"
    words, token = take_confirmation()
    if not token:
        who = "a program" if runs.kind == "program" else runs.agent_id
        raise HookloreError(
            f"could not {verb}: only a person decides it, and this was run by {who}",
            fix=way_to_decide(),
        )
    broker.refresh()
    named = confirmation.find_named(broker.as_reader(person_here(broker)), words)
    act = (runs.session_id or "", words, [record.id for record in named])
    confirmation.redeem(broker.place, time.time(), token, act)
    return "client"


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
    ids = [record.id for record in confirmation.find_named(broker.as_reader(person), ("", *names))]
    record_confirmation(broker, verb, confirmed, ids)
    return person


def refuse_outsiders(act: str, token: str | None) -> None:
    """Raise HookloreError, before anything is looked up, where neither a person nor a token is."""
    if speaker().kind != "person" and token is None and not take_confirmation()[1]:
        _require_terminal(act)


def require_person_here(act: str) -> None:
    """Raise HookloreError unless a person runs this: no question of a client shows all that changes at once."""
    if speaker().kind != "person":
        raise HookloreError(
            f"could not {act}: only a person decides about many memories at once",
            fix="ask the user to run it in a terminal of their own",
        )


def require_approval(
    broker: Broker,
    act: str,
    ids: list[str],
    *,
    question: str,
    refused: str,
    preview: Callable[[], None],
    yes: bool,
    token: str | None = None,
) -> None:
    """End the command with the words `refused` unless a person approves an act on the records `ids`.

    Nobody sees the preview who may not decide: it holds texts of any reader. Raise HookloreError where neither
    a person nor a token is.
    """
    if token is None and speaker().kind == "person":
        preview()
        if not (yes or ask(question, act)):
            output.say(refused)
            raise typer.Exit(1)
        decider(broker, act, names=ids)
        return
    if token is not None:
        approval_token.verify_approval_token(broker, token, act, ids)
        record_decision(broker, act, "token", ids)
    else:
        decider(broker, act, names=ids)
    preview()


def print_token(broker: Broker, act: str, ids: list[str], *, as_json: bool) -> None:
    """Print a token that approves `act` on the records `ids`. Raise HookloreError without a terminal."""
    _require_terminal(act)
    token = approval_token.issue_approval_token(broker, act, ids)
    output.answer({"token": token, "records": len(ids)}, token, as_json=as_json)
    if not as_json:
        what = (
            f"{format_count(len(ids), 'record')}, for {approval_token.TOKEN_LIFETIME_HOURS} hours"
        )
        output.say(f"it approves this on {what}: `--approve {token}`")


def _require_terminal(act: str) -> None:
    runs = speaker().kind
    if runs == "person":
        return
    cause = "a person must approve it, and there is no terminal"
    fix = "ask the user to run it with `--token` at a terminal, then give `--approve TOKEN`"
    if runs == "agent":
        cause = f"only a person decides it, and `{speaker().agent_id}` runs this"
        fix = f"{way_to_decide()}; a token for `--approve` comes from `--token` at a terminal"
    raise HookloreError(f"could not {act}: {cause}", fix=fix)
