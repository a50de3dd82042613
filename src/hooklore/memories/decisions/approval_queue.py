"""List and answer the memories that wait for a person: unconfirmed, inferred or high-stake (seed 000 §5)."""

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.memories.append import OF_ONE_LINE, append_draft
from hooklore.memories.control_draft import draft_verdict
from hooklore.memories.decisions.authorization import get_decided
from hooklore.memories.decisions.proposals import carry_out, find_proposal
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.records.standing import rung_of

_MAX_WAITING = 1_000
NOT_INHERITED = OF_ONE_LINE | frozenset("v waits importance supersedes created_at restores".split())
"""Fields that a confirmed version does not take over from the waiting one."""


def list_pending(reader: Reader, limit: int = _MAX_WAITING) -> list[Record]:
    """Return the memories that wait, newest first. An agent gets none: it must not rely on them."""
    if not reader.principal.person:
        return []
    found = reader.history(keys.ALL_WAITING, _MAX_WAITING)
    return [record for record in found if not reader.is_ended(record)][:limit]


def count_readable_pending(reader: Reader, places: list[str] | None = None) -> int:
    """Return how many memories wait that the reader may know of, in these places or, with None, everywhere.

    An agent is told their number alone. A private one, and one for others, is not counted.
    """
    found = reader.history(keys.ALL_WAITING, _MAX_WAITING)
    waiting = (record for record in found if not reader.is_ended(record))
    return sum(places is None or is_in_places(record, places) for record in waiting)


def approve(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Append the confirmed version of a memory that waits or stands as another's word, and return that version.

    Of a proposal, carry it out, and return the record that came of it. Raise NotFound, or HookloreError for a
    record that is the user's already or may not be confirmed.
    """
    waiting = _get_waiting(broker, prefix, who, "approve", or_below_the_user=True)
    proposal = find_proposal(broker, waiting, who)
    if proposal is not None:
        return carry_out(broker, proposal, who)
    if waiting.trust:
        raise HookloreError(
            f"could not approve `{waiting.id}`: its text gives orders to agents",
            fix=f"say it in your own words, then `hooklore reject {waiting.id}`",
        )
    # The confirmed version stands in the place of what is current now, else of what the memory named, unless
    # that has ended.
    reader, named = broker.as_reader(who), str(waiting.supersedes or "")
    current = reader.latest_active_version(version_line_key(waiting))
    is_active = named and not reader.has(keys.end_of(named)) and reader.find(named)
    approved = waiting.without(*NOT_INHERITED).with_fields(
        v=SCHEMA_VERSION,
        confidence="high",
        approves=waiting.id,
        supersedes=current.id if current is not None else named if is_active else None,
        approved_by="person",
        delivery_id=f"{waiting.id}.approved",
    )
    return append_draft(broker, Draft(approved))


def reject(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """End a waiting memory or proposal and return it. An agent cannot bring the same back."""
    waiting = _get_waiting(broker, prefix, who, "reject")
    append_draft(broker, draft_verdict(waiting, "reject", [waiting.id]))
    return waiting


def is_in_places(record: Record, places: list[str]) -> bool:
    """Return whether a memory belongs to one of these places."""
    return scope_key(record) in places


def _get_waiting(
    broker: Broker, prefix: str, who: Principal, verb: str, *, or_below_the_user: bool = False
) -> Record:
    reader, record = get_decided(broker, prefix, who, verb)
    is_waiting = bool(record.waits) or find_proposal(broker, record, who) is not None
    is_raised = or_below_the_user and record.stream == "memory" and rung_of(record) != "user"
    if not (is_waiting or (is_raised and reader.is_in_force(record))) or reader.is_ended(record):
        raise HookloreError(
            f"could not {verb} `{record.id}`: it does not wait", fix="run `hooklore pending`"
        )
    return record
