"""Delete a memory for good, with a person's approval: `hooklore delete`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of
from hooklore.cli.memory.approval import Approve, Token, Yes, is_approved, print_token
from hooklore.cli.memory.asker import Agent, Json, Scope, asker, places_of
from hooklore.cli.store import opened


def delete(
    name: Annotated[str, typer.Argument(metavar="KEY|ID", help="an entry, also of the archive")],
    *,
    scope: Scope = None,
    agent: Agent = None,
    yes: Yes = False,
    approve: Approve = None,
    token: Token = False,
    as_json: Json = False,
) -> None:
    """Delete a memory: no restoring, it does not go to the archive. Its line stays in the log as history.

    At a terminal it asks; elsewhere it needs a token that a person got with `--token`.
    """
    from hooklore.memories import deletion
    from hooklore.memories.archive_files import syncing_archive_files

    with opened() as broker:
        who = asker(broker, agent)
        plan = deletion.plan_deletion(broker, name, who, places_of(broker, who, scope))
        if token:
            print_token(broker, "delete it", plan.ids, as_json=as_json)
            return
        for record in (plan.record, *plan.derived):
            output.say(output.row(record, text_of(record)))
        if not is_approved(broker, "delete it", plan.ids, "Delete it?", yes=yes, token=approve):
            output.say("nothing was deleted")
            raise typer.Exit(1)
        with syncing_archive_files(broker):
            deletion.delete_memory(broker, plan, who)
    if as_json:
        output.json({"deleted": plan.ids})
    else:
        output.data(f"deleted {plan.record.id}")
