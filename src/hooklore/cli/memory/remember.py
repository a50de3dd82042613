"""Keep a memory on purpose: `hooklore remember`."""

import shlex
import sys

import typer

from hooklore.api.queued_texts import make_queued_private
from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.memory.asker import Agent, Json, writer
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import home, keys_of, opened
from hooklore.cli.verb_command import with_arguments
from hooklore.errors import HookloreError, StoreError, StoreNotItsOwn
from hooklore.memories.claims import WORDS, writer_of
from hooklore.memories.write_report import describe_write
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.requests.arguments import parse_arguments
from hooklore.requests.request import RequestInvalid
from hooklore.requests.verbs.remember import VERB, MemoryLost, RememberArguments, keep
from hooklore.shell.own_command import without_token


@with_arguments(VERB)
def remember(*, agent: Agent = None, as_json: Json = False, **given: object) -> None:
    """Keep something on purpose: a decision, a preference, a fact.

    Of one scope and key the newest version is current. What an agent is not sure of waits for
    `hooklore approve`.
    """
    if given["content"] == "-":
        given["content"] = sys.stdin.read()
    try:
        read = parse_arguments(RememberArguments, given).arguments
    except RequestInvalid as error:
        problems = "; ".join(error.problems)
        raise HookloreError(
            f"could not keep it: {problems}", fix="run `hooklore remember --help`"
        ) from None
    event = read.to_event({"system": "cli"})
    try:
        with opened() as broker:
            result = keep(broker, event, _writer(broker, event, agent), keys_of(None))
    except StoreNotItsOwn:
        raise
    except (StoreError, MemoryLost) as error:
        again = without_token(" ".join(["hooklore", *map(_quote, sys.argv[1:])]))
        raise HookloreError(str(error), fix=f"run it again: {again}") from error
    if read.private and result.is_accepted:
        make_queued_private(home(), [read.content])
    if as_json:
        output.json(result.as_fields())
    else:
        _print(result, is_private=read.private)
    if not result.is_accepted:
        raise typer.Exit(1)


def _writer(broker: Broker, event: Record, agent: str | None) -> Principal:
    """Return who writes: the person too where an agent's `--basis user` was confirmed in its client."""
    who = writer(broker, agent)
    if event.basis == "user" and WORDS[writer_of(who)]["user"] == "refused":
        return decider(broker, "keep it as the user's own word")
    return who


def _quote(word: str) -> str:
    if "\n" not in word and "\t" not in word:
        return shlex.quote(word)
    quoted = (
        word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    )
    return f"$'{quoted}'"


def _print(result: WriteResult, *, is_private: bool) -> None:
    if result.status == "refused":
        output.say(f"error: could not keep it: {result.reason}")
        output.say(f"hint: {result.hint or 'say it in other words'}")
        return
    first, *others = describe_write(result, output.one_line, is_private=is_private)
    output.data(first)
    told = len(result.replaces) + len(result.beside)
    for number, line in enumerate(others):
        # An agent's client may show its model the output of a command that passed, and no more.
        is_told = number < told or line in result.left_out
        (output.data if is_told else output.say)(line)
