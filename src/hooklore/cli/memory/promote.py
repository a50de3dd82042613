"""`hooklore promote`: a memory for more readers than it has."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker, places_of
from hooklore.cli.store import opened


def promote(
    prefix: Annotated[str, typer.Argument(metavar="ID", help="a memory's id, or its beginning")],
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
    from hooklore.memories import promotion

    with opened() as broker:
        who = asker(broker, agent)
        (place,) = places_of(broker, who, scope) or ["global"]
        made, note = promotion.promote(broker, prefix, place, who)
        other = promotion.find_contradicted(broker, made)
    if as_json:
        output.json({"event": with_privacy(made), "promotion": note.id})
        return
    output.data(f"promoted {made.promoted_from} to {made.scope} as {made.id}")
    if made.waits:
        output.say(f"hint: it waits: `hooklore approve {made.id}`")
    elif other is not None:
        output.say(f"it contradicts {other.id}, which stood there")
        output.say("hint: run `hooklore conflicts`")
