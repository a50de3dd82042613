"""When a memory is shown whose nearness in meaning to a sentence is known: words and meaning weighed together.

One logistic rule for both languages, fitted on `tests/samesubject` (questions of which 20, 14 and ten
tokens were compared) together with a few Japanese, Chinese and English sets, where half of the answers were
taken out. Without the extra, or where a vector comes too late, `policy.gate` judges by words.
"""

import math
from dataclasses import dataclass

from hooklore.retrieval.relevance.gate import MIN_NOVEL_TERMS, MatchFeatures

_BASE, _WEIGHT, _SHARE, _RAREST, _STRANGERS = -6.7, 1.26, 2.01, 0.19, -1.45
_STEPS, _LEAD, _SCRIPT, _LENGTH, _LONG = 0.2, 1.76, 0.33, -0.33, -0.8
"""Weights: the weight of the shared words (log), its share of the question's, the rarest shared word, names
that nobody here ever used (at most 2); the cosine above that of texts that have nothing to do with each
other, and its lead over the next memory that does not say the same, both in steps; CJK (both languages are
to be as seldom wrong), the number of sentences (log), each doubling (log) of a memory beyond `_BRIEF` words."""

_FOREIGN = 0.5
"""What a step of lead counts more between two scripts: there no shared words can be expected."""

_BRIEF = 80


@dataclass(frozen=True, slots=True)
class SemanticSimilarity:
    """How near a memory is to a sentence in meaning.

    `steps` is its cosine as `policy.dense.steps` counts it; `lead` how many steps it is nearer than any
    memory that does not say the same, below 0 where another is nearer; `is_foreign` where one is written
    in Chinese or Japanese characters and the other is not.
    """

    steps: float
    lead: float
    is_foreign: bool = False


def semantic_confidence(verdict: MatchFeatures, near: SemanticSimilarity, sentences: int) -> float:
    """How sure it is that a memory answers a prompt of so many sentences: shown from `gate.BAR` on."""
    if verdict.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        _BASE
        + _WEIGHT * math.log1p(verdict.weight)
        + _SHARE * verdict.coverage
        + _RAREST * verdict.rarest
        + _STRANGERS * min(verdict.unknown_names, 2)
        + _SCRIPT * any(not term.isascii() for term in verdict.shared)
        + _STEPS * near.steps
        + (_LEAD + _FOREIGN * near.is_foreign) * near.lead
        + _LENGTH * math.log(sentences)
        + _LONG * math.log(max(verdict.words, _BRIEF) / _BRIEF)
    )
