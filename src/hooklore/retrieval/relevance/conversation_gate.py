"""When a turn of a talk between people is shown: it answers with few words of its own.

What two people say to each other shares less with a question than a note that was written to be found;
who said it, and when, tell more. One logistic rule, fitted on three talks and tried on each with the
other two: useful .49, of what is shown .43 right, on other talks' questions .01 (names present).
"""

import math

from hooklore.retrieval.relevance.gate import (
    LENGTH,
    MIN_NOVEL_TERMS,
    THRESHOLD,
    MatchFeatures,
    Speaker,
)

_BASE, _SHARE, _LEAD, _STRANGERS = -13.58, 2.87, 2.72, -1.0
_NAMED, _ASKS, _TIMELY, _SCORE, _WORDS = 0.52, -0.54, 1.84, 2.05, 1.5
"""Weights: its share of the question's words, the lead over the next note, names in the question that
nobody used, whether it names who said this, whether this is a question itself, whether it names the time
of this, the search's score (log), the turn's words (log: a short one says little)."""

_SECOND, _BEHIND = 2.5, 1.2
"""Where one turn is sure another is shown that is at most this much less sure, and so far below the bar."""


def conversation_confidence(
    verdict: MatchFeatures,
    lead: float,
    sentences: int,
    voice: Speaker,
    score: float,
    *,
    is_timely: bool,
) -> float:
    """How sure it is that a turn answers a prompt of so many sentences: shown from `gate.BAR` on.

    `lead` and `score` are the search's, as for `gate.confidence`; `is_timely`: the prompt names its time.
    """
    if not verdict.shared or verdict.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        _BASE
        + _SHARE * verdict.coverage
        + _LEAD * lead
        + _STRANGERS * min(verdict.unknown_names, 2)
        + _NAMED * voice.is_named
        + _ASKS * voice.is_question
        + _TIMELY * is_timely
        + _SCORE * math.log1p(max(score, 0.0))
        + _WORDS * math.log(verdict.words + 1)
        + LENGTH * math.log(sentences)
    )


def is_conversation_runner_up(first: float, sure: float) -> bool:
    """Whether a turn may be shown beside one that is `first` sure."""
    return sure > THRESHOLD - _BEHIND and sure >= first - _SECOND
