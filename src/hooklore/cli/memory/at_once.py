"""Decide about many memories at once: `hooklore pending --let-stand` and `hooklore pending --doubtful`."""

from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.listing import print_record, text_of
from hooklore.cli.memory.approval import Proposal, require_approval, require_person_here
from hooklore.cli.memory.asker import asker
from hooklore.cli.store import opened
from hooklore.memories.approval_queue import is_in_places
from hooklore.memories.archive import take_back
from hooklore.memories.archive_files import syncing_archive_files
from hooklore.memories.doubtful import is_doubtful, list_doubtful
from hooklore.memories.let_stand import let_stand, list_letting_stand
from hooklore.memories.scope import named_places
from hooklore.prompt.frame import describe_basis
from hooklore.records.record import Record
from hooklore.text.plural import format_count

_TAKE_BACK = "take them back"
_LET_STAND = "let them stand"


def offers(broker: Broker, places: list[str] | None) -> list[str]:
    """Return the lines that offer a person what can be decided at once in these places (None: everywhere)."""
    standing = len(_in_places(list_letting_stand(broker), places))
    doubtful = len(_in_places(list_doubtful(broker), places))
    lines = []
    if standing:
        lines.append(
            f"hint: `hooklore pending --let-stand`: {standing} of these would stand as their agents' words"
        )
    if doubtful:
        lines.append(
            f"hint: `hooklore pending --doubtful`: {doubtful} that stand show no person who said them"
        )
    return lines


def let_waiting_stand(scope: str | None, *, yes: bool) -> None:
    """Let waiting memories stand as their agents' words, with a person's approval."""
    require_person_here(_LET_STAND)
    with opened() as broker:
        found = _in_places(
            list_letting_stand(broker), named_places(broker, asker(broker, None), scope)
        )
        if not found:
            output.say("nothing that waits would stand as its agent's word")
            return
        asked = Proposal(
            _LET_STAND, [r.id for r in found], "Let them stand?", lambda: _preview(found)
        )
        require_approval(broker, asked, "they go on waiting", yes=yes, token=None)
        let_stand(broker, found)
    names = ", ".join(sorted({str(record.agent_id) for record in found}))
    output.data(f"{format_count(len(found), 'memory')} now said by {names}, and told")


def decide_doubtful(scope: str | None, *, take_back: bool, yes: bool, as_json: bool) -> None:
    """List the doubtful memories, or put them into the archive with a person's approval."""
    require_person_here(_TAKE_BACK)
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


def _in_places(found: list[Record], places: list[str] | None) -> list[Record]:
    return [record for record in found if places is None or is_in_places(record, places)]


def _take_back(broker: Broker, found: list[Record], *, yes: bool) -> None:
    asked = Proposal(_TAKE_BACK, [r.id for r in found], "Take them back?", lambda: _preview(found))
    require_approval(broker, asked, "nothing was taken back", yes=yes, token=None)
    with syncing_archive_files(broker):
        again = take_back(broker, found, "doubtful", is_doubtful)
    output.data(
        f"took back {format_count(len(found), 'memory')}: `hooklore archive` lists them, "
        "`hooklore restore ID` undoes it"
    )
    for record in again:
        output.data(f"in force again: {text_of(record)}")


def _preview(found: list[Record]) -> None:
    for record in found:
        output.say(output.row(record, text_of(record)))
