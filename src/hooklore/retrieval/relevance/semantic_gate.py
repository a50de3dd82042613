"""Gate memories by the words and the meaning that they share with a sentence, weighed together.

One logistic rule for both languages, fitted on `tests/samesubject` and on a few Japanese, Chinese and
English sets, with 20, 14 and ten tokens of a question. Half of the answers of these sets were taken
out. Without the extra, or where a vector comes too late, `memory_gate` decides by words.
"""

import math
from dataclasses import dataclass

from hooklore.retrieval.relevance.gate import MIN_NOVEL_TERMS, MatchFeatures

_BASE = -6.7
_WEIGHT = 1.26
"""Weight of the shared words (log)."""
_COVERAGE = 2.01
_RAREST = 0.19
_UNKNOWN_NAMES = -1.45
"""Weight of each name in the question that nobody here ever used, of at most two."""
_STEPS = 0.2
"""Weight of a step of the cosine above that of unrelated texts."""
_LEAD, _FOREIGN_LEAD = 1.76, 0.5
"""Weight of a step of lead, and what is added between two scripts, where no shared words can be expected."""
_SCRIPT = 0.33
"""Weight of a shared term that is not ASCII, so that both languages have the same rate of errors."""
_LENGTH = -0.33
"""Weight of the number of sentences (log)."""
_SHORT_MEMORY, _LONG = 80, -0.8
"""A memory is long beyond that many words; each doubling (log) counts against the memory."""


@dataclass(frozen=True, slots=True)
class SemanticSimilarity:
    """The similarity in meaning of a memory and a sentence.

    `steps` is the cosine as `weights.cosine_to_steps` counts it. `lead` is how many steps the memory is
    nearer than any memory that is no near-duplicate, below 0 where another is nearer. `is_foreign` is
    true where only one of the two is written in Chinese or Japanese characters.
    """

    steps: float
    lead: float
    is_foreign: bool = False


def semantic_confidence(
    features: MatchFeatures, similarity: SemanticSimilarity, sentence_count: int
) -> float:
    """Return the confidence that a memory answers a prompt of `sentence_count` sentences.

    A memory is shown above `gate.THRESHOLD`.
    """
    if features.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        _BASE
        + _WEIGHT * math.log1p(features.weight)
        + _COVERAGE * features.coverage
        + _RAREST * features.rarest
        + _UNKNOWN_NAMES * min(features.unknown_names, 2)
        + _SCRIPT * any(not term.isascii() for term in features.shared)
        + _STEPS * similarity.steps
        + (_LEAD + _FOREIGN_LEAD * similarity.is_foreign) * similarity.lead
        + _LENGTH * math.log(sentence_count)
        + _LONG * math.log(max(features.words, _SHORT_MEMORY) / _SHORT_MEMORY)
    )
