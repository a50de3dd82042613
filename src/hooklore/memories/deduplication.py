"""Find the memories that say the same as a draft, or nearly the same, before it is written (seed 000 §5)."""

import itertools
from collections.abc import Iterable, Iterator

from hooklore.broker.principal_reader import Reader
from hooklore.index.record_keys import statement_digest, version_line_key
from hooklore.memories.decisions.replacement import RelatedRule
from hooklore.memories.write_result import NearMemory, RelatedMemory, SimilarMemory
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.prompt.memory_part import tell_part
from hooklore.prompt.title import title_of
from hooklore.records import keys
from hooklore.records.access import may_read, may_reveal_duplicate
from hooklore.records.draft import Draft, Principal
from hooklore.records.record import Record, parse_flag
from hooklore.redaction import redact
from hooklore.text.similarity import SIMILARITY_THRESHOLD, dice_similarity, is_same_text
from hooklore.text.token_estimate import truncate_text

_MAX_CANDIDATES = 12
_MAX_TERMS = 8
_MAX_SUGGESTIONS = 3
_MAX_NAMESAKES = 16
_MAX_ENDERS = 4
_SHOWN = 120


def find_similar_memories(owner: Reader, draft: Draft, place: str, who: Principal) -> list[Record]:
    """Return memories of the draft's place, ended or not, that share rare words and that `who` may read."""
    if not place:
        return []
    terms = owner.terms(_redacted_text(draft))
    bins = [f"memory|{place.removeprefix('project:')}"]
    hits = owner.search(terms, bins, _MAX_CANDIDATES, most=_MAX_TERMS, ended=True)
    return [r for _, r in hits if may_read(r, who) and r.stream == "memory"]


def find_same_statements(owner: Reader, draft: Draft, place: str) -> list[Record]:
    """Return the memories of the draft's place with exactly its key and text, ended or not."""
    key = draft.record.dedupe_key
    if not key or not place:
        return []
    digest = statement_digest(_redacted_text(draft))
    return owner.history(keys.statement(place, key, digest), _MAX_NAMESAKES)


def find_repeat(
    owner: Reader, candidates: list[Record], draft: Draft, who: Principal
) -> Record | None:
    """Return a memory with the draft's key and text that stands, or that a person has ended."""
    key, text = draft.record.dedupe_key, _redacted_text(draft)
    for record in candidates:
        if record.dedupe_key != key or not is_same_text(_text(record), text):
            continue
        if not may_reveal_duplicate(record, draft.record):
            continue
        enders = {r.kind for r in owner.history(keys.end_of(record.id), _MAX_ENDERS)}
        if not enders and (record.waits or owner.is_current_version(record)):
            is_confirming = record.waits and draft.record.basis == "user" and who.person
            if not is_confirming:
                return record
        if enders & {"tombstone", "approval"} and not who.person:
            return record  # an agent must not bring back a memory that a person has ended
    return None


def suggest_superseded(
    owner: Reader, candidates: list[Record], draft: Draft, who: Principal
) -> tuple[SimilarMemory, ...]:
    """Return the memories in force that are most similar to a draft, for its writer to supersede.

    `who` is told of them.
    """
    text, named = _redacted_text(draft), draft.record.supersedes
    found = sorted(
        (
            (dice_similarity(_text(r), text), r)
            for r in candidates
            if r.id != named and not owner.is_ended(r) and owner.is_current_version(r)
        ),
        key=lambda hit: -hit[0],
    )
    return tuple(
        SimilarMemory(r.id, r.dedupe_key, _beginning(r, who), round(score, 2), _is_private(r))
        for score, r in found[:_MAX_SUGGESTIONS]
        if score >= SIMILARITY_THRESHOLD
    )


def find_nearest(
    owner: Reader, candidates: list[Record], draft: Draft, who: Principal
) -> tuple[NearMemory, ...]:
    """Return the three standing memories whose words are nearest to a draft's, best first.

    `who` is told of them.
    """
    named = draft.record.supersedes
    standing = (
        r
        for r in candidates
        if r.id != named and not owner.is_ended(r) and owner.is_current_version(r)
    )
    return tuple(
        NearMemory(r.id, r.dedupe_key, _title(r, who), _is_private(r))
        for r in itertools.islice(standing, _MAX_SUGGESTIONS)
    )


def find_contradicted(owner: Reader, draft: Draft, place: str) -> list[Record]:
    """Return the standing memories of the draft's place that it contradicts by its words, or by name."""
    body = draft.record.body.with_fields(content_md=_redacted_text(draft))
    project = place.removeprefix("project:") if place.startswith("project:") else None
    return owner.find_contradicted(
        draft.record.with_fields(scope=place, project=project, body=body)
    )


def is_on_line(record: Record, draft: Draft, place: str) -> bool:
    """Return whether a memory is a version of the draft's own key, which replaces it by that."""
    line = version_line(draft, place)
    return bool(line) and version_line_key(record) == line


def tell_related(related: RelatedRule, who: Principal) -> RelatedMemory | None:
    """Return what the writer is told of a related rule, None if it may not read that."""
    record = related.record
    if not may_read(record, who):
        return None
    words = (related.earlier, related.later)
    return RelatedMemory(record.id, _beginning(record, who), *words, private=_is_private(record))


def tell_contradicted(records: Iterable[Record], who: Principal) -> Iterator[RelatedMemory]:
    """Yield what the writer is told of the memories that its own contradicts, those that it may read."""
    for record in records:
        if may_read(record, who):
            yield RelatedMemory(record.id, _beginning(record, who), private=_is_private(record))


def version_line(draft: Draft, place: str) -> str:
    """Return the key of the version line that a draft would join in its place, or "" without a key."""
    if not place or not draft.record.dedupe_key:
        return ""
    return version_line_key(draft.record.with_fields(scope=place, project=None))


def _redacted_text(draft: Draft) -> str:
    """Return the text of a draft as the log would have it: a masked memory is known when it is said again."""
    return redact(_text(draft.record)).text


def _text(record: Record) -> str:
    return str(record.body.content_md)


def _beginning(record: Record, who: Principal) -> str:
    text = _text(record)
    return truncate_text(text if _is_person(who) else tell_part(record, text), _SHOWN)


def _title(record: Record, who: Principal) -> str:
    title = title_of(record)
    return sanitize_for_prompt(title) if _is_person(who) else tell_part(record, title)


def _is_person(who: Principal) -> bool:
    return who.person and not who.program


def _is_private(record: Record) -> bool:
    return parse_flag(record.is_private)
