"""Gate notes on what was said to an agent, by the words that they share with a sentence.

One logistic rule, fitted on several sets at once. Memories and talks have gates of their own.
"""

import math

from hooklore.retrieval.relevance.gate import (
    MIN_NOVEL_TERMS,
    UNKNOWN_SPEAKER,
    MatchFeatures,
    Speaker,
)

_BASE = -8.62
_WEIGHT = 1.96
"""Weight of the shared words (log)."""
_COVERAGE = 1.67
_LEAD = 1.5
_RAREST = 0.1
LENGTH = -0.33
"""Weight of the number of sentences (log): chances of a false hit add up."""
_SCRIPT = 0.09
"""Weight of a shared term that is not ASCII."""
_PAIRS = 0.19
"""Weight of each pair of neighbouring words in common, of at most three."""
_NAMES = 0.7
"""Weight of each identifier in common, of at most two."""
_UNKNOWN_NAMES = -1.5
"""Weight of each capitalised word that nobody here ever used, of at most two."""
_QUESTION = -0.77
"""Weight of a note that is a question itself."""
_EVIDENCE = 1.5
_SHORT_NOTE, _LONG = 80, -0.8
"""A note is long beyond that many distinct words; each doubling (log) counts against the note."""


def lexical_confidence(
    features: MatchFeatures,
    lead: float,
    sentence_count: int,
    evidence: float = 1.0,
    speaker: Speaker = UNKNOWN_SPEAKER,
) -> float:
    """Return the confidence that a note answers a prompt of `sentence_count` sentences.

    A note is shown above `gate.THRESHOLD`. `lead` is the share by which its search score exceeds the next
    note's. `evidence` is at most 1, and less for the agent's words than for the user's. A long note
    shares some words with every question.
    """
    if not features.shared or features.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        _BASE
        + _WEIGHT * math.log1p(features.weight)
        + _COVERAGE * features.coverage
        + _LEAD * lead
        + _RAREST * features.rarest
        + LENGTH * math.log(sentence_count)
        + _SCRIPT * any(not term.isascii() for term in features.shared)
        + _PAIRS * min(features.pairs, 3)
        + _NAMES * min(features.names, 2)
        + _UNKNOWN_NAMES * min(features.unknown_names, 2)
        + _QUESTION * speaker.is_question
        + _EVIDENCE * math.log(evidence)
        + _LONG * math.log(max(features.words, _SHORT_NOTE) / _SHORT_NOTE)
    )
