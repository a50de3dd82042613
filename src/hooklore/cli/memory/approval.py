"""Get a person's approval of what cannot be undone (seed 000 §11, §15).

The person approves at a terminal, in the agent's client, or in advance by a token that was got at a terminal.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import typer

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.consent import ask
from hooklore.cli.memory.deciding import decider, record_decision, way_to_decide
from hooklore.cli.speaking import speaker, take_confirmation
from hooklore.errors import HookloreError
from hooklore.memories import approval_token
from hooklore.memories.approval_token import TOKEN_LIFETIME_HOURS, issue_approval_token
from hooklore.text.plural import format_count

Yes = Annotated[bool, typer.Option("--yes", help="at a terminal: do not ask")]
Approve = Annotated[
    str | None,
    typer.Option("--approve", metavar="TOKEN", help="a token that a person got with `--token`"),
]
Token = Annotated[
    bool, typer.Option("--token", help="at a terminal: print a token that approves this elsewhere")
]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question to a person: to approve an act on the records `ids`, shown by `preview` and asked as `question`.

    Nobody sees the preview who may not decide: it holds texts of any reader.
    """

    act: str
    ids: list[str]
    question: str = ""
    preview: Callable[[], None] = lambda: None


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


def is_approved(broker: Broker, proposal: Proposal, *, yes: bool, token: str | None) -> bool:
    """Return whether a person approves a proposal.

    Raise HookloreError for a token that does not fit, and where neither a person nor a token is.
    """
    act, ids = proposal.act, proposal.ids
    if token is not None:
        approval_token.verify_approval_token(broker, token, act, ids)
        record_decision(broker, act, "token", ids)
    elif speaker().kind == "person":
        proposal.preview()
        if not (yes or ask(proposal.question, act)):
            return False
        decider(broker, act, names=ids)
        return True
    else:
        decider(broker, act, names=ids)
    proposal.preview()
    return True


def require_approval(
    broker: Broker, proposal: Proposal, refused: str, *, yes: bool, token: str | None
) -> None:
    """End the command with the words `refused` unless a person approves a proposal. Raise as `is_approved`."""
    if not is_approved(broker, proposal, yes=yes, token=token):
        output.say(refused)
        raise typer.Exit(1)


def print_token(broker: Broker, act: str, ids: list[str], *, as_json: bool) -> None:
    """Print a token that approves `act` on the records `ids`. Raise HookloreError without a terminal."""
    _require_terminal(act)
    token = issue_approval_token(broker, act, ids)
    if as_json:
        output.json({"token": token, "records": len(ids)})
        return
    output.data(token)
    records = format_count(len(ids), "record")
    output.say(
        f"it approves this on {records}, for {TOKEN_LIFETIME_HOURS} hours: `--approve {token}`"
    )


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
