"""Keep a memory on purpose: `hooklore remember`."""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.memory.asker import Agent, Json, Scope, writer
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import keys_of, opened
from hooklore.errors import HookloreError, StoreError, StoreNotItsOwn
from hooklore.memories.agent_word import kind_of_key
from hooklore.memories.claims import WORDS, writer_of
from hooklore.memories.write_report import describe_write
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.records.schema import KINDS
from hooklore.shell.own_command import without_token

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.memories.write_result import WriteResult


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
        bool,
        typer.Option(
            "--private", help="for its writer alone: never told to another agent, nor by a hook"
        ),
    ] = False,
    title: Annotated[
        str | None,
        typer.Option(metavar="TITLE", help="its name in the index: at most 50 characters"),
    ] = None,
    when: Annotated[
        list[str] | None,
        typer.Option(
            "--when",
            metavar="PHRASE",
            help="what somebody would type who needs it (again for another, at most 8)",
        ),
    ] = None,
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
    conflicts: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="the memory that it contradicts: both stay, a person decides"
        ),
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
        agent_id=agent,
        content_md=sys.stdin.read().strip() if text == "-" else text,
        dedupe_key=key,
        kind=kind or kind_of_key(key),
        confidence=confidence,
        basis=basis,
        scope=scope,
        is_private=private or None,
        title=title,
        when=when,
        tags=tag,
        paths=path,
        agent_type=agent_type,
        ttl_days=ttl,
        supersedes=supersedes,
        contradicts=conflicts,
        stake=stake,
        run_id=run,
        source={"system": "cli"},
    )
    result = _write(event, agent)
    if as_json:
        output.json(result.as_fields())
    else:
        _print(result, is_private=private)
    if not result.is_accepted:
        raise typer.Exit(1)


def _write(event: Record, agent: str | None) -> "WriteResult":
    from hooklore.memories.deliberate_write import write_as

    try:
        with opened() as broker:
            result = write_as(broker, event, _writer(broker, event, agent), keys_of(None))
    except StoreNotItsOwn:
        raise
    except StoreError as error:
        raise HookloreError(str(error), fix=f"run it again: {_this_command()}") from error
    if result.status == "lost":
        raise HookloreError(
            f"could not keep it: {result.reason}", fix=f"run it again: {_this_command()}"
        )
    return result


def _writer(broker: "Broker", event: Record, agent: str | None) -> Principal:
    """Return who writes: the person too where an agent's `--basis user` was confirmed in its client."""
    who = writer(broker, agent)
    if event.basis == "user" and WORDS[writer_of(who)]["user"] == "refused":
        return decider(broker, "keep it as the user's own word")
    return who


def _this_command() -> str:
    """Return the command line of this process on one line, quoted for a shell, without a confirmation's token."""
    return without_token(" ".join(["hooklore", *map(_quote, sys.argv[1:])]))


def _quote(word: str) -> str:
    if "\n" not in word and "\t" not in word:
        return shlex.quote(word)
    quoted = (
        word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    )
    return f"$'{quoted}'"


def _print(result: "WriteResult", *, is_private: bool) -> None:
    if result.status == "refused":
        output.say(f"error: could not keep it: {result.reason}")
        output.say(f"hint: {result.hint}")
        return
    first, *others = describe_write(result, output.one_line, is_private=is_private)
    output.data(first)
    for line in others:
        output.say(line)
