"""List and answer the memories that wait for a person: `hooklore pending`, `approve` and `reject`."""

from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import print_record, text_of, with_privacy
from hooklore.cli.memory.approval import Proposal as Question
from hooklore.cli.memory.approval import Yes, refuse_outsiders, require_approval
from hooklore.cli.memory.asker import Agent, Json, Scope, asker, places_of
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import opened
from hooklore.prompt.frame import describe_basis
from hooklore.records.record import Record
from hooklore.text.plural import format_count, select_form

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.memories.proposals import Proposal

_TAKE_BACK = "take them back"
Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="ids, or their beginnings")]


Doubtful = Annotated[
    bool,
    typer.Option(
        "--doubtful",
        help="instead, what stands as your word or as seen by a tool, and whose record shows neither",
    ),
]
TakeBack = Annotated[
    bool, typer.Option("--take-back", help="with `--doubtful`: put all of them into the archive")
]


def pending(
    scope: Scope = None,
    agent: Agent = None,
    *,
    doubtful: Doubtful = False,
    take_back: TakeBack = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """List what waits to be approved, the newest first, and why it waits. An agent is told how many wait."""
    if take_back and not doubtful:
        raise typer.BadParameter("needs `--doubtful`", param_hint="--take-back")
    if doubtful:
        _doubtful(scope, take_back=take_back, yes=yes, as_json=as_json)
        return
    from hooklore.memories import approval_queue
    from hooklore.memories.proposals import list_proposals

    with opened() as broker:
        who = asker(broker, agent)
        places, reader = places_of(broker, who, scope), broker.as_reader(who)
        if not who.person:
            _say_count(approval_queue.count_readable_pending(reader, places))
            return
        found, proposed = approval_queue.list_pending(reader), list_proposals(broker, who)
        if places is not None:
            found = [r for r in found if approval_queue.is_in_places(r, places)]
            proposed = [p for p in proposed if approval_queue.is_in_places(p.target, places)]
    for record in found:
        print_record(record, f"({record.waits}) {text_of(record)}", as_json=as_json)
    for proposal in proposed:
        _print_proposal(proposal, as_json=as_json)
    if not (found or proposed):
        output.say("nothing waits")


def _doubtful(scope: str | None, *, take_back: bool, yes: bool, as_json: bool) -> None:
    """List the doubtful memories, or put them into the archive with a person's approval."""
    from hooklore.memories.approval_queue import is_in_places
    from hooklore.memories.doubtful import list_doubtful

    refuse_outsiders(_TAKE_BACK, None)
    with opened() as broker:
        places, found = places_of(broker, asker(broker, None), scope), list_doubtful(broker)
        found = [r for r in found if places is None or is_in_places(r, places)]
        if take_back and found:
            _take_back(broker, found, yes=yes)
            return
    for record in found:
        print_record(record, f"({describe_basis(record)}) {text_of(record)}", as_json=as_json)
    if not found:
        output.say("nothing is doubtful")
    elif not as_json:
        output.say("hint: `hooklore pending --doubtful --take-back`")


def _take_back(broker: "Broker", found: list[Record], *, yes: bool) -> None:
    from hooklore.memories.archive import take_back
    from hooklore.memories.archive_files import syncing_archive_files

    question = Question(
        _TAKE_BACK, [r.id for r in found], "Take them back?", lambda: _preview(found)
    )
    require_approval(broker, question, "nothing was taken back", yes=yes, token=None)
    with syncing_archive_files(broker):
        again = take_back(broker, found, "doubtful")
    output.data(
        f"took back {format_count(len(found), 'memory')}: `hooklore archive` lists them, "
        "`hooklore restore ID` undoes it"
    )
    for record in again:
        output.data(f"in force again: {text_of(record)}")


def _preview(found: list[Record]) -> None:
    for record in found:
        output.say(output.row(record, text_of(record)))


def _print_proposal(proposal: "Proposal", *, as_json: bool) -> None:
    if as_json:
        output.json(_as_fields(proposal))
        return
    by, target = f"({proposal.act}, proposed by {proposal.by})", proposal.target
    output.data(output.row(proposal.record, f"{by} {target.id} {text_of(target)}"))


def _as_fields(proposal: "Proposal") -> dict[str, object]:
    return {
        "id": proposal.record.id,
        "kind": proposal.record.kind,
        "act": proposal.act,
        "by": proposal.by,
        "event": with_privacy(proposal.target),
    }


def _say_count(count: int) -> None:
    """Tell an agent how many memories wait for the user. An agent must not rely on their texts."""
    if not count:
        output.say("nothing waits that an agent may know of")
        return
    waits = f"{format_count(count, 'memory')} {select_form(count, 'waits', 'wait')}"
    output.say(f"{waits} for the user, who alone reads and decides: `hooklore pending`")


def approve(ids: Ids, *, agent: Agent = None, as_json: Json = False) -> None:
    """Confirm what waits: a memory takes its place, and a proposal is carried out."""
    from hooklore.memories import approval_queue
    from hooklore.memories.archive_files import syncing_archive_files

    with opened() as broker, syncing_archive_files(broker):
        who = decider(broker, "approve it", agent, ids)
        for prefix in ids:
            approved = approval_queue.approve(broker, prefix, who)
            if as_json:
                output.json(with_privacy(approved))
            elif approved.approves:
                output.data(f"approved {approved.approves}: it is in force as {approved.id}")
            else:
                output.data(f"approved {prefix}: done to {approved.id}")


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
