"""Give memories more readers: `hooklore pin` and `unpin` (every run reads pins first), and `promote`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import with_privacy
from hooklore.cli.memory.asker import Agent, Json
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import opened
from hooklore.memories import promotion
from hooklore.memories.pins import pin as pin_memory
from hooklore.memories.pins import unpin as unpin_memory
from hooklore.memories.scope import named_places

Id = Annotated[str, typer.Argument(metavar="ID", help="a memory's id, or its beginning")]


def pin(prefix: Id, *, agent: Agent = None, as_json: Json = False) -> None:
    """Pin a memory: every run reads it first. A pin is a line or two."""
    with opened() as broker:
        record = pin_memory(broker, prefix, decider(broker, "pin it", agent, [prefix]))
    output.answer({"pinned": record.id}, f"pinned {record.id}", as_json=as_json)


def unpin(prefix: Id, *, agent: Agent = None, as_json: Json = False) -> None:
    """Take a memory off the pins; it stays in memory."""
    with opened() as broker:
        record = unpin_memory(broker, prefix, decider(broker, "unpin it", agent, [prefix]))
    output.answer({"unpinned": record.id}, f"unpinned {record.id}", as_json=as_json)


def promote(
    prefix: Id,
    *,
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            help="`global`, `project` (this folder's) or `project:<slug>`",
        ),
    ],
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Say a memory again in a wider scope; the first one stays. Never what is private."""
    with opened() as broker:
        who = decider(broker, "promote it", agent, [prefix])
        (place,) = named_places(broker, who, scope) or ["global"]
        promoted, mark = promotion.promote(broker, prefix, place, who)
        contradicted = broker.as_reader(who).find_overwritten(promoted)
    if as_json:
        output.json({"event": with_privacy(promoted), "promotion": mark.id})
        return
    output.data(f"promoted {promoted.promoted_from} to {promoted.scope} as {promoted.id}")
    if promoted.waits:
        output.say(f"hint: it waits: `hooklore approve {promoted.id}`")
    elif contradicted is not None:
        output.say(f"it contradicts {contradicted.id}, which stood there")
        output.say("hint: run `hooklore conflicts`")
