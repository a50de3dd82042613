"""Judge by one plain bar whether a note bears on a sentence: by shared words, by meaning where it is known.

Fitted rules of many weights were right at home alone. On a second project one bar shows as much that is
right and half as much that is wrong.
"""

import math
from dataclasses import dataclass

from hooklore.retrieval.relevance.gate import MIN_NOVEL_TERMS, MatchFeatures

WORDS_BAR = 18.2
"""The weight of shared words from which a note bears on a sentence: nearly four rare terms."""

_SMALL_STORES = ((20, 0.5), (80, 0.75))
"""The share of the bar for stores of at most so many memories: two rare terms, and three. Each memory is one
more chance of words in common that mean nothing. The bar was set on a store of 300."""

_BARELY = 1.2
"""The strength of a match that only a small store lets pass: it is silent once three sessions left it unused."""

MOST_OF_A_SENTENCE = 0.85
"""The share of a sentence's words from which a note bears on it, however few they are, but for one."""

MEANING_BAR = 3.3
"""The steps of similarity from which a memory bears on a sentence. Words that reach their bar count one step."""

PHRASES_ALLOWANCE = 0.2
"""The steps by which phrases bring a memory nearer to every sentence, whether they match it or not."""

_PENALTY_SCALE = 2.0
"""The confidence that each doubling (natural logarithm) of the strength of shared words adds."""

_SHORT_NOTE, _LONG = 80, 0.4
"""A note is long beyond that many distinct words, because a long note shares some words with every question."""


@dataclass(frozen=True, slots=True)
class SemanticSimilarity:
    """The similarity in meaning of a memory and a sentence, in steps as `weights.cosine_to_steps` counts them.

    `steps` is by how much it is nearer than unrelated texts. `lead` is by how much it is nearer than any
    other memory, where the two are written in different scripts, and 0 elsewhere.
    """

    steps: float
    lead: float = 0.0


def bar_of_note(features: MatchFeatures, confidence: float) -> tuple[float, float]:
    """Return the weight of shared words, and the share of the sentence, from which a note is shown.

    `confidence` is that of its match by words, at most 0. The bar is higher for long notes and for an agent's
    words, and lower for memories of small stores.
    """
    factor = _plain_strength(features) / math.exp(confidence / _PENALTY_SCALE)
    return WORDS_BAR * factor, MOST_OF_A_SENTENCE * factor


def _plain_strength(features: MatchFeatures) -> float:
    strength = features.bounded_weight / WORDS_BAR
    if len(features.shared) > 1:
        strength = max(strength, features.coverage / MOST_OF_A_SENTENCE)
    return strength


def _word_strength(features: MatchFeatures) -> float:
    """Return how strong the shared words are, 1 at the bar."""
    strength = _plain_strength(features)
    return strength * math.pow(_SHORT_NOTE / max(features.words, _SHORT_NOTE), _LONG)


def confidence_by_words(
    features: MatchFeatures, evidence: float = 1.0, memories: float = math.inf
) -> float:
    """Return by how much the shared words exceed their bar, less of it in a store of few `memories`.

    A note is shown above 0. `evidence` is at most 1, less for the agent's words than for the user's, and 0 for
    what answers nothing.
    """
    full = evidence * _word_strength(features)
    share = next((share for most, share in _SMALL_STORES if memories <= most), 1.0)
    strength = min(full / share, max(full, _BARELY))
    if not strength or features.news < MIN_NOVEL_TERMS:
        return -math.inf
    return _PENALTY_SCALE * math.log(strength)


def meaning_bar(*, has_phrases: bool) -> float:
    """Return the bar of a memory with or without phrases that say when it matters."""
    return MEANING_BAR + PHRASES_ALLOWANCE * has_phrases


def support_of_meaning(features: MatchFeatures, similarity: SemanticSimilarity) -> float:
    """Return what is added to the steps of a memory: the strength of shared words, or its lead.

    Between two scripts no words can be shared, and the lead says that the memory stands out.
    """
    return max(_word_strength(features), similarity.lead)


def confidence_by_meaning(
    features: MatchFeatures, similarity: SemanticSimilarity, *, has_phrases: bool
) -> float:
    """Return by how much a memory's similarity exceeds its bar. A memory is shown above 0."""
    if features.news < MIN_NOVEL_TERMS:
        return -math.inf
    support = support_of_meaning(features, similarity)
    return similarity.steps + support - meaning_bar(has_phrases=has_phrases)
