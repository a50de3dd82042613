"""Record conflicts that a read finds, and settle them by a person's choice (seed 000 §7, seed 003)."""

from typing import Literal

from hooklore.broker.broker import Broker
from hooklore.broker.conflicts import Conflict
from hooklore.errors import HookloreError
from hooklore.memories.append import OF_ONE_LINE, append_all
from hooklore.memories.control_draft import draft_control, draft_verdict
from hooklore.memories.decisions.authorization import get_decided
from hooklore.records import keys
from hooklore.records.access import inherit_visibility
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.text.token_estimate import truncate_text

ConflictChoice = Literal["A", "B", "both"]

_MAX_OPEN = 20
_MAX_QUOTE_LENGTH = 600
_NOT_RESTATED = OF_ONE_LINE | {"v", "importance", "supersedes", "resolves", "restores"}
"""Fields that the confirmed copy of the kept side does not take over."""


def record_missing_conflicts(broker: Broker, records: list[Record]) -> int:
    """Record the conflicts of memories that no write recorded, and return how many were new.

    A write misses a conflict when its process dies, or when the other side came with another log.
    """
    drafts = [draft for record in records for draft in broker.draft_conflicts(record)]
    receipts = broker.append(drafts) if drafts else []
    return sum(receipt.status == "stored" for receipt in receipts)


def resolve_conflict(
    broker: Broker, prefix: str, keep: ConflictChoice, who: Principal = PERSON
) -> list[Record]:
    """Settle a conflict and return the records that say so.

    The kept side becomes the newest version, confirmed by a person. The other side stays as a
    `refuted` record. With `both`, a `comparison` quotes the two. Raise NotFound or HookloreError.
    """
    reader, record = get_decided(broker, prefix, who, "resolve")
    # The record tells of a conflict, or is a side of some.
    is_side = record.stream == "memory"
    told = reader.history(keys.conflict_with(record.id), _MAX_OPEN) if is_side else [record]
    found = [reader.load_conflict(each) for each in told if each.kind == "conflict_resolution"]
    open_ = [conflict for conflict in found if conflict is not None]
    if len(open_) != 1:
        cause = f"it is a side of {len(open_)} conflicts" if open_ else "it is no open conflict"
        raise HookloreError(
            f"could not resolve `{record.id}`: {cause}", fix="run `hooklore conflicts`"
        )
    conflict = open_[0]
    closing = draft_verdict(conflict.record, "resolve", [conflict.id], keep=keep)
    receipts = append_all(
        broker,
        [*_draft_outcome(conflict, keep), closing],
        lambda reason: HookloreError(f"could not resolve `{conflict.id}`: {reason}"),
    )
    broker.refresh()
    return [reader.find(receipt.id)[0] for receipt in receipts if receipt.id]


def _draft_outcome(conflict: Conflict, keep: ConflictChoice) -> list[Draft]:
    a, b = conflict.a, conflict.b
    if keep == "both":
        text = f"Approach A {_context(a)}: {_quote(a)}\nApproach B {_context(b)}: {_quote(b)}"
        return [_draft_synthesis(conflict, "comparison", text)]
    kept, lost = (a, b) if keep == "A" else (b, a)
    text = f"Refuted {_context(lost)}: {_quote(lost)}\nWhat holds: {_quote(kept)}"
    refuted = _draft_synthesis(conflict, "refuted", text)
    if conflict.key is None:
        body = Body.of(targets=[lost.id])
        ended = draft_control("supersede", conflict.record.scope, body, detail="resolve")
        return [ended, refuted]
    # A new version has the kept side's text: the newest id wins.
    version = kept.without(*_NOT_RESTATED).with_fields(
        v=SCHEMA_VERSION, supersedes=conflict.b.id, resolves=conflict.id,
        restates=kept.id, approved_by="person", delivery_id=f"{conflict.id}.kept",
    )  # fmt: skip
    return [Draft(version), refuted]


def _draft_synthesis(conflict: Conflict, kind: str, text: str) -> Draft:
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


def _context(record: Record) -> str:
    """Return a memory's agent, day, branch and run in parentheses."""
    parts = [record.agent_id, record.ts[:10]]
    parts += [str(record.extra(name)) for name in ("branch", "run_id") if record.extra(name)]
    return f"({', '.join(parts)})"


def _quote(record: Record) -> str:
    return truncate_text(str(record.body.content_md), _MAX_QUOTE_LENGTH)
