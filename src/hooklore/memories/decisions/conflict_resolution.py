"""Record conflicts that a read finds, and settle them by a person's choice (seed 000 §7, seed 003)."""

from typing import Literal

from hooklore.broker.broker import Broker
from hooklore.broker.conflicts import Conflict
from hooklore.broker.fetch import get_record
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.memories.append import append_all
from hooklore.memories.control_draft import draft_control, draft_verdict
from hooklore.memories.decisions.authorization import require_person
from hooklore.records import keys
from hooklore.records.access import inherit_visibility
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.text.token_estimate import truncate_text

ConflictChoice = Literal["A", "B", "both"]

_MAX_OPEN = 20
_MAX_QUOTE_LENGTH = 600
_NOT_RESTATED = frozenset(
    "v id ts hash delivery_id natural_key importance supersedes resolves restores warnings".split()
)
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
    broker.refresh()
    require_person(who, "resolve", prefix)
    reader = broker.as_reader(who)
    conflict = _get_open_conflict(reader, prefix)
    receipts = append_all(
        broker,
        [*_draft_outcome(conflict, keep), _draft_closing(conflict, keep)],
        lambda reason: HookloreError(f"could not resolve `{conflict.id}`: {reason}"),
    )
    broker.refresh()
    return [reader.find(receipt.id)[0] for receipt in receipts if receipt.id]


def _get_open_conflict(reader: Reader, prefix: str) -> Conflict:
    record = get_record(reader, prefix)
    found = _open_conflicts_of(reader, record)
    if len(found) == 1:
        return found[0]
    cause = f"it is a side of {len(found)} conflicts" if found else "it is no open conflict"
    raise HookloreError(f"could not resolve `{record.id}`: {cause}", fix="run `hooklore conflicts`")


def _open_conflicts_of(reader: Reader, record: Record) -> list[Conflict]:
    """Return the conflict that a record tells of, or those of which a memory is a side."""
    is_side = record.stream == "memory"
    told = reader.history(keys.conflict_with(record.id), _MAX_OPEN) if is_side else [record]
    found = (reader.load_conflict(each) for each in told if each.kind == "conflict_resolution")
    return [conflict for conflict in found if conflict is not None]


def _draft_outcome(conflict: Conflict, keep: ConflictChoice) -> list[Draft]:
    a, b = conflict.a, conflict.b
    if keep == "both":
        return [_draft_synthesis(conflict, "comparison", _describe_both(a, b))]
    kept, lost = (a, b) if keep == "A" else (b, a)
    refuted = _draft_synthesis(conflict, "refuted", _describe_refuted(kept, lost))
    if conflict.key is None:
        return [_draft_superseded(conflict, lost), refuted]
    return [_draft_kept(conflict, kept), refuted]


def _draft_kept(conflict: Conflict, kept: Record) -> Draft:
    """Return the draft of a new version with the kept side's text: the newest id wins."""
    return Draft(kept.without(*_NOT_RESTATED).with_fields(
        v=SCHEMA_VERSION, supersedes=conflict.b.id, resolves=conflict.id,
        restates=kept.id, approved_by="person", delivery_id=f"{conflict.id}.kept",
    ))  # fmt: skip


def _draft_superseded(conflict: Conflict, lost: Record) -> Draft:
    body = Body.of(targets=[lost.id])
    return draft_control("supersede", conflict.record.scope, body, detail="resolve")


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


def _draft_closing(conflict: Conflict, keep: ConflictChoice) -> Draft:
    return draft_verdict(conflict.record, "resolve", [conflict.id], keep=keep)


def _describe_both(a: Record, b: Record) -> str:
    return f"Approach A {_context(a)}: {_quote(a)}\nApproach B {_context(b)}: {_quote(b)}"


def _describe_refuted(kept: Record, lost: Record) -> str:
    return f"Refuted {_context(lost)}: {_quote(lost)}\nWhat holds: {_quote(kept)}"


def _context(record: Record) -> str:
    """Return a memory's agent, day, branch and run in parentheses."""
    parts = [record.agent_id, record.ts[:10]]
    parts += [str(record.extra(name)) for name in ("branch", "run_id") if record.extra(name)]
    return f"({', '.join(parts)})"


def _quote(record: Record) -> str:
    return truncate_text(str(record.body.content_md), _MAX_QUOTE_LENGTH)
