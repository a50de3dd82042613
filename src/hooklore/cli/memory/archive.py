"""Put memories aside and bring them back: `hooklore archive` and `restore`, and `forget --agent`."""

import shlex
from typing import Annotated

import typer

from hooklore.agents.speaker import PERSON_ID
from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.listing import say_rows, text_of, with_privacy
from hooklore.cli.memory.asker import Agent, Json, Scope, asker
from hooklore.cli.memory.deciding import Yes, decider, require_approval, require_person_here
from hooklore.cli.store import opened
from hooklore.memories import agent_undo
from hooklore.memories.agent_registry import agents_of
from hooklore.memories.agent_undo import AgentWrites
from hooklore.memories.archive import (
    ArchivedMemory,
    archive_memory,
    let_stand_again,
    list_archived,
    restore_memory,
)
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.scope import named_places
from hooklore.records.record import Record
from hooklore.text.parse_time import parse_time
from hooklore.text.plural import format_count

OfAgent = Annotated[
    str | None,
    typer.Option("--agent", metavar="NAME", help="instead, set aside all that this agent kept"),
]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="with `--agent`: since then (`2h`, `7d`, a date)")
]
OfSession = Annotated[
    str | None, typer.Option(metavar="ID", help="with `--agent`: in this session alone")
]
Through = Annotated[
    bool, typer.Option("--through", help="with `--agent`: also what it kept as your word")
]
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


_PREVIEWED = 20


def take_back(
    agent: str, since: str | None, session: str | None, *, through: bool, yes: bool, as_json: bool
) -> None:
    """Set all aside that an agent kept, with a person's approval. The options narrow it as their helps say."""
    act = "take back what an agent kept"
    require_person_here(act)
    with opened() as broker:
        writes = _writes(broker, agent, since, session, through=through)
        found = agent_undo.list_writes(broker, writes)
        confirmed = agent_undo.list_confirmed(broker, writes)
        every = [*found, *confirmed] or agent_undo.list_replaced(broker, writes)
        if not every:
            output.say(f"`{writes.agent_id}` has kept nothing")
            return
        _require(broker, act, every, ("Take them back?", "nothing was taken back"), yes=yes)
        with syncing_archive_files(broker):
            again = agent_undo.take_back_writes(broker, writes, found)
    words = ["hooklore", "restore", "--agent", writes.agent_id]
    words += ["--since", writes.since] if writes.since else []
    words += ["--session", writes.session] if writes.session else []
    way_back = shlex.join([*words, *(["--through"] if writes.through else [])])
    told = f"took back {format_count(len(found), 'memory')} of {writes.agent_id}"
    fields = {"taken_back": [r.id for r in found], "again": [r.id for r in again]}
    output.answer(fields, f"{told}: `{way_back}` brings them back", as_json=as_json)
    if not as_json:
        _print_each("stays as another agent's word", confirmed)
        _print_each("in force again", again)


def bring_back(
    agent: str, since: str | None, session: str | None, *, through: bool, yes: bool, as_json: bool
) -> None:
    """Bring back what `take_back` with the same words set aside, with a person's approval."""
    act = "bring back what an agent kept"
    require_person_here(act)
    with opened() as broker:
        writes = _writes(broker, agent, since, session, through=through)
        found = agent_undo.list_taken_back(broker, writes)
        every = [*found, *agent_undo.list_unnamed(broker, writes)]
        if not every:
            output.say(f"nothing of `{writes.agent_id}` was taken back")
            return
        _require(broker, act, every, ("Bring them back?", "nothing was brought back"), yes=yes)
        with syncing_archive_files(broker):
            restored, left = agent_undo.bring_back(broker, writes, found)
    told = f"brought back {format_count(len(restored), 'memory')} of {writes.agent_id}"
    fields = {"brought_back": [r.id for r in restored], "left": [r.id for r in left]}
    output.answer(fields, told, as_json=as_json)
    if not as_json:
        _print_each("stays set aside, another stands in its place", left)


def _require(
    broker: Broker, act: str, every: list[Record], words: tuple[str, str], *, yes: bool
) -> None:
    """End the command unless a person approves it; `words` are the question and what a no leaves."""
    require_approval(
        broker, act, [r.id for r in every], question=words[0], refused=words[1],
        preview=lambda: say_rows(every, _PREVIEWED), yes=yes,
    )  # fmt: skip


def _print_each(what: str, records: list[Record]) -> None:
    for record in records:
        output.data(f"{what}: {output.one_line(text_of(record))}")


def _writes(
    broker: Broker, agent: str, since: str | None, session: str | None, *, through: bool
) -> AgentWrites:
    name = agents_of(broker.settings).canonical_id(agent)
    if name == PERSON_ID:
        raise typer.BadParameter(
            "names you: `hooklore forget ID` forgets your own", param_hint="--agent"
        )
    return AgentWrites(name, parse_time(since) if since is not None else None, session, through)
