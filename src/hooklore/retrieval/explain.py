"""Explain why records are recalled for a prompt, and why others are not.

`TracingRanking` is the hooks' own ranking with a note of every step. It ranks, filters and judges
nothing itself.
"""

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from hooklore.broker.broker import Broker
from hooklore.broker.leading import find_leader
from hooklore.broker.principal_reader import Reader
from hooklore.index.question import AnalyzedQuery
from hooklore.index.text import MAX_QUERY_TERMS
from hooklore.index.words import bin_name
from hooklore.records.draft import PERSON, Principal, RecallResult
from hooklore.records.memory_kind import MEMORY_KINDS
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.notes import quotable_text
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.ranking import Candidate, RankedHits, Ranking, SearchScope, Sentence
from hooklore.retrieval.recall import Recall
from hooklore.retrieval.relevance import gate, lexical_threshold
from hooklore.retrieval.time.expressions import TimeRange

if TYPE_CHECKING:
    from hooklore.retrieval.semantic.search import SemanticSearch
    from hooklore.retrieval.semantic.semantic_similarity import SemanticComparison

_ACCESS_CHECK_LIMIT = 50
"""Lexical matches per sentence that are checked for read access."""


class LeftOut(Enum):
    """Reasons for which a candidate is not shown. The value is the message for the user."""

    ENDED = "replaced, ended or expired"
    WAITS = "waits until you approve it"
    ALREADY_SHOWN = "already shown in this session"
    OWN_SESSION = "said in this session"
    FOR_OTHERS = "kept for other files or agents"
    LOW_RANK = "below the first notes of its sentence"
    NOTHING_NEW = (
        "shares no word that counts, says nothing beyond the question, or is a question itself"
    )
    NOT_SPECIFIC = "not specific enough"
    UNUSED = "sessions that were shown it did not use it"
    SESSION_SUMMARY = "sums up a whole session"
    CONTRADICTED = "a newer or higher word contradicts it"
    OUTRANKED = "surer ones are shown"


@dataclass(slots=True)
class RecallCandidate:
    """A record that was looked at, with the parts of its score.

    `words` is the score of the shared words, with similarity in meaning and decay by age where these
    are on. `named`, `asks` and `timely` are added for its author, for being a question, and for its time.
    `gate_confidence` is its distance from its bar, None for a record that was not judged. `unused` is what
    the sessions take off that were shown the record and did not use it. `similarity` is that of a memory in
    meaning, None where words alone decide.
    """

    record: Record
    list_name: str
    sentence: str
    words: float = 0.0
    named: float = 0.0
    asks: float = 0.0
    timely: float = 0.0
    gate_confidence: float | None = None
    unused: float = 0.0
    verdict: gate.MatchFeatures | None = None
    similarity: lexical_threshold.SemanticSimilarity | None = None
    left_out: LeftOut | None = None

    @property
    def score(self) -> float:
        """The sum by which the record is ranked."""
        return self.words + self.named + self.asks + self.timely

    def reason(self, *, with_figures: bool) -> str | None:
        """Return why the record is not shown, None when it is. `with_figures` adds figures and their bar."""
        if self.left_out is None:
            return None
        figures = self._figures() if with_figures else ""
        return f"{self.left_out.value}: {figures}" if figures else str(self.left_out.value)

    def _figures(self) -> str:
        """Return in words how far the record is from its bar, empty where the reason needs no figure."""
        if self.left_out is LeftOut.UNUSED:
            return (
                f"that takes {self.unused:.2f} off {self.gate_confidence or 0.0:.2f} above its bar"
            )
        if self.left_out is not LeftOut.NOT_SPECIFIC:
            return ""
        if self.verdict is None or self.record.kind == "turn":
            return f"{-(self.gate_confidence or 0.0):.2f} below the bar of conversations"
        if self.similarity is not None:
            support = lexical_threshold.support_of_meaning(self.verdict, self.similarity)
            bar = lexical_threshold.meaning_bar(has_phrases=bool(self.record.body.when))
            return (
                f"{self.similarity.steps:.1f} steps nearer in meaning than unrelated texts, and "
                f"{support:.1f} for shared words or its lead, shown from {bar:.1f} on in all"
            )
        weight, share = lexical_threshold.bar_of_note(self.verdict, self.gate_confidence or 0.0)
        most = f" or {share:.0%}" if share <= 1 else ""
        return (
            f"its shared words weigh {self.verdict.bounded_weight:.1f} and are "
            f"{self.verdict.coverage:.0%} of the sentence, shown from {weight:.1f}{most} on"
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """The result of a prompt: candidates, best first, and how many `hidden` ones the reader may not see.

    `found` are the ids of an explicit search, `shown` is the answer of a hook.
    """

    query: RecallQuery
    sentences: tuple[tuple[str, tuple[str, ...]], ...]
    candidates: tuple[RecallCandidate, ...]
    hidden: int
    found: tuple[str, ...]
    shown: RecallResult


def explain_recall(
    broker: Broker,
    query: RecallQuery,
    who: Principal,
    limit: int = 10,
    *,
    to_person: bool = False,
    semantic: "SemanticSearch | None" = None,
) -> Explanation:
    """Return what a prompt finds for `who`, and what a hook would show. Nothing is recorded.

    Records that have been replaced or forgotten are named to the person alone (`to_person`).
    """
    broker.refresh()
    tracing = TracingRanking(broker, semantic, names_ended=to_person)
    recall = Recall(broker, semantic, ranking=tracing)
    found = recall.search(query, who, limit)
    shown = recall.answer(query, who)
    reader = broker.as_reader(who)
    for id_ in shown.ids:
        for record in reader.find(id_)[:1]:
            tracing.note(record, "exact", query.text)
    for record in found:
        tracing.note(record, "", query.text)
    for candidate in tracing.candidates.values():
        candidate.left_out = _why_left_out(candidate, shown, reader)
    # Those that are shown first, then by score.
    ranked = sorted(
        tracing.candidates.values(),
        key=lambda each: (each.left_out is not None, -each.score, quotable_text(each.record)),
    )
    return Explanation(
        query,
        tuple((s, tuple(reader.terms(s))) for s in gate.split_sentences(query.text)),
        tuple(ranked),
        len(tracing.hidden),
        tuple(record.id for record in found),
        shown,
    )


class TracingRanking(Ranking):
    """A ranking that keeps its `candidates` by id, and the ids of records `hidden` from the reader."""

    def __init__(
        self, broker: Broker, semantic: "SemanticSearch | None" = None, *, names_ended: bool
    ) -> None:
        """`names_ended` makes candidates of records that are no longer in force."""
        super().__init__(broker, semantic)
        self._names_ended = names_ended
        self.candidates: dict[str, RecallCandidate] = {}
        self.hidden: set[str] = set()
        self._features: dict[tuple[str, str], gate.MatchFeatures] = {}
        self._comparisons: dict[str, SemanticComparison] = {}

    def note(self, record: Record, list_name: str, sentence: str) -> RecallCandidate:
        """Return the candidate of a record, made at first sight. `list_name` is empty for its own group's list."""
        name = list_name or _group(record)
        return self.candidates.setdefault(record.id, RecallCandidate(record, name, sentence))

    def rank(
        self,
        scope: SearchScope,
        question: AnalyzedQuery,
        limit: int,
        *,
        most: int = MAX_QUERY_TERMS,
    ) -> RankedHits:
        """Rank as the base class does. Hits, and records that the filters removed, become candidates."""
        ranked = super().rank(scope, question, limit, most=most)
        if ranked.comparison is not None:
            self._comparisons[question.text] = ranked.comparison
        for score, record in ranked.hits:
            known = self.candidates.get(record.id)
            if known is None or score > known.score:
                parts = scoring.score_bonuses(record, question.terms, scope.reader, ranked.times)
                own = score - sum(parts)
                scored = RecallCandidate(record, _group(record), question.text, own, *parts)
                self.candidates[record.id] = scored
        self._note_filtered(scope, question, most)
        return ranked

    def _note_filtered(self, scope: SearchScope, question: AnalyzedQuery, most: int) -> None:
        """Note the records that the filters removed: hidden ones by number alone, others with the reason."""
        raw = self._broker.as_reader(PERSON).search(
            question.terms, scope.bins, _ACCESS_CHECK_LIMIT,
            before=scope.query.before_position, pairs=question.pairs, most=most, ended=True,
        )  # fmt: skip
        for score, record in raw:
            if not scope.reader.may_read(record):
                self.hidden.add(record.id)
            elif record.id not in self.candidates:
                reason = self._why_filtered(record, scope)
                if reason is not None:
                    candidate = self.note(record, "", question.text)
                    candidate.words, candidate.left_out = score, reason

    def _why_filtered(self, record: Record, scope: SearchScope) -> LeftOut | None:
        if not scope.reader.is_in_force(record):
            is_open = record.waits is not None and not scope.reader.is_ended(record)
            reason = LeftOut.WAITS if is_open else LeftOut.ENDED
            return reason if self._names_ended else None
        if self.is_eligible(record, scope.query):
            return None
        if record.id in self.history.of(scope.query):
            return LeftOut.ALREADY_SHOWN
        is_said = record.stream == "observation"
        return LeftOut.OWN_SESSION if is_said else LeftOut.FOR_OTHERS

    def confident_matches(
        self, scope: SearchScope, question: AnalyzedQuery, sentence_count: int
    ) -> list[tuple[float, Record]]:
        """Return the matches of the base class. Their candidates keep the confidence of the gate."""
        matches = super().confident_matches(scope, question, sentence_count)
        comparison = self._comparisons.get(question.text)
        for confidence, record in matches:
            known = self.note(record, "", question.text)
            if known.gate_confidence is None or confidence > known.gate_confidence:
                known.gate_confidence, known.sentence = confidence, question.text
                known.verdict = self._features.get((question.text, record.id))
                known.similarity = comparison.similarity_to(record) if comparison else None
        return matches

    def subtract_unused(
        self, matches: list[tuple[float, Record]], session_id: str | None
    ) -> list[tuple[float, Record]]:
        """Return the matches of the base class. Their candidates keep what was taken off."""
        cooled = super().subtract_unused(matches, session_id)
        for (before, record), (after, _) in zip(matches, cooled, strict=True):
            self.note(record, "", "").unused = before - after
        return cooled

    def _match_features(self, sentence: Sentence, note: Candidate) -> gate.MatchFeatures:
        features = super()._match_features(sentence, note)
        self._features[sentence.question.text, note.record.id] = features
        return features


def _group(record: Record) -> str:
    return bin_name(record).partition("|")[0]


def _why_left_out(
    candidate: RecallCandidate, shown: RecallResult, reader: Reader
) -> LeftOut | None:
    if candidate.record.id in shown.ids or candidate.left_out:
        return candidate.left_out
    confidence = candidate.gate_confidence
    if confidence is None:
        is_question = scoring.is_question_to_agent(candidate.record)
        return LeftOut.NOTHING_NEW if is_question else LeftOut.LOW_RANK
    if math.isinf(confidence):
        return LeftOut.NOTHING_NEW
    if confidence <= gate.THRESHOLD:
        return LeftOut.NOT_SPECIFIC
    if candidate.record.kind == "compaction":
        return LeftOut.SESSION_SUMMARY
    if find_leader(reader, candidate.record) is not None:
        return LeftOut.CONTRADICTED
    is_cooled = confidence - candidate.unused <= gate.THRESHOLD
    return LeftOut.UNUSED if is_cooled else LeftOut.OUTRANKED


def kinds_for_trigger(query: RecallQuery) -> tuple[str, ...]:
    """Return the groups or kinds of record that answer a trigger, best first."""
    if query.trigger == "prompt":
        return tuple(scoring.PROMPT_GROUP_WEIGHTS)
    standing = sorted(name for name, kind in MEMORY_KINDS.items() if kind.standing)
    return {
        "before_tool": tuple(standing),
        "failure": ("fix",),
        "session_start": ("pin", "check", *standing, "fix", "session_end", "answer", "title"),
        "agent_start": ("pin", "check", *standing, "fix"),
    }.get(query.trigger, ())


def times_in_prompt(broker: Broker, query: RecallQuery, who: Principal) -> tuple[TimeRange, ...]:
    """Return the times that a prompt names, sentence by sentence."""
    ranking = Ranking(broker)
    reader = broker.as_reader(who)
    scope = ranking.scope(reader, query, scoring.PROMPT_GROUP_WEIGHTS)
    sentences = gate.split_sentences(query.text)
    return tuple(span for text in sentences for span in ranking.named_times(scope, text))
