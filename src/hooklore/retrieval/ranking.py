"""Rank the records that answer a question, and say how sure the match of each is."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.index.question import AnalyzedQuery
from hooklore.index.text import MAX_QUERY_TERMS
from hooklore.records.draft import PERSON
from hooklore.records.record import Record
from hooklore.retrieval import recency, scoring
from hooklore.retrieval.applicability import (
    is_before_cutoff,
    is_for_agent_type,
    is_for_files,
    is_loaded_by_client,
)
from hooklore.retrieval.cooldown import unused_penalty
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.recency import Hit
from hooklore.retrieval.relevance import gate
from hooklore.retrieval.search_scope import SearchScope
from hooklore.retrieval.sentence_match import (
    Candidate,
    Sentence,
    has_labels_alone,
    is_repeated_instruction,
    is_repeated_paste,
    make_candidate,
    match_confidence,
    match_features,
    novel_candidates,
    sure_by_meaning,
    top_matches,
    weigh_sentence,
)
from hooklore.retrieval.shown_history import ShownHistory
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

_KEPT_GROUPS = ("memory", "fix")
_SAME_SHARE = 0.5
"""The share of a question's terms from which a prompt that has them asked for the same."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class RankedHits:
    """The hits of a question, best first, with the times that it names and its semantic comparison."""

    hits: list[Hit]
    times: tuple["TimeRange", ...]
    comparison: "SemanticComparison | None"


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
        comparison = self._compare(scope, question, limit)
        found = _search(scope, question, comparison.pool if comparison else pool, most)
        if comparison is not None:
            found = comparison.merge_hits(found, scope.query.before_position)
        hits = self._order(scope, question, found, times)
        return RankedHits(_first_and_kept(hits, limit, _record_of_hit), times, comparison)

    def _compare(
        self, scope: SearchScope, question: AnalyzedQuery, limit: int
    ) -> "SemanticComparison | None":
        """Return how near records are to a prompt in meaning, where there are vectors."""
        if self._semantic is None or scope.query.trigger != "prompt":
            return None
        return self._semantic.compare(scope.reader, question, scope.query, scope.bins, limit)

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
            (score + scoring.score_bonus(record, question.terms, scope.reader, times), record)
            for score, record in recency.apply_recency_decay(found, now, settings.half_life_days)
            if self.is_eligible(record, scope.query)
        ]
        hits = sorted(hits, key=recency.make_ranking_key(now, settings.importance_floor))
        if scope.query.trigger != "prompt":
            return hits
        # A question put to an agent never stands above what may be the answer to it.
        return sorted(hits, key=lambda hit: scoring.is_question_to_agent(hit[1]))

    def named_times(self, scope: SearchScope, text: str) -> tuple["TimeRange", ...]:
        """Return the times that a prompt names. Few prompts do, so the rules are imported for those only."""
        if scope.query.trigger != "prompt" or not may_contain_time(text):
            return ()
        from hooklore.retrieval.time.resolve import asker_time, resolve_times

        now = asker_time(scope.query.now, scope.now)
        return resolve_times(scope.reader, text, now, scope.bins)

    def matches_in_time(self, scope: SearchScope, limit: int) -> list[Record]:
        """Return the records of the time that a query names, if it names no subject, the newest first."""
        if not may_contain_time(scope.query.text):
            return []
        from hooklore.retrieval.time.resolve import asker_time, records_in_named_time

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
        if not candidates and ranked.comparison is None:
            return []
        sentence = weigh_sentence(scope.reader, question, sentence_count, candidates, ranked.times)
        matches: list[tuple[float, Record]] = []
        kept = [c for c in candidates if _is_kept(c.record)]
        said = [c for c in candidates if not _is_kept(c.record)] if kept else candidates
        for top in (*top_matches(kept), *top_matches(said)):
            features = self._match_features(sentence, top.candidate)
            if not is_repeated_instruction(top.candidate.record, features):
                sure = match_confidence(scope.reader, sentence, top, features, ranked.comparison)
                matches += [(sure, record) for record in top.same]
        if ranked.comparison is not None:
            matches += self._nearest_matches(scope, sentence, ranked.comparison)
        return matches

    def subtract_unused(
        self, matches: list[tuple[float, Record]], session_id: str | None
    ) -> list[tuple[float, Record]]:
        """Return the matches, each less sure by what other sessions take off that did not use its record."""
        owner = self._broker.as_reader(PERSON)
        return [
            (sure - unused_penalty(owner, record, session_id), record) for sure, record in matches
        ]

    def _find_candidates(
        self, scope: SearchScope, question: AnalyzedQuery
    ) -> tuple[list[Candidate], RankedHits]:
        """Return the candidates of a sentence that say more than the sentence does.

        The same prompt of another day is no answer, and no question to an agent is one. Where such prompts are
        all that is found first, a second search brings more.
        """
        ranked = self.rank(scope, question, _CANDIDATES_PER_SENTENCE)
        found = novel_candidates(scope.reader, question, _answers(ranked.hits))
        if ranked.hits and not found:
            ranked = self.rank(scope, question, _CANDIDATES_BEHIND_REPEATS)
            found = novel_candidates(scope.reader, question, _answers(ranked.hits))
        found = [
            c
            for c in found
            if c.record.kind != "prompt" or not is_repeated_paste(c, scope.prompt_terms)
        ]
        return _first_and_kept(found, _CANDIDATES_PER_SENTENCE, _record_of_candidate), ranked

    def _nearest_matches(
        self, scope: SearchScope, sentence: Sentence, comparison: "SemanticComparison"
    ) -> list[tuple[float, Record]]:
        """Return the memories that are nearest in meaning, which may share no word with the sentence."""
        found: list[tuple[float, Record]] = []
        for record in comparison.nearest_memories():
            similarity = comparison.similarity_to(record)
            if similarity is None or has_labels_alone(record):
                continue
            if self.is_eligible(record, scope.query):
                note = make_candidate(scope.reader, (0.0, record))
                features = self._match_features(sentence, note)
                found.append((sure_by_meaning(record, features, similarity), record))
        return found

    def _match_features(self, sentence: Sentence, note: Candidate) -> gate.MatchFeatures:
        """Return what a sentence and a note have in common."""
        return match_features(sentence, note)


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
    if scope.query.trigger == "prompt" and not _asks_again(scope.reader, question, found):
        return found
    known = {record.id for _, record in found}
    return [*found, *(hit for hit in find(kept) if hit[1].id not in known)]


def _asks_again(reader: Reader, question: AnalyzedQuery, found: list[Hit]) -> bool:
    """Return whether a prompt among the hits has most of a question's terms: it asked for the same."""
    asked = set(question.terms)
    prompts = (record for _, record in found if record.kind == "prompt")
    return any(len(asked & reader.terms_of(r)) >= _SAME_SHARE * len(asked) for r in prompts)


def _first_and_kept(
    found: list[Found], limit: int, record_of: Callable[[Found], Record]
) -> list[Found]:
    """Return the first `limit` of what was found, and up to `limit` memories and fixes behind them."""
    if len(found) <= limit:
        return found
    kept = [n for n, each in enumerate(found) if _is_kept(record_of(each))]
    places = {*range(limit), *kept[:limit]}
    return [each for n, each in enumerate(found) if n in places]


def _is_kept(record: Record) -> bool:
    """Return whether a record was kept for later: a memory or a fix, not what was only said.

    Only these are searched under a group of `_KEPT_GROUPS`. A prompt asks it of each record that it finds.
    """
    stream = record.stream
    return stream == "memory" or (stream == "synthesis" and record.kind == "fix")


def _record_of_hit(hit: Hit) -> Record:
    return hit[1]


def _record_of_candidate(candidate: Candidate) -> Record:
    return candidate.record


def _answers(hits: list[Hit]) -> list[Hit]:
    """Return the hits that may answer: a question that was put to an agent never does."""
    return [hit for hit in hits if not scoring.is_question_to_agent(hit[1])]
