"""Why something is recalled for a prompt, and why not: the hooks' own ranking, watched (row AU-02).

`Watched` is `Ranking` with a note of every step; it ranks, filters and judges nothing itself.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hooklore.broker.broker import Broker
from hooklore.index.question import AnalyzedQuery
from hooklore.index.text import MAX_QUERY_TERMS
from hooklore.index.words import bin_name
from hooklore.prompt.pin_rule import STANDING_KINDS
from hooklore.records.access import may_read
from hooklore.records.draft import Principal, RecallResult
from hooklore.records.record import Record
from hooklore.retrieval import scoring
from hooklore.retrieval.notes import quotable_text
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.ranking import Ranking
from hooklore.retrieval.recall import Recall
from hooklore.retrieval.relevance import gate
from hooklore.retrieval.time.expressions import TimeRange

_ACCESS_CHECK_LIMIT = 50
"""Of what shares words with a sentence, so many are asked whether the reader may see them."""


@dataclass(slots=True)
class RecallCandidate:
    """A record that was looked at, with what its score is made of.

    `words` is what it shares with the sentence (with its nearness in meaning, and less for its age, where
    these are on), `named`, `asks` and `timely` what its author, its being a question and its time add;
    `score` is their sum. `sure` is the gate's confidence (shown from `gate.BAR` on), None when it was not
    judged; `left_out` says why it is not shown, None when it is.
    """

    record: Record
    list_name: str
    sentence: str
    words: float = 0.0
    named: float = 0.0
    asks: float = 0.0
    timely: float = 0.0
    gate_confidence: float | None = None
    verdict: gate.MatchFeatures | None = None
    left_out: str | None = None

    @property
    def score(self) -> float:
        """What it is ranked by."""
        return self.words + self.named + self.asks + self.timely


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a prompt found: candidates, best first; `hidden` is how many more the reader may not see.

    `found` are the ids of an explicit search, `shown` what a hook shows.
    """

    query: RecallQuery
    sentences: tuple[tuple[str, tuple[str, ...]], ...]
    candidates: tuple[RecallCandidate, ...]
    hidden: int
    found: tuple[str, ...]
    shown: RecallResult


def explain_recall(
    broker: Broker, asked: RecallQuery, who: Principal, limit: int = 10, *, to_person: bool = False
) -> Explanation:
    """What this prompt finds for `who`, and what a hook would show of it. Nothing is recorded.

    What has been replaced or forgotten is named to the person alone (`to_person`).
    """
    broker.refresh()
    watched = TracingRanking(broker, names_ended=to_person)
    recall = Recall(broker, watched)
    found = recall.search(asked, who, limit)
    shown = recall.answer(asked, who)
    for record in found:
        watched.note(record, "", asked.text)
    for id_ in shown.ids:
        for record in broker.view.find(id_)[:1]:
            watched.note(record, "exact", asked.text)
    for candidate in watched.candidates.values():
        candidate.left_out = _left_out(candidate, shown)
    ranked = sorted(watched.candidates.values(), key=_rank)
    return Explanation(
        asked,
        tuple((part, tuple(broker.view.terms(part))) for part in gate.split_sentences(asked.text)),
        tuple(ranked),
        len(watched.hidden),
        tuple(record.id for record in found),
        shown,
    )


class TracingRanking(Ranking):
    """A ranking that keeps what it looked at: `candidates` by id, ids of what is `hidden` from the reader."""

    def __init__(self, broker: Broker, *, names_ended: bool) -> None:
        super().__init__(broker)
        self._names_ended = names_ended
        self.candidates: dict[str, RecallCandidate] = {}
        self.hidden: set[str] = set()
        self._of: dict[tuple[str, str], gate.MatchFeatures] = {}

    def note(self, record: Record, list_name: str, sentence: str) -> RecallCandidate:
        """The candidate that a record is; made at its first sight, of its own list unless one is named."""
        name = list_name or bin_name(record).partition("|")[0]
        return self.candidates.setdefault(record.id, RecallCandidate(record, name, sentence))

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
        """The same; what was found, and what the filters took away, become candidates."""
        hits = super().ranked_hits(question, bins, asked, who, limit, most=most)
        named = self.times(question.text, asked, bins, who)
        for score, record in hits:
            known = self.candidates.get(record.id)
            if known is None or score > known.score:
                self.candidates[record.id] = self._scored(score, record, question, named)
        self._record_filtered_hits(question, bins, asked, who, most)
        return hits

    def _scored(
        self, score: float, record: Record, question: AnalyzedQuery, named: tuple[Any, ...]
    ) -> RecallCandidate:
        voice = scoring.detect_speaker(record, question.terms, self._broker.view)
        found = RecallCandidate(
            record,
            bin_name(record).partition("|")[0],
            question.text,
            named=scoring.AUTHOR_NAMED_BONUS * voice.is_named,
            asks=-scoring.QUESTION_PENALTY * voice.is_question,
            timely=scoring.TIME_MATCH_BONUS * any(span.has(record.ts) for span in named),
        )
        found.words = score - found.score
        return found

    def _record_filtered_hits(
        self,
        question: AnalyzedQuery,
        bins: dict[str, float],
        asked: RecallQuery,
        who: Principal,
        most: int,
    ) -> None:
        """What the filters took away: hidden records by number alone, the others with the reason."""
        before = asked.before[0] if asked.before else None
        raw = self._broker.view.search(
            question.terms,
            bins,
            _ACCESS_CHECK_LIMIT,
            before=before,
            pairs=question.pairs,
            most=most,
        )
        for score, record in raw:
            if not may_read(record, who):
                self.hidden.add(record.id)
            elif record.id not in self.candidates:
                reason = self._filtered(record, asked, who)
                if reason:
                    found = self.note(record, "", question.text)
                    found.words, found.left_out = score, reason

    def _filtered(self, record: Record, asked: RecallQuery, who: Principal) -> str | None:
        if not self._broker.is_in_force(record, who):
            return "replaced, ended or expired" if self._names_ended else None
        if self.is_eligible(record, asked):
            return None
        if record.id in self.history.of(asked):
            return "already shown in this session"
        is_said = record.stream == "observation"
        return "said in this session" if is_said else "kept for other files or agents"

    def confident_matches(
        self, part: AnalyzedQuery, *more: Any, **named: Any
    ) -> Iterator[tuple[float, Record]]:
        """The same; its candidates know how sure the gate is of them."""
        for sure, record in super().confident_matches(part, *more, **named):
            found = self.note(record, "", part.text)
            if found.gate_confidence is None or sure > found.gate_confidence:
                found.gate_confidence, found.sentence = sure, part.text
                found.verdict = self._of.get((part.text, record.id))
            yield sure, record

    def _match_features(
        self, part: AnalyzedQuery, note: Record, *more: Any, **named: Any
    ) -> gate.MatchFeatures:
        verdict = super()._match_features(part, note, *more, **named)
        self._of[part.text, note.id] = verdict
        return verdict


def _left_out(found: RecallCandidate, shown: RecallResult) -> str | None:
    if found.record.id in shown.ids or found.left_out:
        return found.left_out
    if found.gate_confidence is None:
        return "below the first notes of its sentence"
    if math.isinf(found.gate_confidence):
        return "shares no word that counts, or says nothing beyond the question"
    if found.gate_confidence <= gate.THRESHOLD:
        return (
            f"not specific enough: {found.gate_confidence:.2f}, shown from {gate.THRESHOLD:.2f} on"
        )
    return "surer ones are shown"


def _rank(found: RecallCandidate) -> tuple[float, float, str]:
    """What is shown first, then by score, the newest first of those that are alike."""
    return (found.left_out is not None, -found.score, quotable_text(found.record))


def kinds_for_trigger(asked: RecallQuery) -> tuple[str, ...]:
    """The groups or kinds of record that answer a trigger, best first (design §6)."""
    if asked.trigger == "prompt":
        return tuple(scoring.PROMPT_GROUP_WEIGHTS)
    return {
        "before_tool": tuple(sorted(STANDING_KINDS)),
        "failure": ("fix",),
        "session_start": (
            "pin",
            "check",
            *sorted(STANDING_KINDS),
            "fix",
            "session_end",
            "answer",
            "title",
        ),
        "agent_start": ("pin", "check", *sorted(STANDING_KINDS), "fix"),
    }.get(asked.trigger, ())


def times_in_prompt(broker: Broker, asked: RecallQuery, who: Principal) -> tuple[TimeRange, ...]:
    """The times that a prompt names, sentence by sentence."""
    ranking = Ranking(broker)
    bins = scoring.weighted_bins(scoring.PROMPT_GROUP_WEIGHTS, who)
    parts = gate.split_sentences(asked.text)
    return tuple(span for part in parts for span in ranking.times(part, asked, bins, who))
