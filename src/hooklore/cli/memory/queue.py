"""List and answer the memories that wait for a person: `hooklore pending`, `approve` and `reject`."""

from typing import Annotated

import typer

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.listing import print_record, say_rows, text_of, with_privacy
from hooklore.cli.memory.asker import Agent, Json, Scope, asker
from hooklore.cli.memory.deciding import Yes, decider, require_approval, require_person_here
from hooklore.cli.store import opened
from hooklore.memories import archive
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.decisions import approval_queue
from hooklore.memories.decisions.doubt import is_doubtful, list_doubtful
from hooklore.memories.decisions.let_stand import let_stand as let_them_stand
from hooklore.memories.decisions.let_stand import list_letting_stand
from hooklore.memories.decisions.proposals import list_proposals, propose_lost_rules
from hooklore.memories.pins import reader_places
from hooklore.memories.scope import named_places
from hooklore.prompt.frame import describe_basis
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
        _let_waiting_stand(scope, yes=yes)
        return
    if doubtful:
        _decide_doubtful(scope, take_back=take_back, yes=yes, as_json=as_json)
        return
    with opened() as broker:
        who = asker(broker, agent)
        places, reader = named_places(broker, who, scope), broker.as_reader(who)
        if not who.person:
            # An agent must not rely on the texts.
            count = approval_queue.count_readable_pending(reader, places)
            waits = f"{format_count(count, 'memory')} {select_form(count, 'waits', 'wait')}"
            told = f"{waits} for the user, who alone reads and decides: `hooklore pending`"
            output.say(told if count else "nothing waits that an agent may know of")
            return
        lost = [] if who.program else propose_lost_rules(broker, places or reader_places(who))
        found = _in_places(approval_queue.list_pending(reader), places)
        proposed = [p for p in list_proposals(broker, who) if _in_places([p.target], places)]
        offered = [] if as_json or who.program else _offers(broker, places)
    for record in found:
        print_record(record, f"({record.waits}) {text_of(record)}", as_json=as_json)
    for each in proposed:
        target = each.target
        fields = {
            "id": each.record.id, "kind": each.record.kind, "act": each.act, "by": each.by,
            "event": with_privacy(target),
        }  # fmt: skip
        told = f"({each.act}, proposed by {each.by}) {target.id} {text_of(target)}"
        output.answer(fields, output.row(each.record, told), as_json=as_json)
    if not (found or proposed):
        output.say("nothing waits")
    if lost:
        ids = " ".join(short_id(each.id) for each in lost)
        rules = (
            f"{format_count(len(lost), 'rule')} that a later one replaced without contradicting it"
        )
        output.say(f"hint: `hooklore approve {ids}` brings back {rules}")
    for line in offered:
        output.say(line)


def _offers(broker: Broker, places: list[str] | None) -> list[str]:
    """Return the lines that offer a person what can be decided at once in these places (None: everywhere)."""
    standing = len(_in_places(list_letting_stand(broker), places))
    doubtful = len(_in_places(list_doubtful(broker), places))
    told = (
        (standing, "let-stand", "of these would stand as their agents' words"),
        (doubtful, "doubtful", "that stand show no person who said them"),
    )
    return [f"hint: `hooklore pending --{way}`: {n} {what}" for n, way, what in told if n]


def _in_places(found: list[Record], places: list[str] | None) -> list[Record]:
    return [r for r in found if places is None or approval_queue.is_in_places(r, places)]


def _let_waiting_stand(scope: str | None, *, yes: bool) -> None:
    require_person_here("let them stand")
    with opened() as broker:
        places = named_places(broker, asker(broker, None), scope)
        found = _in_places(list_letting_stand(broker), places)
        if not found:
            output.say("nothing that waits would stand as its agent's word")
            return
        require_approval(
            broker, "let them stand", [r.id for r in found], question="Let them stand?",
            refused="they go on waiting", preview=lambda: say_rows(found), yes=yes,
        )  # fmt: skip
        let_them_stand(broker, found)
    names = ", ".join(sorted({str(record.agent_id) for record in found}))
    output.data(f"{format_count(len(found), 'memory')} now said by {names}, and told")


def _decide_doubtful(scope: str | None, *, take_back: bool, yes: bool, as_json: bool) -> None:
    """List the doubtful memories, or put them into the archive with a person's approval."""
    require_person_here("take them back")
    with opened() as broker:
        found = _in_places(list_doubtful(broker), named_places(broker, asker(broker, None), scope))
        if take_back and found:
            _take_back(broker, found, yes=yes)
            return
    for record in found:
        print_record(record, f"({describe_basis(record)}) {text_of(record)}", as_json=as_json)
    if not found:
        output.say("nothing is doubtful")
    elif not as_json:
        output.say("hint: `hooklore pending --doubtful --take-back`")


def _take_back(broker: Broker, found: list[Record], *, yes: bool) -> None:
    require_approval(
        broker, "take them back", [r.id for r in found], question="Take them back?",
        refused="nothing was taken back", preview=lambda: say_rows(found), yes=yes,
    )  # fmt: skip
    with syncing_archive_files(broker):
        again = archive.take_back(broker, found, "doubtful", is_doubtful)
    output.data(
        f"took back {format_count(len(found), 'memory')}: `hooklore archive` lists them, "
        "`hooklore restore ID` undoes it"
    )
    for record in again:
        output.data(f"in force again: {text_of(record)}")


def approve(ids: Ids, *, agent: Agent = None, as_json: Json = False) -> None:
    """Confirm what waits: a memory takes its place, and a proposal is carried out."""
    with opened() as broker, syncing_archive_files(broker):
        who = decider(broker, "approve it", agent, ids)
        for prefix in ids:
            approved = approval_queue.approve(broker, prefix, who)
            told = f"approved {prefix}: done to {approved.id}"
            if approved.approves:
                told = f"approved {approved.approves}: it is in force as {approved.id}"
            output.answer(with_privacy(approved), told, as_json=as_json)


def reject(ids: Ids, *, agent: Agent = None, as_json: Json = False) -> None:
    """Say no to what waits: it is gone, and the same words do not come back by themselves."""
    with opened() as broker:
        who = decider(broker, "reject it", agent, ids)
        for prefix in ids:
            record = approval_queue.reject(broker, prefix, who)
            output.answer({"rejected": record.id}, f"rejected {record.id}", as_json=as_json)
