"""Gather the verbs of the slash command `/memory` in one place: `hooklore memory …` (seed 000 §10).

`list` and `search` read memories only. The other verbs are second names of top-level commands.
"""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.listing import Kinds, print_record, text_of
from hooklore.cli.memory.asker import Agent, Json, Scope, asker
from hooklore.cli.speaking import speaker
from hooklore.cli.store import opened
from hooklore.memories.decisions.approval_queue import is_in_places
from hooklore.memories.entries import list_current_memories
from hooklore.memories.scope import named_places
from hooklore.records.record import Record
from hooklore.records.schema import KINDS

Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="at most so many")]


def application(aliases: Mapping[str, Callable[..., None]]) -> typer.Typer:
    """Return the commands behind `hooklore memory`, `aliases` last. Without a verb it lists."""
    app = typer.Typer(
        help="What is kept on purpose: list it, search it, tidy it. Without a command, list it.",
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(_list_without_verb)
    commands: dict[str, Callable[..., None]] = {"list": list_, "search": search, **aliases}
    for name, command in commands.items():
        app.command(name)(command)
    return app


def _list_without_verb(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_()


def list_(
    *,
    scope: Scope = None,
    kind: Kinds = None,
    limit: Limit = 20,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """List the memories that stand, the newest first. Inside an agent: of this project and global ones."""
    with opened() as broker:
        found = _current_memories(broker, scope, kind, agent)
    _print(found[:limit], as_json=as_json)


def search(
    words: Annotated[list[str], typer.Argument(help="all of them must be in its text or its key")],
    *,
    scope: Scope = None,
    kind: Kinds = None,
    limit: Limit = 10,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Search the memories that stand by text and key, the newest first."""
    terms = [_fold(word) for word in " ".join(words).split()]
    with opened() as broker:
        found = []
        for record in _current_memories(broker, scope, kind, agent):
            text = _fold(f"{record.dedupe_key or ''}\n{record.body.content_md}")
            if all(term in text for term in terms):
                found.append(record)
    _print(found[:limit], as_json=as_json)


def _current_memories(
    broker: Broker, scope: str | None, kinds: list[str] | None, agent: str | None
) -> list[Record]:
    if not set(kinds or ()) <= set(KINDS["memory"]):
        raise typer.BadParameter(
            f"must be one of {', '.join(KINDS['memory'])}", param_hint="--kind"
        )
    who = asker(broker, agent)
    places = named_places(broker, who, scope)
    if places is None and agent is None and speaker().kind == "agent":
        places = ["global", *([f"project:{who.project}"] if who.project else [])]
    found = {
        record.id: record
        for record in list_current_memories(broker, who)
        if (places is None or is_in_places(record, places)) and (not kinds or record.kind in kinds)
    }
    return [found[id_] for id_ in sorted(found, reverse=True)]


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _print(found: list[Record], *, as_json: bool) -> None:
    for record in found:
        key = f"{record.dedupe_key}: " if record.dedupe_key else ""
        print_record(record, f"{key}{text_of(record)}", as_json=as_json)
    if not found:
        output.say("nothing found")
