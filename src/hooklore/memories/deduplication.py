"""What is known already of what somebody wants to keep: the same, and nearly the same (seed 000 W-2)."""

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.index.record_keys import statement_digest, version_line_key
from hooklore.memories.scope import resolve_place
from hooklore.memories.write_result import SimilarMemory
from hooklore.records import keys
from hooklore.records.access import may_read, may_reveal_duplicate
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Record
from hooklore.text.similarity import SIMILARITY_THRESHOLD, dice_similarity, is_same_text
from hooklore.text.token_estimate import truncate_text

_CANDIDATES = 12
_TERMS = 8
_SHOWN = 3
_NAMESAKES = 16


def find_similar_memories(broker: Broker, draft: Draft, who: Principal) -> list[Record]:
    """Memories of the same place that share rare words with this one, and that its writer may see."""
    where = resolve_place(broker, draft)
    text = _text(draft.record)
    if not where:
        return []
    terms = broker.view.terms(text)
    bins = [f"memory|{where.removeprefix('project:')}"]
    hits = broker.view.search(terms, bins, _CANDIDATES, most=_TERMS)
    return [r for _, r in hits if may_read(r, who) and r.stream == "memory"]


def find_repeat(
    broker: Broker, candidates: list[Record], draft: Draft, who: Principal
) -> Record | None:
    """The memory that says this already under the same key, or that a person has put an end to."""
    key, text = draft.record.dedupe_key, _text(draft.record)
    found = [*_said(broker, draft), *candidates]
    for record in found:
        if record.dedupe_key != key or not is_same_text(_text(record), text):
            continue
        if not may_reveal_duplicate(record, draft.record):
            continue
        enders = {r.kind for r in broker.view.lookup(keys.end_of(record.id), 4)}
        if not enders and (record.waits or versions.is_current_version(broker.view, record)):
            is_kept = record.waits and draft.record.basis == "user" and who.person
            if not is_kept:
                return record
        if enders & {"tombstone", "approval"} and not who.person:
            return record  # what a person has thrown away does not come back by itself
    return None


def suggest_superseded(
    broker: Broker, candidates: list[Record], draft: Draft
) -> tuple[SimilarMemory, ...]:
    """The nearest of what stands, for its writer to supersede."""
    text = _text(draft.record)
    named, view = draft.record.supersedes, broker.view
    found = sorted(
        (
            (dice_similarity(_text(r), text), r)
            for r in candidates
            if r.id != named
            and not view.has(keys.end_of(r.id))
            and versions.is_current_version(view, r)
        ),
        key=lambda hit: -hit[0],
    )
    return tuple(
        SimilarMemory(r.id, r.dedupe_key, truncate_text(_text(r), 120), round(score, 2))
        for score, r in found[:_SHOWN]
        if score >= SIMILARITY_THRESHOLD
    )


def was_stated_before(broker: Broker, draft: Draft) -> bool:
    """Whether these very words were said under this key before."""
    return bool(_said(broker, draft))


def version_line(broker: Broker, draft: Draft) -> str:
    """The line of versions that a draft would join; empty without a key."""
    where = resolve_place(broker, draft)
    if not where:
        return ""
    return version_line_key(draft.record.with_fields(scope=where, project=None))


def _said(broker: Broker, draft: Draft) -> list[Record]:
    key, where = draft.record.dedupe_key, resolve_place(broker, draft)
    if not key or not where:
        return []
    digest = statement_digest(_text(draft.record))
    return broker.view.lookup(keys.statement(where, key, digest), _NAMESAKES)


def _text(record: Record) -> str:
    return str(record.body.content_md)
