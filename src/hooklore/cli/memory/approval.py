"""Get a person's approval: at a terminal, or in advance by a token where there is none (seed 000 §11, §15)."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.consent import ask
from hooklore.errors import HookloreError

if TYPE_CHECKING:
    from hooklore.broker import Broker

Yes = Annotated[bool, typer.Option("--yes", help="at a terminal: do not ask")]
Approve = Annotated[
    str | None,
    typer.Option("--approve", metavar="TOKEN", help="a token that a person got with `--token`"),
]
Token = Annotated[
    bool,
    typer.Option("--token", help="at a terminal: print a token that approves this elsewhere"),
]


def is_approved(
    broker: "Broker", act: str, ids: list[str], question: str, *, yes: bool, token: str | None
) -> bool:
    """Return whether a person approves `act` on the records `ids`.

    Raise HookloreError for a token that does not fit, and without a terminal when there is no token.
    """
    from hooklore.memories import approval_token

    if token is not None:
        approval_token.verify_approval_token(broker, token, act, ids)
        return True
    _require_terminal(act)
    return yes or ask(question, act)


def print_token(broker: "Broker", act: str, ids: list[str], *, as_json: bool) -> None:
    """Print a token that approves `act` on the records `ids`. Raise HookloreError without a terminal."""
    from hooklore.memories.approval_token import TOKEN_LIFETIME_HOURS, issue_approval_token

    _require_terminal(act)
    token = issue_approval_token(broker, act, ids)
    if as_json:
        output.json({"token": token, "records": len(ids)})
        return
    output.data(token)
    output.say(
        f"it approves this on {len(ids)} records, for {TOKEN_LIFETIME_HOURS} hours: `--approve {token}`"
    )


def _require_terminal(act: str) -> None:
    if not sys.stdin.isatty():
        raise HookloreError(
            f"could not {act}: a person must approve it, and there is no terminal",
            fix="ask the user to run it with `--token` at a terminal, then give `--approve TOKEN`",
        )
