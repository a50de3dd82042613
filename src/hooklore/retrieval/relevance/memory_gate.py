"""When a memory is shown for the words that it shares with a sentence: it was written to be found.

One logistic rule for both languages, fitted on `tests/samesubject` together with a few Japanese, Chinese
and English sets, where half of the answers were taken out. Where the nearness in meaning is known,
`policy.meaning_gate` judges instead.
"""

import math

from hooklore.retrieval.relevance.gate import MIN_NOVEL_TERMS, MatchFeatures

_BASE, _WEIGHT, _SHARE, _LEAD, _RAREST = -11.27, 2.14, 3.25, 2.46, 0.64
_STRANGERS, _SCRIPT, _WORDS, _LENGTH = -1.18, 2.19, -0.65, -0.67
"""Weights: the weight of the shared words (log), its share of the question's, the lead over the next note,
the rarest shared word; names that nobody here ever used (at most 2), CJK, the words of the memory (log: a
long one shares some with every question), the number of sentences (log: the chance of a false hit adds up).
Neighbouring words and identifiers in common tell nothing beyond these."""

_SINGLE = -1.5
"""One word alone is chance: in a store of few notes, which leave the lead to it, no weight says so."""


def memory_confidence(verdict: MatchFeatures, lead: float, sentences: int) -> float:
    """How sure it is that a memory answers a prompt of so many sentences: shown from `gate.BAR` on.

    `lead` is the share by which its search score is above the next note's.
    """
    if not verdict.shared or verdict.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        _BASE
        + _WEIGHT * math.log1p(verdict.weight)
        + _SHARE * verdict.coverage
        + _LEAD * lead
        + _RAREST * verdict.rarest
        + _STRANGERS * min(verdict.unknown_names, 2)
        + _SCRIPT * any(not term.isascii() for term in verdict.shared)
        + _WORDS * math.log(verdict.words + 1)
        + _LENGTH * math.log(sentences)
        + _SINGLE * (len(verdict.shared) == 1)
    )
