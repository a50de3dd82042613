"""List and answer the memories that wait for a person: `hooklore pending`, `approve` and `reject`."""

from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import print_record, text_of, with_privacy
from hooklore.cli.memory.approval import Yes
from hooklore.cli.memory.asker import Agent, Json, Scope, asker
from hooklore.cli.memory.at_once import decide_doubtful, let_waiting_stand, offers
from hooklore.cli.memory.deciding import decider
from hooklore.cli.store import opened
from hooklore.memories import approval_queue
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.pins import reader_places
from hooklore.memories.proposals import Proposal, list_proposals, propose_lost_rules
from hooklore.memories.scope import named_places
from hooklore.records.ids import short_id
from hooklore.records.record import Record
from hooklore.text.plural import format_count, select_form

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="ids, or their beginnings")]
Doubtful = Annotated[
    bool,
    typer.Option(
        "--doubtful",
        help="instead, what stands as your word or as seen by a tool, and whose record shows neither",
    ),
]
LetStand = Annotated[
    bool,
    typer.Option(
        "--let-stand",
        help="let all stand as their agents' words that wait for nothing but your word",
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
    let_stand: LetStand = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """List what waits to be approved, the newest first, and why it waits. An agent is told how many wait."""
    if take_back and not doubtful:
        raise typer.BadParameter("needs `--doubtful`", param_hint="--take-back")
    if let_stand and (doubtful or as_json):
        raise typer.BadParameter("goes with `--scope` and `--yes` alone", param_hint="--let-stand")
    if let_stand:
        let_waiting_stand(scope, yes=yes)
        return
    if doubtful:
        decide_doubtful(scope, take_back=take_back, yes=yes, as_json=as_json)
        return
    with opened() as broker:
        who = asker(broker, agent)
        places, reader = named_places(broker, who, scope), broker.as_reader(who)
        if not who.person:
            _say_count(approval_queue.count_readable_pending(reader, places))
            return
        lost = [] if who.program else propose_lost_rules(broker, places or reader_places(who))
        found, proposed = approval_queue.list_pending(reader), list_proposals(broker, who)
        if places is not None:
            found = [r for r in found if approval_queue.is_in_places(r, places)]
            proposed = [p for p in proposed if approval_queue.is_in_places(p.target, places)]
        offered = [] if as_json or who.program else offers(broker, places)
    for record in found:
        print_record(record, f"({record.waits}) {text_of(record)}", as_json=as_json)
    for proposal in proposed:
        _print_proposal(proposal, as_json=as_json)
    if not (found or proposed):
        output.say("nothing waits")
    for line in (*_offer_lost(lost), *offered):
        output.say(line)


def _offer_lost(lost: list[Record]) -> list[str]:
    """Return the line that offers to bring back the rules which a later one replaced without contradicting them."""
    if not lost:
        return []
    ids = " ".join(short_id(each.id) for each in lost)
    rules = format_count(len(lost), "rule")
    return [
        f"hint: `hooklore approve {ids}` brings back {rules} that a later one replaced without contradicting it"
    ]


def _print_proposal(proposal: Proposal, *, as_json: bool) -> None:
    if as_json:
        output.json(_as_fields(proposal))
        return
    by, target = f"({proposal.act}, proposed by {proposal.by})", proposal.target
    output.data(output.row(proposal.record, f"{by} {target.id} {text_of(target)}"))


def _as_fields(proposal: Proposal) -> dict[str, object]:
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
    with opened() as broker:
        who = decider(broker, "reject it", agent, ids)
        for prefix in ids:
            record = approval_queue.reject(broker, prefix, who)
            if as_json:
                output.json({"rejected": record.id})
            else:
                output.data(f"rejected {record.id}")
