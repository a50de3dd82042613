"""Find an entry by its key: `hooklore find`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import with_privacy
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened
from hooklore.memories.entries import locate_key

_REASONS = {
    "current": "here",
    "elsewhere": "in another scope",
    "waits": "not approved yet",
    "expired": "its time is over",
    "archived": "archived",
    "forgotten": "forgotten",
    "replaced": "replaced",
    "similar": "a key much like it",
}


def find(
    key: Annotated[str, typer.Argument(metavar="KEY", help="a key, or what you remember of it")],
    *,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Say where an entry is: another project, a near spelling, archived, replaced; with the command."""
    with opened() as broker:
        locations = locate_key(broker, key, asker(broker, agent))
    for location in locations:
        record, reason = location.record, location.reason
        if as_json:
            output.json(
                {"reason": reason, "command": location.command, "event": with_privacy(record)}
            )
        else:
            where = f"{record.dedupe_key} in {record.scope}: {_REASONS.get(reason, reason)}"
            output.data(f"{output.one_line(where)}: `{output.one_line(location.command)}`")
    if not locations:
        output.say(f"no key is like `{output.one_line(key)}`")
        output.say("hint: run `hooklore list --stream memory` for what there is")
        raise typer.Exit(1)
