"""Settle an answer once it is known whether it arrived: only what an agent was shown counts as shown."""

from hooklore.broker import Broker
from hooklore.hooks import marks
from hooklore.hooks.pending import Pending
from hooklore.records.draft import Draft
from hooklore.records.record import Body
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.retrieval.query import RecallQuery, context_key
from hooklore.retrieval.recall import Recall


def settle_answer(
    broker: Broker, memory: Recall, pending: Pending, *, has_arrived: bool
) -> list[Draft]:
    """Return the records to append now that an answer has, or has not, reached its agent.

    Notes that did not arrive count as never shown. The brief of a session's start is owed then.
    """
    event = pending.event
    is_start = event.event == "session_start"
    if has_arrived and not event.is_unheard:
        if is_start or pending.brings_brief:
            marks.settle_brief(broker.place, event.session_id)
        return pending.afterwards
    for shown in pending.shown:
        memory.withdraw(*shown)
    return _owe_brief(broker, memory, pending) if is_start else []


def _owe_brief(broker: Broker, memory: Recall, pending: Pending) -> list[Draft]:
    """Return the record of a brief that did not arrive, unless a prompt has brought it already."""
    event, place = pending.event, broker.place
    if not pending.is_late:
        marks.owe_brief(place, event.session_id)
    elif not marks.owes_brief(place, event.session_id):
        return []
    query = RecallQuery(event.event, event.session_id, event.subagent_id)
    if event.forgets:
        memory.forget_session(query)
    missed = Body.of(
        targets=[], tokens=0, trigger=event.event, context=context_key(query), delivered=False,
        fresh=event.forgets,
    )  # fmt: skip
    return [
        Draft.of(
            pending.keys, v=SCHEMA_VERSION, stream="control", kind="access",
            delivery_id=f"{pending.delivery.id}.missed", agent_id=event.agent_id,
            session_id=event.session_id, run_id=event.session_id, visibility="session",
            source={"system": "cli", "detail": "recall"}, body=missed,
        )
    ]  # fmt: skip
