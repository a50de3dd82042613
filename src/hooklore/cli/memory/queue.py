"""List and answer the memories that wait for a person: `hooklore pending`, `approve` and `reject`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of, with_privacy
from hooklore.cli.memory.asker import Agent, Json, Scope, asker, places_of
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import opened

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="ids, or their beginnings")]


def pending(scope: Scope = None, agent: Agent = None, as_json: Json = False) -> None:
    """List what waits to be approved, the newest first, and why it waits."""
    from hooklore.memories import approval_queue

    with opened() as broker:
        who = asker(broker, agent)
        places = places_of(broker, who, scope)
        found = [
            record
            for record in approval_queue.list_pending(broker.as_reader(who))
            if places is None or approval_queue.is_in_places(record, places)
        ]
    for record in found:
        if as_json:
            output.json(with_privacy(record))
        else:
            output.data(output.row(record, f"({record.waits}) {text_of(record)}"))
    if not found:
        output.say("nothing waits")


def approve(ids: Ids, *, agent: Agent = None, as_json: Json = False) -> None:
    """Confirm what waits: it takes its place."""
    from hooklore.memories import approval_queue

    with opened() as broker:
        who = decider(broker, "approve it", agent, ids)
        for prefix in ids:
            approved = approval_queue.approve(broker, prefix, who)
            if as_json:
                output.json(with_privacy(approved))
            else:
                output.data(f"approved {approved.approves}: it is in force as {approved.id}")


def reject(ids: Ids, *, agent: Agent = None, as_json: Json = False) -> None:
    """Say no to what waits: it is gone, and the same words do not come back by themselves."""
    from hooklore.memories import approval_queue

    with opened() as broker:
        who = decider(broker, "reject it", agent, ids)
        for prefix in ids:
            record = approval_queue.reject(broker, prefix, who)
            if as_json:
                output.json({"rejected": record.id})
            else:
                output.data(f"rejected {record.id}")
