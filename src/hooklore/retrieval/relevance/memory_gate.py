"""Gate memories by the words that they share with a sentence. A memory was written to be found.

One logistic rule for both languages, fitted on `tests/samesubject` and on a few Japanese, Chinese and
English sets. Half of the answers of these sets were taken out. Where the semantic similarity is known,
`semantic_gate` decides instead.
"""

import math

from hooklore.retrieval.relevance.gate import MIN_NOVEL_TERMS, MatchFeatures

# Neighbouring words and identifiers in common tell nothing beyond these.
_BASE = -11.27
_WEIGHT = 2.14
"""Weight of the shared words (log)."""
_COVERAGE = 3.25
_LEAD = 2.46
_RAREST = 0.64
_UNKNOWN_NAMES = -1.18
"""Weight of each name in the question that nobody here ever used, of at most two."""
_SCRIPT = 2.19
"""Weight of a shared term that is not ASCII."""
_WORDS = -0.65
"""Weight of the memory's words (log): a long memory shares some with every question."""
_LENGTH = -0.67
"""Weight of the number of sentences (log): chances of a false hit add up."""
_SINGLE_TERM = -1.5
"""Weight of a match in one term alone: in a store of few notes the lead does not tell that it is chance."""


def memory_confidence(features: MatchFeatures, lead: float, sentence_count: int) -> float:
    """Return the confidence that a memory answers a prompt of `sentence_count` sentences.

    A memory is shown above `gate.THRESHOLD`. `lead` is the share by which its search score exceeds the
    next note's.
    """
    if not features.shared or features.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        _BASE
        + _WEIGHT * math.log1p(features.weight)
        + _COVERAGE * features.coverage
        + _LEAD * lead
        + _RAREST * features.rarest
        + _UNKNOWN_NAMES * min(features.unknown_names, 2)
        + _SCRIPT * any(not term.isascii() for term in features.shared)
        + _WORDS * math.log(features.words + 1)
        + _LENGTH * math.log(sentence_count)
        + _SINGLE_TERM * (len(features.shared) == 1)
    )
