"""What waits for a person: unconfirmed, inferred or high-stake memories (seed 000 W-0, row AC-22)."""

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record
from hooklore.errors import HookloreError, NotFound, RecordInvalid
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import ACKNOWLEDGED, PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION

_MOST = 1_000
_OF_THE_WAITING = frozenset(
    "v id ts hash delivery_id natural_key waits warnings importance supersedes created_at".split()
)
"""Fields that a confirmed version does not take over."""


def list_pending(broker: Broker, who: Principal = PERSON, limit: int = _MOST) -> list[Record]:
    """What waits and may be seen, newest first. Agents are told of nothing that is not confirmed."""
    if not who.person:
        return []
    found = broker.view.lookup(keys.ALL_WAITING, _MOST)
    return [r for r in found if may_read(r, who) and not _is_answered(broker, r)][:limit]


def approve(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Confirm what waits: its confirmed version is appended and takes its place. That version.

    Raises NotFound, or HookloreError for what does not wait, or may not be confirmed.
    """
    waiting = _waiting(broker, prefix, who, "approve")
    standing_now = versions.latest_active_version(broker.view, version_line_key(waiting))
    named = standing_now.id if standing_now is not None else _still(broker, waiting)
    approved = waiting.without(*_OF_THE_WAITING).with_fields(
        v=SCHEMA_VERSION,
        confidence="high",
        approves=waiting.id,
        supersedes=named,
        approved_by="person",
        delivery_id=f"{waiting.id}.approved",
    )
    if waiting.trust:
        raise HookloreError(
            f"could not approve `{waiting.id}`: its text gives orders to agents",
            fix=f"say it in your own words, then `hooklore reject {waiting.id}`",
        )
    return append_draft(broker, Draft(approved))


def reject(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Say no to what waits: it is gone, and the same words do not come back by themselves. It."""
    waiting = _waiting(broker, prefix, who, "reject")
    append_draft(broker, draft_verdict(waiting, "reject", [waiting.id]))
    return waiting


def draft_verdict(about: Record, verdict: str, targets: list[str], **more: object) -> Draft:
    """A person's answer to something: what it is about waits, or is open, no longer."""
    return Draft.of(
        v=SCHEMA_VERSION,
        stream="control",
        kind="approval",
        agent_id="person",
        scope=about.scope,
        project=about.project,
        basis="user",
        source={"system": "cli", "detail": verdict},
        body=Body({"targets": targets, "verdict": verdict, **more}),
    )


def _waiting(broker: Broker, prefix: str, who: Principal, verb: str) -> Record:
    broker.refresh()
    if not who.person:
        raise HookloreError(
            f"could not {verb} `{prefix}`: a person decides it", fix="ask the user to run it"
        )
    record = get_record(broker, prefix, who)
    if not record.waits or _is_answered(broker, record):
        raise HookloreError(
            f"could not {verb} `{record.id}`: it does not wait", fix="run `hooklore pending`"
        )
    return record


def is_in_places(record: Record, places: list[str]) -> bool:
    """Whether a memory belongs to one of these places."""
    return scope_key(record) in places


def _is_answered(broker: Broker, record: Record) -> bool:
    return broker.view.has(keys.end_of(record.id))


def _still(broker: Broker, waiting: Record) -> str | None:
    """What it named as superseded, if that is still there to be."""
    named = waiting.supersedes
    if not named or broker.view.has(keys.end_of(named)) or not broker.view.find(str(named)):
        return None
    return str(named)


def append_draft(broker: Broker, draft: Draft) -> Record:
    """The record of a draft, appended now or before. Raises RecordInvalid, NotFound, HookloreError."""
    receipt = broker.append([draft])[0]
    if receipt.status == "refused":
        raise RecordInvalid([receipt.reason or "no reason is known"])
    if receipt.status not in ACKNOWLEDGED:
        raise HookloreError(f"could not append to the log: {receipt.reason}")
    broker.refresh()
    if receipt.id is None:
        raise NotFound("the record: it waits in the spool")
    return broker.view.find(receipt.id)[0]
