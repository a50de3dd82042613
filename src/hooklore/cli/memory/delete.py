"""Delete a memory for good, with a person's approval: `hooklore delete`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of
from hooklore.cli.memory.approval import (
    Approve,
    Proposal,
    Token,
    Yes,
    print_token,
    refuse_outsiders,
    require_approval,
)
from hooklore.cli.memory.asker import Agent, Json, Scope, asker, person_here
from hooklore.cli.store import opened
from hooklore.memories import deletion
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.deletion import DeletionPlan
from hooklore.memories.scope import named_places


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
    refuse_outsiders("delete it", approve)
    with opened() as broker:
        who = asker(broker, agent) if agent is not None else person_here(broker)
        plan = deletion.plan_deletion(broker, name, who, named_places(broker, who, scope))
        if token:
            print_token(broker, "delete it", plan.ids, as_json=as_json)
            return
        proposal = Proposal("delete it", plan.ids, "Delete it?", lambda: _preview(plan))
        require_approval(broker, proposal, "nothing was deleted", yes=yes, token=approve)
        with syncing_archive_files(broker):
            deletion.delete_memory(broker, plan, who)
    if as_json:
        output.json({"deleted": plan.ids})
    else:
        output.data(f"deleted {plan.record.id}")


def _preview(plan: DeletionPlan) -> None:
    for record in (plan.record, *plan.derived):
        output.say(output.row(record, text_of(record)))
