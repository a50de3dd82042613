"""Rank the records that answer a question, and say how sure the match of each is.

Each sentence of a prompt is matched with the notes that it finds. `TracingRanking` notes every step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.index.question import AnalyzedQuery
from hooklore.index.text import MAX_QUERY_TERMS
from hooklore.late_pattern import compile_late
from hooklore.memories.pins import places_with_superprojects
from hooklore.prompt.title import title_of
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.records.standing import standing_of
from hooklore.retrieval import result_order, scoring
from hooklore.retrieval.applicability import (
    is_before_cutoff,
    is_for_agent_type,
    is_for_files,
    is_loaded_by_client,
)
from hooklore.retrieval.near_duplicates import is_near_duplicate, text_terms
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.relevance import conversation_gate, gate, lexical_threshold
from hooklore.retrieval.result_order import Hit
from hooklore.retrieval.shown_history import UNUSED_PENALTY, ShownHistory, count_unused_showings
from hooklore.retrieval.time.prefilter import may_contain_time

if TYPE_CHECKING:
    from hooklore.retrieval.semantic.search import SemanticSearch
    from hooklore.retrieval.semantic.semantic_similarity import SemanticComparison
    from hooklore.retrieval.time.expressions import TimeRange

_TIME_QUERY_CANDIDATES = 30
"""Candidates of a question that names a time: records of that time may rank below frequent topics."""

_CANDIDATES_PER_SENTENCE = 6
"""Records that a sentence's search brings: ten answer no better, and each is read and compared."""
_CANDIDATES_BEHIND_REPEATS = 30
"""Records that a second search brings when those of the first only repeat the question."""

_MATCHES_PER_SENTENCE = 2
"""Notes of one sentence that can be shown, near-duplicates apart."""

_KEPT_GROUPS = ("memory", "fix")
_SAME_SHARE = 0.5
"""The share of a question's terms from which a prompt that has them asked for the same."""

_PASTE_TERMS, _PASTE_SHARE = 12, 0.7
"""A prompt is a repeated paste if it shares at least so many distinct terms with one of another day, and this
share of the shorter one's."""

_UNKNOWN_TERM = "\x00"
"""A term that no record has."""
_CAPITALIZED = compile_late(r"(?<![.!?。:])\s([A-Z][A-Za-z]+)\b")
"""The capitalised words of a sentence, but for the first word: names, mostly."""


@dataclass(frozen=True)
class SearchScope:
    """One query and its reader, the bins that answer it, and the time (RFC 3339, UTC) at which it is asked.

    `bins` has the weight of a score in each bin.
    """

    reader: Reader
    query: RecallQuery
    bins: dict[str, float]
    now: str

    @cached_property
    def prompt_terms(self) -> set[str]:
        """The distinct terms of the query's sentences."""
        return set(self.reader.terms("\n".join(gate.split_sentences(self.query.text))))


@dataclass(frozen=True, slots=True)
class RankedHits:
    """The hits of a question, best first, with the times that it names and its semantic comparison."""

    hits: list[Hit]
    times: tuple["TimeRange", ...]
    comparison: "SemanticComparison | None"


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
    candidate knows. `memories` counts those that the reader has.
    """

    question: AnalyzedQuery
    count: int
    weights: dict[str, float]
    unknown_names: int
    times: tuple["TimeRange", ...]
    memories: int


class Ranking:
    """Ranks the candidates of a question, and says how sure the gates are of each.

    `history` knows what was shown, which is not shown again. A subclass may observe every step.
    """

    def __init__(self, broker: Broker, semantic: "SemanticSearch | None" = None) -> None:
        """`semantic` adds the search by meaning, where the extra is installed."""
        self._broker = broker
        self._semantic = semantic
        self.history = ShownHistory(broker)

    def scope(self, reader: Reader, query: RecallQuery, groups: dict[str, float]) -> SearchScope:
        """Return the scope of the reader's bins of `groups`, each with its weight."""
        bins = scoring.weighted_bins(groups, reader.principal)
        return SearchScope(reader, query, bins, self._broker.now())

    def rank(
        self,
        scope: SearchScope,
        question: AnalyzedQuery,
        limit: int,
        *,
        most: int = MAX_QUERY_TERMS,
    ) -> RankedHits:
        """Return `limit` records that share words with a question and may be shown, best first.

        Memories and fixes that rank below are added up to `limit` of their own: what was said before never
        takes their place. At most `most` terms of the question are searched for.
        """
        times = self.named_times(scope, question.text)
        pool = max(limit, _TIME_QUERY_CANDIDATES) if times else limit
        comparison = None
        if self._semantic is not None and scope.query.trigger == "prompt":
            comparison = self._semantic.compare(
                scope.reader, question, scope.query, scope.bins, limit
            )
        found = _search(scope, question, comparison.pool if comparison else pool, most)
        if comparison is not None:
            found = comparison.merge_hits(found, scope.query.before_position)
        hits = self._order(scope, question, found, times)
        places = _first_and_kept([record for _, record in hits], limit)
        return RankedHits([hits[n] for n in places], times, comparison)

    def _order(
        self,
        scope: SearchScope,
        question: AnalyzedQuery,
        found: list[Hit],
        times: tuple["TimeRange", ...],
    ) -> list[Hit]:
        """Return the hits that may be shown, with what author, form, time and age change of their scores."""
        now = scope.query.now or scope.now
        settings = self._broker.settings.recall
        hits = [
            (
                score + sum(scoring.score_bonuses(record, question.terms, scope.reader, times)),
                record,
            )
            for score, record in result_order.apply_recency_decay(
                found, now, settings.half_life_days
            )
            if self.is_eligible(record, scope.query)
        ]
        hits = sorted(hits, key=result_order.make_ranking_key(now, settings.importance_floor))
        if scope.query.trigger != "prompt":
            return hits
        # A question put to an agent never stands above what may be the answer to it.
        return sorted(hits, key=lambda hit: scoring.is_question_to_agent(hit[1]))

    def named_times(self, scope: SearchScope, text: str) -> tuple["TimeRange", ...]:
        """Return the times that a prompt names. Few prompts do, so the rules are imported for those only."""
        if scope.query.trigger != "prompt" or not may_contain_time(text):
            return ()
        from hooklore.retrieval.time.expressions import asker_time, resolve_times

        now = asker_time(scope.query.now, scope.now)
        return resolve_times(scope.reader, text, now, scope.bins)

    def matches_in_time(self, scope: SearchScope, limit: int) -> list[Record]:
        """Return the records of the time that a query names, if it names no subject, the newest first."""
        if not may_contain_time(scope.query.text):
            return []
        from hooklore.retrieval.time.expressions import asker_time, records_in_named_time

        now = asker_time(scope.query.now, scope.now)
        found = records_in_named_time(scope.reader, scope.query.text, now, scope.bins)
        return list(islice((r for r in found if self.is_eligible(r, scope.query)), limit))

    def is_eligible(self, record: Record, query: RecallQuery) -> bool:
        """Return whether a record applies to a query, and its session neither said nor was shown it."""
        if record.stream == "observation" and record.session_id == query.session_id:
            return False
        if not is_for_files(record, query) or not is_for_agent_type(record, query.agent_type):
            return False
        if is_loaded_by_client(record, query):
            return False
        return is_before_cutoff(record, query) and record.id not in self.history.of(query)

    # ---- confidence

    def confident_matches(
        self, scope: SearchScope, question: AnalyzedQuery, sentence_count: int
    ) -> list[tuple[float, Record]]:
        """Return (confidence, record) of the notes that a sentence finds first, near-duplicates too.

        `question` is one of the `sentence_count` sentences of a prompt.
        """
        candidates, ranked = self._find_candidates(scope, question)
        comparison = ranked.comparison
        if not candidates and comparison is None:
            return []
        sentence = _weigh_sentence(scope.reader, question, sentence_count, candidates, ranked.times)
        matches: list[tuple[float, Record]] = []
        kept = [c for c in candidates if _is_kept(c.record)]
        said = [c for c in candidates if not _is_kept(c.record)] if kept else candidates
        for first, same, lead in (*_top_matches(kept), *_top_matches(said)):
            features = self._match_features(sentence, first)
            # An instruction of another day that the sentence only repeats answers nothing.
            is_repeated = features.coverage >= gate.REPEATED_COVERAGE
            if not (is_repeated and scoring.is_instruction_prompt(first.record)):
                sure = _confidence(
                    scope.reader, sentence, first, features, lead=lead, comparison=comparison
                )
                matches += [(sure, record) for record in same]
        if comparison is not None:
            matches += self._match_nearest(scope, sentence, comparison)
        return matches

    def _match_nearest(
        self, scope: SearchScope, sentence: Sentence, comparison: "SemanticComparison"
    ) -> list[tuple[float, Record]]:
        """Return (confidence, record) of the memories nearest in meaning: they may share no word with it."""
        matches: list[tuple[float, Record]] = []
        for record in comparison.nearest_memories():
            similarity = comparison.similarity_to(record)
            if similarity is None or has_labels_alone(record):
                continue
            if self.is_eligible(record, scope.query):
                note = _make_candidate(scope.reader, (0.0, record))
                features = self._match_features(sentence, note)
                sure = lexical_threshold.confidence_by_meaning(
                    features, similarity, has_phrases=bool(record.body.when)
                )
                matches.append((sure, record))
        return matches

    def subtract_unused(
        self, matches: list[tuple[float, Record]], session_id: str | None
    ) -> list[tuple[float, Record]]:
        """Return the matches, each less sure by what other sessions take off that did not use its record."""
        owner = self._broker.as_reader(PERSON)
        return [
            (sure - UNUSED_PENALTY * count_unused_showings(owner, record, session_id), record)
            for sure, record in matches
        ]

    def _find_candidates(
        self, scope: SearchScope, question: AnalyzedQuery
    ) -> tuple[list[Candidate], RankedHits]:
        """Return the candidates of a sentence that say more than the sentence does.

        The same prompt of another day is no answer, and no question to an agent is one. Where such prompts are
        all that is found first, a second search brings more.
        """
        for limit in (_CANDIDATES_PER_SENTENCE, _CANDIDATES_BEHIND_REPEATS):
            ranked = self.rank(scope, question, limit)
            found = _novel_candidates(scope.reader, question, ranked.hits)
            if found or not ranked.hits:
                break
        found = [
            c for c in found if c.record.kind != "prompt" or not _is_paste(c, scope.prompt_terms)
        ]
        places = _first_and_kept([c.record for c in found], _CANDIDATES_PER_SENTENCE)
        return [found[n] for n in places], ranked

    def _match_features(self, sentence: Sentence, note: Candidate) -> gate.MatchFeatures:
        return gate.compute_match_features(
            sentence.weights, note.terms, note.text_terms, sentence.unknown_names
        )


def has_labels_alone(record: Record) -> bool:
    """Return whether nothing but its title and its phrases brings a memory up at a prompt."""
    return record.stream == "memory" and standing_of(record).at_prompt == "labels"


def _search(scope: SearchScope, question: AnalyzedQuery, limit: int, most: int) -> list[Hit]:
    """Return the hits of a question, with memories and fixes of their own where all `limit` hits are others.

    The prompts by which somebody asked for the same before have more of its words than the answer has. At a
    prompt memories are looked for apart only where such prompts are among the hits: a search is dear there.
    """

    def find(bins: dict[str, float]) -> list[Hit]:
        return scope.reader.search(
            question.terms, bins, limit,
            before=scope.query.before_position, pairs=question.pairs, most=most,
        )  # fmt: skip

    found = find(scope.bins)
    if len(found) < limit or any(_is_kept(record) for _, record in found):
        return found
    kept = {name: w for name, w in scope.bins.items() if name.partition("|")[0] in _KEPT_GROUPS}
    if len(kept) in (0, len(scope.bins)):
        return found
    asked = set(question.terms)
    if scope.query.trigger == "prompt" and not any(
        len(asked & scope.reader.terms_of(record)) >= _SAME_SHARE * len(asked)
        for _, record in found
        if record.kind == "prompt"
    ):
        return found
    known = {record.id for _, record in found}
    return [*found, *(hit for hit in find(kept) if hit[1].id not in known)]


def _first_and_kept(found: list[Record], limit: int) -> Sequence[int]:
    """Return the places of the first `limit` records, and of up to `limit` memories and fixes behind them."""
    if len(found) <= limit:
        return range(len(found))
    kept = [n for n, record in enumerate(found) if _is_kept(record)]
    return sorted({*range(limit), *kept[:limit]})


def _is_kept(record: Record) -> bool:
    """Return whether a record was kept for later: a memory or a fix, not what was only said.

    Only these are searched under a group of `_KEPT_GROUPS`. A prompt asks it of each record that it finds.
    """
    stream = record.stream
    return stream == "memory" or (stream == "synthesis" and record.kind == "fix")


def _make_candidate(reader: Reader, hit: Hit) -> Candidate:
    """Return a hit with its terms: those of its title and phrases alone, where only these bring it up."""
    score, record = hit
    if has_labels_alone(record):
        terms = set(reader.terms("\n".join((title_of(record), *record.body.when))))
    else:
        terms = reader.terms_of(record)
    return Candidate(score, record, terms, text_terms(reader, record))


def _novel_candidates(reader: Reader, question: AnalyzedQuery, hits: list[Hit]) -> list[Candidate]:
    """Return the hits that have enough terms beyond those of the question, and are no question to an agent.

    One whose title and phrases alone bring it up, and that shares none with the question, takes no place.
    """
    asked = set(question.terms)
    answers = (hit for hit in hits if not scoring.is_question_to_agent(hit[1]))
    return [
        c
        for c in (_make_candidate(reader, hit) for hit in answers)
        if not (asked.isdisjoint(c.terms) and has_labels_alone(c.record))
        and gate.count_novel_terms(c.text_terms, asked) >= gate.MIN_NOVEL_TERMS
    ]


def _is_paste(candidate: Candidate, prompt: set[str]) -> bool:
    """Return whether a prompt of another day is long, and mostly repeated by a prompt of these terms."""
    own = candidate.text_terms
    shared = len(own & prompt)
    return shared >= _PASTE_TERMS and shared >= _PASTE_SHARE * min(len(own), len(prompt))


def _weigh_sentence(
    reader: Reader,
    question: AnalyzedQuery,
    count: int,
    candidates: list[Candidate],
    times: tuple["TimeRange", ...],
) -> Sentence:
    """Return a sentence with the weights of its terms, and how many of its names nobody knows."""
    weights = gate.weigh_terms(gate.term_rarities(reader, question.terms), question.parts)
    unknown_names = 0
    if words := _CAPITALIZED.findall(question.text):
        rarest = reader.idf(_UNKNOWN_TERM)
        for name in (reader.terms(word)[:1] for word in words):
            is_unknown = bool(name) and reader.idf(name[0]) >= rarest
            unknown_names += is_unknown and all(name[0] not in c.terms for c in candidates)
    places = places_with_superprojects(reader.principal)
    memories = reader.count_in([f"memory|{place.removeprefix('project:')}" for place in places])
    return Sentence(question, count, weights, unknown_names, times, memories)


def _top_matches(candidates: list[Candidate]) -> list[tuple[Candidate, list[Record], float]]:
    """Return the best candidates, each with its near-duplicates and its lead over the next candidate."""
    matches: list[tuple[Candidate, list[Record], float]] = []
    left = candidates
    while left and left[0].score > 0 and len(matches) < _MATCHES_PER_SENTENCE:
        first = left[0]
        near = [c for c in left if is_near_duplicate(first.text_terms, c.text_terms)]
        same = [c for c in near if c is first or not has_labels_alone(c.record)]
        left = [c for c in left if c not in near]
        lead = 1 - left[0].score / first.score if left else 1.0
        matches.append((first, [c.record for c in same], lead))
    return matches


def _confidence(
    reader: Reader,
    sentence: Sentence,
    note: Candidate,
    features: gate.MatchFeatures,
    *,
    lead: float,
    comparison: "SemanticComparison | None",
) -> float:
    """Return how far a record is above its bar: by meaning where that is known, else by words."""
    record = note.record
    nearness = None if has_labels_alone(record) else comparison
    similarity = nearness.similarity_to(record) if nearness else None
    if similarity is not None:
        return lexical_threshold.confidence_by_meaning(
            features, similarity, has_phrases=bool(record.body.when)
        )
    speaker = scoring.detect_speaker(record, sentence.question.terms, reader)
    if speaker.is_talk:
        is_timely = any(span.has(record.ts) for span in sentence.times)
        return conversation_gate.conversation_confidence(
            features, lead, sentence.count, speaker, note.score, is_timely=is_timely
        )
    evidence = scoring.evidence_weight(record)
    if record.stream != "memory":
        return lexical_threshold.confidence_by_words(features, evidence)
    return lexical_threshold.confidence_by_words(features, evidence, sentence.memories)
