"""List and settle contradictions between memories: `hooklore conflicts` and `resolve`."""

from typing import Annotated, Literal

import typer

from hooklore.cli import output
from hooklore.cli.listing import with_privacy
from hooklore.cli.memory.asker import Agent, Json, Scope, asker
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import opened
from hooklore.memories.decisions.conflict_resolution import (
    record_missing_conflicts,
    resolve_conflict,
)
from hooklore.memories.entries import list_current_memories
from hooklore.memories.scope import named_places

Choice = Literal["A", "B", "both"]
_CHOICES: dict[str, Choice] = {"a": "A", "b": "B", "older": "A", "newer": "B", "both": "both"}


def conflicts(scope: Scope = None, agent: Agent = None, as_json: Json = False) -> None:
    """List contradictions that nobody has settled, with both sides; what was not recorded yet is."""
    with opened() as broker:
        who = asker(broker, agent)
        record_missing_conflicts(broker, list_current_memories(broker, who))
        broker.refresh()
        places = named_places(broker, who, scope) or [""]
        reader = broker.as_reader(who)
        found = [conflict for place in places for conflict in reader.open_conflicts(place)]
    for conflict in found:
        if as_json:
            sides = {"a": with_privacy(conflict.a), "b": with_privacy(conflict.b)}
            known = {"id": conflict.id, "key": conflict.key, "subject": conflict.subject}
            output.json(known | sides)
            continue
        output.data(f"{conflict.id} {output.one_line(conflict.key or str(conflict.subject))}")
        for name, record in (("A", conflict.a), ("B", conflict.b)):
            text = output.one_line(str(record.body.content_md))
            output.data(f"  {name}: {text} ({record.agent_id}, {output.local(record.ts)})")
        output.data(f"  settle: hooklore resolve {conflict.id} --keep newer|older|both")
    if not found:
        output.say("no conflicts")


def resolve(
    prefix: Annotated[
        str, typer.Argument(metavar="ID", help="the id of a conflict, or of a side of it")
    ],
    keep: Annotated[
        str,
        typer.Option(
            metavar="newer|older|both",
            help="A is the older one, B the newer; `both` keeps them as a comparison",
        ),
    ],
    *,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Settle a conflict. What is not kept stays in memory as refuted."""
    choice = _CHOICES.get(keep.lower())
    if choice is None:
        raise typer.BadParameter("must be newer (B), older (A) or both", param_hint="--keep")
    with opened() as broker:
        who = decider(broker, "resolve it", agent, [prefix])
        records = resolve_conflict(broker, prefix, choice, who)
    for record in records:
        if as_json:
            output.json(with_privacy(record))
        elif record.stream != "control":
            output.data(f"{record.kind} {record.id}")
    if not as_json:
        output.data(f"resolved: kept {choice}")
