"""Write a memory as the word of whoever says it: the one way of commands and requests."""

from typing import cast

from hooklore.broker.broker import Broker
from hooklore.memories.agent_word import as_said_by
from hooklore.memories.backing_session import backed_writer, find_latest_session
from hooklore.memories.claims import WORDS, Claim, ClaimRefused, writer_of
from hooklore.memories.scope import address_event
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import Principal, ProjectKeys
from hooklore.records.record import Record


def write_as(
    broker: Broker, event: Record, who: Principal, folder: ProjectKeys | None
) -> WriteResult:
    """Write an event of `who`, who works in `folder`. The event's basis, if any, is the writer's claim.

    Raise RecordInvalid for an event of another form, ClaimRefused for a claim that its writer may not make,
    and HookloreError for a scope that is not the writer's.
    """
    claim = cast("Claim", event.basis if isinstance(event.basis, str) else "")
    word = WORDS[writer_of(who)].get(claim, "inferred")  # another basis is the schema's to refuse
    if word == "refused":
        raise ClaimRefused(claim, who)
    if word == "relayed":
        who = backed_writer(broker, who, str(event.extra("content_md")))
    if who.session_id is None and not (who.person or who.is_self_named):
        event = event.with_fields(run_id=find_latest_session(broker, who) or event.run_id)
    said, keys = address_event(as_said_by(who, event), folder)
    return remember(broker, said.to_json(), who, keys, word=word)
