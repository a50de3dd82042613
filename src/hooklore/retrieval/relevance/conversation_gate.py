"""Gate the turns of a talk between people, which answer a question with few words of their own.

A turn shares fewer words with a question than a note that was written to be found. Its speaker and its
time tell more. One logistic rule, fitted on three talks and cross-validated: useful .49, precision .43,
shown for questions of other talks .01 (names present).
"""

import math

from hooklore.retrieval.relevance.gate import MIN_NOVEL_TERMS, THRESHOLD, MatchFeatures, Speaker

_BASE = -13.13
_COVERAGE = 2.87
_LEAD = 2.72
_UNKNOWN_NAMES = -1.0
"""Weight of each name in the question that nobody here ever used, of at most two."""
_SPEAKER_NAMED = 0.52
_QUESTION = -0.54
"""Weight of a turn that is a question itself."""
_TIMELY = 1.84
"""Weight of a turn whose time the question names."""
_SCORE = 2.05
"""Weight of the search's score (log)."""
_WORDS = 1.5
"""Weight of the turn's words (log): a short turn says little."""
_LENGTH = -0.33
"""Weight of the number of sentences (log): chances of a false hit add up."""

_SECOND, _BEHIND = 2.5, 1.2
"""A second turn may be this much less sure than the first, and this far below the threshold."""


def conversation_confidence(
    features: MatchFeatures,
    lead: float,
    sentence_count: int,
    speaker: Speaker,
    score: float,
    *,
    is_timely: bool,
) -> float:
    """Return the confidence that a turn answers a prompt of `sentence_count` sentences.

    A turn is shown above `gate.THRESHOLD`. `score` is that of the search, `lead` the share by which it
    exceeds the next turn's. `is_timely` is true when the prompt names the time of the turn.
    """
    if not features.shared or features.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        _BASE
        + _COVERAGE * features.coverage
        + _LEAD * lead
        + _UNKNOWN_NAMES * min(features.unknown_names, 2)
        + _SPEAKER_NAMED * speaker.is_named
        + _QUESTION * speaker.is_question
        + _TIMELY * is_timely
        + _SCORE * math.log1p(max(score, 0.0))
        + _WORDS * math.log(features.words + 1)
        + _LENGTH * math.log(sentence_count)
    )


def is_conversation_runner_up(first: float, confidence: float) -> bool:
    """Return whether a turn may be shown beside a turn of the confidence `first`."""
    return confidence > THRESHOLD - _BEHIND and confidence >= first - _SECOND
