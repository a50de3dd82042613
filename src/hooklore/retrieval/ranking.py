"""Ranking: what the log holds that answers a question, in order, and how sure that is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from hooklore.broker.broker import Broker
from hooklore.index.question import AnalyzedQuery
from hooklore.index.text import MAX_QUERY_TERMS
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.retrieval import recency, scoring
from hooklore.retrieval.applicability import (
    is_before_cutoff,
    is_for_agent_type,
    is_for_files,
)
from hooklore.retrieval.near_duplicates import is_near_duplicate
from hooklore.retrieval.notes import quotable_text
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.relevance import conversation_gate, gate, memory_gate, semantic_gate
from hooklore.retrieval.shown_history import ShownHistory
from hooklore.retrieval.time.prefilter import may_contain_time

if TYPE_CHECKING:
    from hooklore.retrieval.semantic.semantic_similarity import SemanticComparison
    from hooklore.retrieval.time.expressions import TimeRange

_TIME_QUERY_CANDIDATES = 30
"""Candidates of a question that names a time: what was then may stand below what was said more often."""

_UNKNOWN_TERM = "\x00"
"""A word that no record has."""
_CANDIDATES_PER_SENTENCE = 6
"""Records that a sentence's search brings: ten answer no better, and each is read and compared."""
_CANDIDATES_BEHIND_REPEATS = 30
"""So many when the first ones only repeat the question."""
_MATCHES_PER_SENTENCE = 2
"""Of the notes that a sentence finds, so many, near-duplicates apart, can be shown."""


@dataclass(frozen=True, slots=True)
class _TopMatch:
    """What a sentence finds first: a record, all that say the same, its score and its lead over the rest."""

    record: Record
    same: list[Record]
    score: float
    lead: float


class Ranking:
    """Candidates for a question, scored, and how sure the gate is of each.

    `history` is what was shown, which is not shown again. A subclass may watch every step.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.history = ShownHistory(broker)

    def question(self, text: str) -> AnalyzedQuery:
        """A text as a question of the index."""
        return self._broker.view.question(text)

    def idf(self, term: str) -> float:
        """How rare a term is, as if the store were never small."""
        view = self._broker.view
        return gate.floor_idf(view.idf(term), view.documents)

    def ranked_hits(
        self,
        question: AnalyzedQuery,
        bins: dict[str, float],
        asked: RecallQuery,
        who: Principal,
        limit: int,
        *,
        most: int = MAX_QUERY_TERMS,
    ) -> list[tuple[float, Record]]:
        """(score, record) of what shares words with a question and may be shown, best first."""
        view, terms = self._broker.view, question.terms
        before = asked.before[0] if asked.before else None
        named = self.times(question.text, asked, bins, who)
        taken = max(limit, _TIME_QUERY_CANDIDATES) if named else limit
        near = self._near(question, asked, bins, limit)
        found = self._broker.search(
            terms, bins, who, near.pool if near else taken, before=before, pairs=question.pairs,
            most=most,
        )  # fmt: skip
        found = near.merge_hits(found, who, before) if near else found
        now, how = asked.now or self._broker.now(), self._broker.settings.recall
        hits = [
            (s + scoring.score_bonus(r, terms, view, named), r)
            for s, r in recency.apply_recency_decay(found, now, how.half_life_days)
            if self.is_eligible(r, asked)
        ]
        return sorted(hits, key=recency.make_ranking_key(now, how.importance_floor))[:limit]

    def _near(
        self, question: AnalyzedQuery, asked: RecallQuery, bins: dict[str, float], limit: int
    ) -> "SemanticComparison | None":
        """How near everything is to a prompt, where there are vectors."""
        semantic = self._broker.semantic
        if semantic is None or asked.trigger != "prompt":
            return None
        return semantic.begin(self._broker, question, asked, bins, limit)

    def times(
        self, text: str, asked: RecallQuery, bins: dict[str, float], who: Principal
    ) -> tuple["TimeRange", ...]:
        """The times that a prompt names; few do, so the rules are read when the first one may."""
        if asked.trigger != "prompt" or not may_contain_time(text):
            return ()
        from hooklore.retrieval.time.resolve import resolve_times

        return resolve_times(self._broker, text, asked.now, bins, who)

    def matches_in_time(
        self, asked: RecallQuery, bins: dict[str, float], who: Principal, limit: int
    ) -> list[Record]:
        """What a question of nothing but a time asks for: what was then, the newest first."""
        if not may_contain_time(asked.text):
            return []
        from hooklore.retrieval.time.resolve import records_in_named_time

        found = records_in_named_time(self._broker, asked.text, asked.now, bins, who)
        return list(islice((r for r in found if self.is_eligible(r, asked)), limit))

    def is_eligible(self, record: Record, asked: RecallQuery) -> bool:
        """Not what this session said itself, nor what it was shown already."""
        if record.stream == "observation" and record.session_id == asked.session_id:
            return False
        if not is_for_files(record, asked) or not is_for_agent_type(record, asked.agent_type):
            return False
        return is_before_cutoff(record, asked) and record.id not in self.history.of(asked)

    # ---- how sure

    def confident_matches(
        self,
        part: AnalyzedQuery,
        parts: int,
        bins: dict[str, float],
        asked: RecallQuery,
        who: Principal,
    ) -> Iterator[tuple[float, Record]]:
        """(confidence, record) of the notes that a sentence finds first, with their near-duplicates."""
        found = self._hits_with_novel_terms(part, bins, asked, who)
        near = self._broker.semantic.of(part) if self._broker.semantic is not None else None
        hits = [hit for _, hit in found]
        for first in self._top_matches(found):
            verdict = self._match_features(part, first.record, hits)
            if (
                scoring.is_instruction_prompt(first.record)
                and verdict.coverage >= gate.REPEATED_COVERAGE
            ):
                continue
            close = near.similarity_to(first.record) if near else None
            if close is not None:
                sure = semantic_gate.semantic_confidence(verdict, close, parts)
            else:
                is_timely = self._is_timely(first.record, part, bins, asked, who)
                sure = self._lexical_confidence(verdict, first, part, parts, is_timely=is_timely)
            yield from ((sure, record) for record in first.same)
        if near is not None:
            yield from self._nearest(near, part, parts, hits, asked)

    def _top_matches(self, found: list[tuple[float, Record]]) -> Iterator["_TopMatch"]:
        """The best of what was found, each with its near-duplicates and its lead over the next."""
        view, left = self._broker.view, found
        for _ in range(_MATCHES_PER_SENTENCE):
            if not left or left[0][0] <= 0:
                return
            score, record = left[0]
            own = view.terms_of(record)
            same = [hit for _, hit in left if is_near_duplicate(own, view.terms_of(hit))]
            left = [(s, hit) for s, hit in left if hit not in same]
            yield _TopMatch(record, same, score, 1 - left[0][0] / score if left else 1.0)

    def _lexical_confidence(
        self,
        verdict: gate.MatchFeatures,
        first: "_TopMatch",
        part: AnalyzedQuery,
        parts: int,
        *,
        is_timely: bool,
    ) -> float:
        """How sure the words of a record alone make it."""
        voice = scoring.detect_speaker(first.record, part.terms, self._broker.view)
        if voice.is_talk:
            return conversation_gate.conversation_confidence(
                verdict, first.lead, parts, voice, first.score, is_timely=is_timely
            )
        if first.record.stream == "memory":
            return memory_gate.memory_confidence(verdict, first.lead, parts)
        return gate.lexical_confidence(
            verdict, first.lead, parts, scoring.evidence_weight(first.record), voice
        )

    def _nearest(
        self,
        near: "SemanticComparison",
        part: AnalyzedQuery,
        parts: int,
        hits: list[Record],
        asked: RecallQuery,
    ) -> Iterator[tuple[float, Record]]:
        """The memory that is nearest in meaning, which may share no word with the sentence."""
        record = near.first(lambda hit: self.is_eligible(hit, asked))
        close = near.similarity_to(record) if record is not None else None
        if record is not None and close is not None:
            verdict = self._match_features(part, record, hits)
            yield semantic_gate.semantic_confidence(verdict, close, parts), record

    def _is_timely(
        self,
        record: Record,
        part: AnalyzedQuery,
        bins: dict[str, float],
        asked: RecallQuery,
        who: Principal,
    ) -> bool:
        """Whether a sentence names the time of a record."""
        return any(span.has(record.ts) for span in self.times(part.text, asked, bins, who))

    def _hits_with_novel_terms(
        self, part: AnalyzedQuery, bins: dict[str, float], asked: RecallQuery, who: Principal
    ) -> list[tuple[float, Record]]:
        """What a sentence finds that says more than it: the same prompt of other days is no answer.

        Where such prompts are all that is found first, more is looked at.
        """
        terms, view = set(part.terms), self._broker.view
        for limit in (_CANDIDATES_PER_SENTENCE, _CANDIDATES_BEHIND_REPEATS):
            found = self.ranked_hits(part, bins, asked, who, limit)
            telling = [
                hit
                for hit in found
                if gate.count_novel_terms(view.terms_of(hit[1]), terms) >= gate.MIN_NOVEL_TERMS
            ]
            if telling or not found:
                return telling[:_CANDIDATES_PER_SENTENCE]
        return []

    def _match_features(
        self, part: AnalyzedQuery, note: Record, found: list[Record]
    ) -> gate.MatchFeatures:
        """What a sentence and a note have in common; `found` is all that the sentence found."""
        own = self._broker.view.terms_of(note)
        verdict = gate.compute_match_features(part.terms, own, self.idf, part.parts)
        return replace(
            verdict,
            pairs=len(set(part.pairs) & set(self.question(quotable_text(note)).pairs)),
            names=len(part.names & own),
            unknown_names=self._count_unknown_names(part.text, found),
        )

    def _count_unknown_names(self, part: str, found: list[Record]) -> int:
        """How many names a sentence has that neither the index nor any note found knows."""
        view = self._broker.view
        rarest = view.idf(_UNKNOWN_TERM)
        names = (view.terms(name)[:1] for name in gate.find_capitalized_words(part))
        unknown = [name[0] for name in names if name and view.idf(name[0]) >= rarest]
        return sum(all(name not in view.terms_of(hit) for hit in found) for name in unknown)
