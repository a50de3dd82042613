"""Write a memory as the word of whoever says it: the one way of commands and requests."""

from dataclasses import replace
from typing import cast

from hooklore.broker.broker import Broker
from hooklore.memories.agent_word import as_said_by, own_scope
from hooklore.memories.backing_session import backed_writer, find_latest_session
from hooklore.memories.claims import WORDS, Claim, ClaimRefused, writer_of
from hooklore.memories.labels import fit_labels
from hooklore.memories.readers import limit_readers
from hooklore.memories.scope import address_event
from hooklore.memories.write_gate import refuse_secrets, remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.redaction.private_parts import without_private_in


def write_as(
    broker: Broker,
    event: Record,
    who: Principal,
    folder: ProjectKeys | None,
    *,
    is_strict: bool = False,
) -> WriteResult:
    """Write an event of `who`, who works in `folder`. The event's basis, if any, is the writer's claim.

    Its labels are put into form once nothing secret is in them, but with `is_strict`, as seed 000 has it.
    Raise RecordInvalid for an event of another form, ClaimRefused for a claim that its writer may not make, and
    HookloreError for a scope or a session that is not the writer's.
    """
    event = Record(without_private_in(dict(event.to_json()))[0])
    left_out: tuple[str, ...] = ()
    if not is_strict:
        # First, for a key in our form, or a title that is cut, hides what it was.
        refused = refuse_secrets(event)
        if refused is not None:
            return refused
        event, left_out = fit_labels(own_scope(who, event))
    event = limit_readers(broker.as_reader(PERSON), event, who)
    claim = cast("Claim", event.basis if isinstance(event.basis, str) else "")
    word = WORDS[writer_of(who)].get(claim, "inferred")  # another basis is the schema's to refuse
    if word == "refused":
        raise ClaimRefused(claim, who)
    if word == "relayed":
        who = backed_writer(broker, who, str(event.extra("content_md")))
    if who.session_id is None and not (who.person or who.is_self_named):
        event = event.with_fields(run_id=find_latest_session(broker, who) or event.run_id)
    said, keys = address_event(as_said_by(who, event), folder)
    return replace(remember(broker, said.to_json(), who, keys, word=word), left_out=left_out)
