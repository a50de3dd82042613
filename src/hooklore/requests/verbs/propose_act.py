"""Propose to delete or to restore an entry: an agent asks, and a person decides (seed 000 §11, seed 004)."""

from hooklore.errors import HookloreError
from hooklore.memories.dedupe_key import put_into_form
from hooklore.memories.entries import get_entry
from hooklore.memories.proposals import Act, propose, was_rejected
from hooklore.records.record import Record
from hooklore.requests.arguments import KeyArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.shelf import Shelf


def propose_deletion(shelf: Shelf, asked: Asked, given: KeyArguments) -> Response:
    """Propose to delete the entry with a key. Raise HookloreError for a key without one."""
    found = get_entry(asked.reader, given.key, [shelf.place(asked)])
    if found.record.project in asked.who.around:
        raise HookloreError(
            f"could not propose to delete `{given.key}`: it is kept by the superproject",
            fix="ask in the superproject's own folder",
        )
    return _respond(asked, "delete", found.record)


def propose_restoration(shelf: Shelf, asked: Asked, given: KeyArguments) -> Response:
    """Propose to restore the archived entry with a key. Raise HookloreError for none, and for several."""
    records = [each.record for each in shelf.archived(asked)]
    found = [r for r in records if r.dedupe_key == put_into_form(given.key) or r.id == given.key]
    if len(found) != 1:
        cause = f"{len(found)} archived entries have" if found else "no archived entry has"
        raise HookloreError(
            f"could not restore `{given.key}`: {cause} this key",
            fix="list the archive for keys and ids, and name an id",
        )
    return _respond(asked, "restore", found[0])


def _respond(asked: Asked, act: Act, target: Record) -> Response:
    proposal = propose(asked.broker, act, target, asked.who.agent_id, asked.who.session_id)
    if was_rejected(asked.broker, proposal):
        raise HookloreError(
            f"could not propose to {act} `{target.id}`: the user has said no to that already",
            fix="leave it as it is",
        )
    hint = f"a person decides: `hooklore approve {proposal.id}` or `hooklore reject {proposal.id}`"
    content = {"status": "proposed", "proposal": proposal.id, "act": act, "id": target.id}
    return Response(
        success=True, text=f"proposed to {act} {target.id}: it waits\n{hint}",
        content=content, hint=hint,
    )  # fmt: skip
