"""Archive memories and restore archived ones: `hooklore archive` and `restore`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of, with_privacy
from hooklore.cli.memory.asker import Agent, Json, Scope, asker
from hooklore.cli.memory.deciding import Yes, decider
from hooklore.cli.memory.taking_back import OfSession, Since, Through, bring_back
from hooklore.cli.store import opened
from hooklore.memories.archive import (
    ArchivedMemory,
    archive_memory,
    let_stand_again,
    list_archived,
    restore_memory,
)
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.scope import named_places

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[KEY|ID]...", help="what to put aside; without any, the archive is listed"),
]  # fmt: skip


def archive(
    names: Names = None, *, scope: Scope = None, agent: Agent = None, as_json: Json = False
) -> None:
    """Put memories aside: nobody is told of them, and `hooklore restore` brings them back.

    Without a name it lists what is in the archive, archived last first. What every agent may read is
    a Markdown file in the store's `archive/`, too. What a rule had replaced by its words stands again.
    """
    with opened() as broker:
        who = asker(broker, agent)
        places = named_places(broker, who, scope)
        if not names:
            _print_archive(list_archived(broker, who, places), as_json=as_json)
            return
        with syncing_archive_files(broker):
            who = decider(broker, "archive it", agent, names)
            for name in names:
                record = archive_memory(broker, name, who, places)
                again = let_stand_again(broker, record)
                ids = [rule.id for rule in again]
                fields = {"archived": record.id, "key": record.dedupe_key, "again": ids}
                told = f"archived {record.id}: `hooklore restore {record.id}` undoes it"
                output.answer(fields, told, as_json=as_json)
                for rule in () if as_json else again:
                    output.data(f"in force again: {output.one_line(text_of(rule))}")


def _print_archive(found: list[ArchivedMemory], *, as_json: bool) -> None:
    for each in found:
        record = each.record
        event = with_privacy(record)
        fields = {"archived_at": each.archived_at, "reason": each.reason, "event": event}
        key = f"{record.dedupe_key} " if record.dedupe_key else ""
        told = output.row(record, f"({each.reason}) {key}{text_of(record)}")
        output.answer(fields, told, as_json=as_json)
    if not found:
        output.say("the archive is empty")


def restore(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY|ID]...", help="what is in the archive")
    ] = None,
    since: Since = None,
    session: OfSession = None,
    *,
    through: Through = False,
    yes: Yes = False,
    scope: Scope = None,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Bring memories back from the archive, byte for byte; never in the place of an active one.

    Without a name, but with `--agent`, it brings back what `hooklore forget --agent` took back.
    """
    if not names:
        if agent is None:
            raise typer.BadParameter("name what to restore, or an agent with `--agent`")
        bring_back(agent, since, session, through=through, yes=yes, as_json=as_json)
        return
    if since is not None or session is not None or through:
        raise typer.BadParameter(
            "goes with `--agent` and no name", param_hint="--since, --session, --through"
        )
    with opened() as broker, syncing_archive_files(broker):
        who = decider(broker, "restore it", agent, names)
        places = named_places(broker, who, scope)
        for name in names:
            record = restore_memory(broker, name, who, places)
            told = f"restored {record.restores}: it is active as {record.id}"
            output.answer(with_privacy(record), told, as_json=as_json)
