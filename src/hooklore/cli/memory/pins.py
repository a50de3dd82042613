"""`hooklore pin` and `unpin`: what every run reads first."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened

Id = Annotated[str, typer.Argument(metavar="ID", help="a memory's id, or its beginning")]


def pin(prefix: Id, *, agent: Agent = None, as_json: Json = False) -> None:
    """Pin a memory: every run reads it first. A pin is a line or two."""
    from hooklore.memories.pin_commands import pin as put

    with opened() as broker:
        record = put(broker, prefix, asker(broker, agent))
    _say("pinned", record.id, as_json=as_json)


def unpin(prefix: Id, *, agent: Agent = None, as_json: Json = False) -> None:
    """Take a memory off the pins; it stays in memory."""
    from hooklore.memories.pin_commands import unpin as take

    with opened() as broker:
        record = take(broker, prefix, asker(broker, agent))
    _say("unpinned", record.id, as_json=as_json)


def _say(done: str, id_: str, *, as_json: bool) -> None:
    if as_json:
        output.json({done: id_})
    else:
        output.data(f"{done} {id_}")
