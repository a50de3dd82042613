"""Match one sentence of a prompt with the notes that it finds, and say how sure each match is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hooklore.broker.principal_reader import Reader
from hooklore.index.question import AnalyzedQuery
from hooklore.memories.pins import places_with_superprojects
from hooklore.prompt.title import title_of
from hooklore.records.record import Record
from hooklore.records.standing import standing_of
from hooklore.retrieval import scoring
from hooklore.retrieval.near_duplicates import is_near_duplicate, text_terms
from hooklore.retrieval.recency import Hit
from hooklore.retrieval.relevance import conversation_gate, gate, plain_bar
from hooklore.retrieval.term_rarity import term_rarities

if TYPE_CHECKING:
    from hooklore.retrieval.semantic.semantic_similarity import SemanticComparison
    from hooklore.retrieval.time.expressions import TimeRange

_UNKNOWN_TERM = "\x00"
"""A term that no record has."""
_MATCHES_PER_SENTENCE = 2
"""Notes of one sentence that can be shown, near-duplicates apart."""

_PASTE_TERMS, _PASTE_SHARE = 12, 0.7
"""A prompt is a repeated paste if it shares at least so many distinct terms with one of another day, and this
share of the shorter one's."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that a sentence found: its score, the terms that it is found by, and those of its text."""

    score: float
    record: Record
    terms: set[str]
    text_terms: set[str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a prompt of `count` sentences, as notes are compared with it.

    `weights` are those of its terms. `unknown_names` counts its names that neither the index nor a
    candidate knows.
    """

    question: AnalyzedQuery
    count: int
    weights: dict[str, float]
    unknown_names: int
    times: tuple["TimeRange", ...]
    memories: int


@dataclass(frozen=True, slots=True)
class TopMatch:
    """The first of a sentence's candidates, its near-duplicates, and its lead over the other candidates."""

    candidate: Candidate
    same: list[Record]
    lead: float


def make_candidate(reader: Reader, hit: Hit) -> Candidate:
    """Return a hit with its terms: those of its title and phrases alone, where only these bring it up."""
    score, record = hit
    terms = label_terms(reader, record) if has_labels_alone(record) else reader.terms_of(record)
    return Candidate(score, record, terms, text_terms(reader, record))


def has_labels_alone(record: Record) -> bool:
    """Return whether nothing but its title and its phrases brings a memory up at a prompt."""
    return record.stream == "memory" and standing_of(record).at_prompt == "labels"


def label_terms(reader: Reader, record: Record) -> set[str]:
    """Return the terms of a memory's title and phrases."""
    return set(reader.terms("\n".join((title_of(record), *record.body.when))))


def novel_candidates(reader: Reader, question: AnalyzedQuery, hits: list[Hit]) -> list[Candidate]:
    """Return the hits that have enough terms beyond those of the question.

    One whose title and phrases alone bring it up, and that shares none with the question, takes no place.
    """
    found = [make_candidate(reader, hit) for hit in hits]
    asked = set(question.terms)
    found = [c for c in found if not (asked.isdisjoint(c.terms) and has_labels_alone(c.record))]
    return [c for c in found if gate.count_novel_terms(c.text_terms, asked) >= gate.MIN_NOVEL_TERMS]


def weigh_sentence(
    reader: Reader,
    question: AnalyzedQuery,
    count: int,
    candidates: list[Candidate],
    times: tuple["TimeRange", ...],
) -> Sentence:
    """Return a sentence with the weights of its terms, and how many of its names nobody knows."""
    parts = question.parts
    weights = gate.weigh_terms(term_rarities(reader, question.terms), parts)
    unknown_names = _count_unknown_names(reader, question.text, candidates)
    memories = reader.count_in(bins_of_memories(reader))
    return Sentence(question, count, weights, unknown_names, times, memories)


def bins_of_memories(reader: Reader) -> list[str]:
    """Return the bins that the reader's memories are in."""
    places = places_with_superprojects(reader.principal)
    return [f"memory|{place.removeprefix('project:')}" for place in places]


def _count_unknown_names(reader: Reader, text: str, candidates: list[Candidate]) -> int:
    """Return how many names of a sentence neither the index nor any candidate knows."""
    words = gate.find_capitalized_words(text)
    if not words:
        return 0
    rarest = reader.idf(_UNKNOWN_TERM)
    names = (reader.terms(word)[:1] for word in words)
    unknown = [name[0] for name in names if name and reader.idf(name[0]) >= rarest]
    return sum(all(name not in c.terms for c in candidates) for name in unknown)


def top_matches(candidates: list[Candidate]) -> list[TopMatch]:
    """Return the best candidates, each with its near-duplicates and its lead over the next candidate."""
    matches: list[TopMatch] = []
    left = candidates
    while left and left[0].score > 0 and len(matches) < _MATCHES_PER_SENTENCE:
        first = left[0]
        near = [c for c in left if is_near_duplicate(first.text_terms, c.text_terms)]
        same = [c for c in near if c is first or not has_labels_alone(c.record)]
        left = [c for c in left if c not in near]
        lead = 1 - left[0].score / first.score if left else 1.0
        matches.append(TopMatch(first, [c.record for c in same], lead))
    return matches


def match_features(sentence: Sentence, note: Candidate) -> gate.MatchFeatures:
    """Return what a sentence and a note have in common."""
    return gate.compute_match_features(
        sentence.weights, note.terms, note.text_terms, sentence.unknown_names
    )


def is_repeated_instruction(record: Record, features: gate.MatchFeatures) -> bool:
    """Return whether a record is an instruction of another day that the sentence only repeats."""
    return features.coverage >= gate.REPEATED_COVERAGE and scoring.is_instruction_prompt(record)


def is_repeated_paste(candidate: Candidate, prompt: set[str]) -> bool:
    """Return whether a prompt of another day is long, and mostly repeated by a prompt of these terms."""
    own = candidate.text_terms
    shared = len(own & prompt)
    return shared >= _PASTE_TERMS and shared >= _PASTE_SHARE * min(len(own), len(prompt))


def match_confidence(
    reader: Reader,
    sentence: Sentence,
    top: TopMatch,
    features: gate.MatchFeatures,
    comparison: "SemanticComparison | None",
) -> float:
    """Return how far a record is above its bar: by meaning where that is known, else by words."""
    record = top.candidate.record
    nearness = None if has_labels_alone(record) else comparison
    similarity = nearness.similarity_to(record) if nearness else None
    if similarity is not None:
        return sure_by_meaning(record, features, similarity)
    speaker = scoring.detect_speaker(record, sentence.question.terms, reader)
    if speaker.is_talk:
        is_timely = any(span.has(record.ts) for span in sentence.times)
        return conversation_gate.conversation_confidence(
            features, top.lead, sentence.count, speaker, top.candidate.score, is_timely=is_timely
        )
    share = plain_bar.share_of_bar(sentence.memories) if record.stream == "memory" else 1.0
    return plain_bar.confidence_by_words(features, scoring.evidence_weight(record), share)


def sure_by_meaning(
    record: Record, features: gate.MatchFeatures, similarity: plain_bar.SemanticSimilarity
) -> float:
    """Return how far a memory is above its bar by its meaning."""
    has_phrases = bool(record.body.when)
    return plain_bar.confidence_by_meaning(features, similarity, has_phrases=has_phrases)
