"""Find the memories around a draft before it is written: the same, nearly the same, or otherwise (seed 000 §5)."""

from collections.abc import Iterable
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.index.record_keys import scope_key, statement_digest, version_line_key
from hooklore.memories.decisions.replacement import RelatedRule, find_related
from hooklore.memories.scope import resolve_place
from hooklore.memories.write_result import NearMemory, RelatedMemory, SimilarMemory
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.prompt.memory_part import tell_part
from hooklore.prompt.title import title_of
from hooklore.records import keys
from hooklore.records.access import may_read, may_reveal_duplicate
from hooklore.records.draft import PERSON, Draft, Principal
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


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The memories around a draft.

    `same` have its key and text, `similar` nearly its text, `near` are the nearest of all. `repeated` is the
    one that the draft repeats. `contradicted` are those that it contradicts, `related` the rules of its place and
    of everywhere that its words end or stand against.
    """

    place: str
    same: list[Record]
    repeated: Record | None
    similar: tuple[SimilarMemory, ...]
    near: tuple[NearMemory, ...]
    contradicted: list[Record]
    related: list[RelatedRule]

    @property
    def related_here(self) -> list[RelatedRule]:
        """The related rules of the draft's own place: a project's rule leaves one for everywhere as it is."""
        return [each for each in self.related if scope_key(each.record) == self.place]


def find_neighbours(broker: Broker, draft: Draft, who: Principal) -> Neighbours:
    """Return the memories around a draft. `who` is told of those that are similar or near."""
    owner, place, key = (
        broker.as_reader(PERSON),
        resolve_place(broker, draft),
        draft.record.dedupe_key,
    )
    # The text as the log would have it: a masked memory is known when it is said again.
    text = redact(_text(draft.record)).text
    same, sharing = list[Record](), list[Record]()
    if place:
        bins = [f"memory|{place.removeprefix('project:')}"]
        hits = owner.search(owner.terms(text), bins, _MAX_CANDIDATES, most=_MAX_TERMS, ended=True)
        sharing = [r for _, r in hits if may_read(r, who) and r.stream == "memory"]
    if place and key:
        same = owner.history(keys.statement(place, key, statement_digest(text)), _MAX_NAMESAKES)
    standing = [
        r
        for r in sharing
        if r.id != draft.record.supersedes and not owner.is_ended(r) and owner.is_current_version(r)
    ]
    placed = in_place(draft.record, place)
    line = version_line_key(placed) if place else ""
    return Neighbours(
        place,
        same,
        _find_repeat(owner, [*same, *sharing], draft.record, text, who),
        _suggest_superseded(standing, text, who),
        tuple(
            NearMemory(r.id, r.dedupe_key, _title(r, who), parse_flag(r.is_private))
            for r in standing[:_MAX_SUGGESTIONS]
        ),
        owner.find_contradicted(
            placed.with_fields(body=placed.body.with_fields(content_md=text))
        ),
        [
            each
            for there in dict.fromkeys((place, "global"))
            for each in find_related(owner, draft.record, there, sharing)
            # A version of the draft's own key is replaced by that.
            if not line or version_line_key(each.record) != line
        ],
    )  # fmt: skip


def in_place(record: Record, place: str) -> Record:
    """Return the record of a draft in its place, which a draft in a folder has not yet."""
    project = place.removeprefix("project:") if place.startswith("project:") else None
    return record.with_fields(scope=place, project=project)


def _find_repeat(
    owner: Reader, known: Iterable[Record], draft: Record, text: str, who: Principal
) -> Record | None:
    """Return a memory with the draft's key and text that stands, or that a person has ended."""
    for record in known:
        if record.dedupe_key != draft.dedupe_key or not is_same_text(_text(record), text):
            continue
        if not may_reveal_duplicate(record, draft):
            continue
        enders = {r.kind for r in owner.history(keys.end_of(record.id), _MAX_ENDERS)}
        if not enders and (record.waits or owner.is_current_version(record)):
            is_confirming = record.waits and draft.basis == "user" and who.person
            if not is_confirming:
                return record
        if enders & {"tombstone", "approval"} and not who.person:
            return record  # an agent must not bring back a memory that a person has ended
    return None


def _suggest_superseded(
    standing: list[Record], text: str, who: Principal
) -> tuple[SimilarMemory, ...]:
    """Return the memories in force that are most similar to a text, for its writer to supersede."""
    scored = [(dice_similarity(_text(r), text), r) for r in standing]
    scored.sort(key=lambda hit: -hit[0])
    return tuple(
        SimilarMemory(
            r.id, r.dedupe_key, _beginning(r, who), round(score, 2), parse_flag(r.is_private)
        )
        for score, r in scored[:_MAX_SUGGESTIONS]
        if score >= SIMILARITY_THRESHOLD
    )


def tell_beside(
    record: Record, who: Principal, earlier: str = "", later: str = ""
) -> RelatedMemory | None:
    """Return what the writer is told of a memory that its own ends or stands against, None if it may not read that.

    Of a rule `earlier` and `later` are the words of both that show it.
    """
    if not may_read(record, who):
        return None
    is_private = parse_flag(record.is_private)
    return RelatedMemory(record.id, _beginning(record, who), earlier, later, private=is_private)


def _text(record: Record) -> str:
    return str(record.body.content_md)


def _beginning(record: Record, who: Principal) -> str:
    text = _text(record)
    is_person = who.person and not who.program
    return truncate_text(text if is_person else tell_part(record, text), _SHOWN)


def _title(record: Record, who: Principal) -> str:
    title = title_of(record)
    is_person = who.person and not who.program
    return sanitize_for_prompt(title) if is_person else tell_part(record, title)
