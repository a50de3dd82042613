"""Pin memories, which every run reads first: `hooklore pin` and `unpin`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.memory.asker import Agent, Json
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import opened
from hooklore.memories.pin_commands import pin as pin_memory
from hooklore.memories.pin_commands import unpin as unpin_memory

Id = Annotated[str, typer.Argument(metavar="ID", help="a memory's id, or its beginning")]


def pin(prefix: Id, *, agent: Agent = None, as_json: Json = False) -> None:
    """Pin a memory: every run reads it first. A pin is a line or two."""
    with opened() as broker:
        record = pin_memory(broker, prefix, decider(broker, "pin it", agent, [prefix]))
    _print("pinned", record.id, as_json=as_json)


def unpin(prefix: Id, *, agent: Agent = None, as_json: Json = False) -> None:
    """Take a memory off the pins; it stays in memory."""
    with opened() as broker:
        record = unpin_memory(broker, prefix, decider(broker, "unpin it", agent, [prefix]))
    _print("unpinned", record.id, as_json=as_json)


def _print(verb: str, id_: str, *, as_json: bool) -> None:
    if as_json:
        output.json({verb: id_})
    else:
        output.data(f"{verb} {id_}")
