"""What is known already of what somebody wants to keep: the same, and nearly the same (seed 000 W-2)."""

from typing import Any

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.index.keys import line_of, statement_digest
from hooklore.memories.scope import place
from hooklore.memories.write_result import Similar
from hooklore.records.access import is_repeat, may_read
from hooklore.records.draft import Draft, Principal
from hooklore.text.similarity import NEAR, is_same, likeness
from hooklore.text.token_estimate import cut

Fields = dict[str, Any]

_CANDIDATES = 12
_TERMS = 8
_SHOWN = 3
_NAMESAKES = 16


def known(broker: Broker, draft: Draft, who: Principal) -> list[Fields]:
    """Memories of the same place that share rare words with this one, and that its writer may see."""
    where = place(broker, draft)
    text = str(draft.fields["body"]["content_md"])
    if not where:
        return []
    terms = broker.view.terms(text)
    bins = [f"memory|{where.removeprefix('project:')}"]
    hits = broker.view.search(terms, bins, _CANDIDATES, most=_TERMS)
    return [r for _, r in hits if may_read(r, who) and r["stream"] == "memory"]


def same(broker: Broker, candidates: list[Fields], draft: Draft, who: Principal) -> Fields | None:
    """The memory that says this already under the same key, or that a person has put an end to."""
    fields = draft.fields
    key, text = fields.get("dedupe_key"), str(fields["body"]["content_md"])
    found = [*_said(broker, draft), *candidates]
    for record in found:
        if record.get("dedupe_key") != key or not is_same(_text(record), text):
            continue
        if not is_repeat(record, fields):
            continue
        enders = {r["kind"] for r in broker.view.lookup(f"gone:{record['id']}", 4)}
        if not enders and (record.get("waits") or versions.stands(broker.view, record)):
            is_kept = record.get("waits") and fields.get("basis") == "user" and who.person
            if not is_kept:
                return record
        if enders & {"tombstone", "approval"} and not who.person:
            return record  # what a person has thrown away does not come back by itself
    return None


def similar(broker: Broker, candidates: list[Fields], draft: Draft) -> tuple[Similar, ...]:
    """The nearest of what stands, for its writer to supersede."""
    text = str(draft.fields["body"]["content_md"])
    named, view = draft.fields.get("supersedes"), broker.view
    found = sorted(
        (
            (likeness(_text(r), text), r)
            for r in candidates
            if r["id"] != named and not view.has(f"gone:{r['id']}") and versions.stands(view, r)
        ),
        key=lambda hit: -hit[0],
    )
    return tuple(
        Similar(r["id"], r.get("dedupe_key"), cut(_text(r), 120), round(score, 2))
        for score, r in found[:_SHOWN]
        if score >= NEAR
    )


def was_said(broker: Broker, draft: Draft) -> bool:
    """Whether these very words were said under this key before."""
    return bool(_said(broker, draft))


def line(broker: Broker, draft: Draft) -> str:
    """The line of versions that a draft would join; empty without a key."""
    where = place(broker, draft)
    if not where:
        return ""
    scope = {"scope": where, "project": None}
    return line_of({**draft.fields, **scope})


def _said(broker: Broker, draft: Draft) -> list[Fields]:
    key, where = draft.fields.get("dedupe_key"), place(broker, draft)
    if not key or not where:
        return []
    digest = statement_digest(str(draft.fields["body"]["content_md"]))
    return broker.view.lookup(f"said:{where}|{key}|{digest}", _NAMESAKES)


def _text(record: Fields) -> str:
    return str(record["body"]["content_md"])
