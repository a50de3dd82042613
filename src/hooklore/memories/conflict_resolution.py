"""Settling a conflict: one side is kept, or both as a comparison (seed 000 C-3, seed 003)."""

from typing import Literal

from hooklore.broker import conflicts
from hooklore.broker.broker import Broker
from hooklore.broker.conflicts import Conflict
from hooklore.broker.fetch import get_record
from hooklore.errors import HookloreError
from hooklore.memories.approval_queue import draft_verdict
from hooklore.records.access import inherit_visibility
from hooklore.records.draft import ACKNOWLEDGED, PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.text.token_estimate import truncate_text

ConflictChoice = Literal["A", "B", "both"]

_OF_THE_RECORD = frozenset(
    "v id ts hash delivery_id natural_key importance supersedes resolves restores warnings".split()
)


def record_missing_conflicts(broker: Broker, records: list[Record]) -> int:
    """Record the conflicts of these memories that nobody recorded (a read found them); how many."""
    drafts = [d for r in records if (d := conflicts.draft_conflict(broker.view, r)) is not None]
    receipts = broker.append(drafts) if drafts else []
    return sum(receipt.status == "stored" for receipt in receipts)


def resolve_conflict(
    broker: Broker, prefix: str, keep: ConflictChoice, who: Principal = PERSON
) -> list[Record]:
    """Settle a conflict; what was appended. What is kept becomes the newest version, confirmed by a
    person; what is not stays as `refuted`, both as a `comparison`. Raises NotFound, HookloreError.
    """
    broker.refresh()
    if not who.person:
        raise HookloreError(
            f"could not resolve `{prefix}`: a person decides it", fix="ask the user to run it"
        )
    conflict = _open(broker, prefix, who)
    drafts = [*_outcome(conflict, keep), _closing(conflict, keep)]
    receipts = broker.append(drafts)
    broker.refresh()
    for receipt in receipts:
        if receipt.status not in ACKNOWLEDGED:
            raise HookloreError(f"could not resolve `{conflict.id}`: {receipt.reason}")
    return [broker.view.find(receipt.id)[0] for receipt in receipts if receipt.id]


def _open(broker: Broker, prefix: str, who: Principal) -> Conflict:
    record = get_record(broker, prefix, who)
    found = (
        conflicts.load_conflict(broker.view, record)
        if record.kind == "conflict_resolution"
        else None
    )
    if found is None:
        raise HookloreError(
            f"could not resolve `{record.id}`: it is no open conflict",
            fix="run `hooklore conflicts`",
        )
    return found


def _outcome(conflict: Conflict, keep: ConflictChoice) -> list[Draft]:
    a, b = conflict.a, conflict.b
    if keep == "both":
        return [_made(conflict, "comparison", _compared(a, b))]
    kept, lost = (a, b) if keep == "A" else (b, a)
    refuted = _made(conflict, "refuted", _refuted(kept, lost))
    if conflict.key is None:
        return [_superseded(conflict, lost), refuted]
    return [_again(conflict, kept), refuted]


def _again(conflict: Conflict, kept: Record) -> Draft:
    """The version that is kept, appended again, as confirmed by a person: the newest id wins."""
    return Draft(kept.without(*_OF_THE_RECORD).with_fields(
        v=SCHEMA_VERSION, supersedes=conflict.b.id, resolves=conflict.id,
        restates=kept.id, approved_by="person", delivery_id=f"{conflict.id}.kept",
    ))  # fmt: skip


def _superseded(conflict: Conflict, lost: Record) -> Draft:
    return Draft.of(
        v=SCHEMA_VERSION, stream="control", kind="supersede", agent_id="person",
        scope=conflict.record.scope, basis="user",
        source={"system": "cli", "detail": "resolve"}, body=Body.of(targets=[lost.id]),
    )  # fmt: skip


def _made(conflict: Conflict, kind: str, text: str) -> Draft:
    names = ("role", "project", "scope", "session_id", "visibility", "is_private")
    fields = {name: conflict.b.extra(name) for name in names}
    sides = [conflict.a, conflict.b]
    body = Body(
        {
            "text": text,
            "sources": [r.id for r in sides],
            "about": conflict.key or conflict.subject,
        }
    )
    made = Record.of(
        **fields, v=SCHEMA_VERSION, stream="synthesis", kind=kind, agent_id="person",
        basis="user", source={"system": "cli", "detail": "resolve"}, body=body,
        delivery_id=f"{conflict.id}.{kind}",
    )  # fmt: skip
    return Draft(inherit_visibility(made, sides))


def _closing(conflict: Conflict, keep: ConflictChoice) -> Draft:
    return draft_verdict(conflict.record, "resolve", [conflict.id], keep=keep)


def _compared(a: Record, b: Record) -> str:
    return f"Approach A {_context(a)}: {_said(a)}\nApproach B {_context(b)}: {_said(b)}"


def _refuted(kept: Record, lost: Record) -> str:
    return f"Refuted {_context(lost)}: {_said(lost)}\nWhat holds: {_said(kept)}"


def _context(record: Record) -> str:
    """Who said it, when, and where."""
    parts = [record.agent_id, record.ts[:10]]
    parts += [str(record.extra(name)) for name in ("branch", "run_id") if record.extra(name)]
    return f"({', '.join(parts)})"


def _said(record: Record) -> str:
    return truncate_text(str(record.body.content_md), 600)
