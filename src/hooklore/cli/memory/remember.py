"""Keep a memory on purpose: `hooklore remember`."""

import shlex
import sys
import uuid
from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.memory.asker import Agent, Json, Scope, asker
from hooklore.cli.store import keys_of, opened
from hooklore.errors import HookloreError, StoreError
from hooklore.records.record import Record
from hooklore.records.schema import KINDS

if TYPE_CHECKING:
    from hooklore.memories.write_result import WriteResult

_WARNINGS = {
    "content_too_long": "over 1,200 characters; a memory is a few short lines",
    "style": "a memory is one to five short lines, and bullets",
    "weak_key": "the key says nothing of what it is about",
    "unknown_prefix": "what stands before `:` in a key is its kind",
    "high_overwrites_low": "it took the place of something less sure",
    "low_over_high": "it is less sure than what stands under this key",
    "over_the_user": "the user has said something else under this key, or confirmed it",
    "forgotten_before": "the user has forgotten these words",
    "rejected_before": "the user has said no to these words",
    "gives_orders": "it tells agents what to do, so no model is shown it",
    "run_limit": "agents have kept enough at this prompt",
    "high_stake": "a person must confirm it",
    "inferred": "nobody said it and nothing showed it",
    "unconfirmed": "it is not sure",
}
_ACCEPTED = ("stored", "duplicate", "updated", "conflict", "pending", "spooled")


def remember(
    text: Annotated[str, typer.Argument(help="a few short lines; `-` reads stdin")],
    *,
    key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="its stable name, like `config:db_engine`"),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help=f"one of {', '.join(KINDS['memory'])}")
    ] = None,
    confidence: Annotated[str, typer.Option(help="high, med or low", metavar="LEVEL")] = "high",
    basis: Annotated[
        str | None, typer.Option(help="user, tool or inferred", metavar="BASIS")
    ] = None,
    scope: Scope = None,
    private: Annotated[
        bool, typer.Option("--private", help="for its owner alone: never told to an agent")
    ] = False,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="a tag (again for another)")
    ] = None,
    path: Annotated[
        list[str] | None,
        typer.Option("--path", metavar="GLOB", help="files it is kept for (again for more)"),
    ] = None,
    agent_type: Annotated[
        str | None,
        typer.Option("--agent-type", metavar="TYPE", help="for subagents of this type alone"),
    ] = None,
    ttl: Annotated[
        int | None, typer.Option("--ttl-days", metavar="DAYS", help="its life; 0 is for ever")
    ] = None,
    supersedes: Annotated[
        str | None, typer.Option(metavar="ID", help="the memory whose place it takes")
    ] = None,
    stake: Annotated[
        str | None, typer.Option(metavar="STAKE", help="`high`: it waits to be approved")
    ] = None,
    run: Annotated[str | None, typer.Option(metavar="ID", help="the run it is said in")] = None,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Keep something on purpose: a decision, a preference, a fact.

    Of one scope and key the newest version is current. What an agent is not sure of waits for
    `hooklore approve`.
    """
    event = Record.of(
        agent_id=agent or "person",
        content_md=sys.stdin.read().strip() if text == "-" else text,
        dedupe_key=key,
        kind=kind or _kind_of(key),
        confidence=confidence,
        basis=basis or (None if agent else "user"),
        scope=scope,
        is_private=private or None,
        tags=tag,
        paths=path,
        agent_type=agent_type,
        ttl_days=ttl,
        supersedes=supersedes,
        stake=stake,
        run_id=run or str(uuid.uuid4()),
        source={"system": "cli"},
    )
    result = _write(event, agent)
    if as_json:
        output.json(result.as_fields())
    else:
        _print(result)
    if result.status not in _ACCEPTED:
        raise typer.Exit(1)


def _kind_of(key: str | None) -> str:
    prefix = (key or "").partition(":")[0]
    return prefix if prefix in KINDS["memory"] else "fact"


def _write(event: Record, agent: str | None) -> "WriteResult":
    from hooklore.memories.write_gate import remember as write_memory

    try:
        with opened() as broker:
            who, keys = asker(broker, agent), keys_of(None)
            if event.scope == "project":
                event = event.without("scope")
            elif "scope" not in event and event.is_private:
                keys = None
            result = write_memory(broker, event.to_json(), who, keys)
    except StoreError as error:
        raise HookloreError(str(error), fix=f"run it again: {_this_command()}") from error
    if result.status == "lost":
        raise HookloreError(
            f"could not keep it: {result.reason}", fix=f"run it again: {_this_command()}"
        )
    return result


def _this_command() -> str:
    """Return the command line of this process on one line, quoted for a shell."""
    return " ".join(["hooklore", *map(_quote, sys.argv[1:])])


def _quote(word: str) -> str:
    if "\n" not in word and "\t" not in word:
        return shlex.quote(word)
    quoted = (
        word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    )
    return f"$'{quoted}'"


def _print(result: "WriteResult") -> None:
    if result.status == "refused":
        output.say(f"error: could not keep it: {result.reason}")
        output.say(f"hint: {result.hint}")
        return
    under = f" under {result.key}" if result.key else ""
    output.data(f"{result.status} {result.id or ''}{under} in {result.scope or 'the spool'}")
    if result.supersedes and result.status == "updated":
        output.say(f"it takes the place of {result.supersedes}")
    for code in result.warnings:
        output.say(f"warning: {code}: {_WARNINGS.get(code, 'seldom worth keeping')}")
    for each in result.similar:
        name = f" ({each.key})" if each.key else ""
        output.say(f"similar: {each.id}{name}: {output.one_line(each.text)}")
    if result.hint:
        output.say(f"hint: {result.hint}")
