"""When to say nothing: a note is shown only if it is specific to what was asked (design rule 7)."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Idf = Callable[[str], float]

COVERAGE = 0.5
"""The share of the question's weight that a note must answer."""

COVERAGE_STEP = 0.04
"""How much the bar rises with each further sentence: the chance of a false hit adds up."""

COVERAGE_MOST = 0.7

WEIGHT = 9.0
"""The least weight of the shared words, in idf: two rare words, or three less rare."""

RARE = 6.0
"""One word as rare as this is specific by itself when a tool is about to run."""

SECOND = 0.85
"""A second note only when it is nearly as good as the first."""

_SENTENCE = re.compile(r"[.!?](?:\s|$)|[。！？\n]+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well a note answers a question: the shared weight, its share of the question's, the shared words."""

    weight: float
    coverage: float
    shared: tuple[str, ...]


def judge(question: Sequence[str], note: set[str], idf: Idf) -> Verdict:
    """Compare the terms of a question with those of a note. An unknown term counts in full."""
    shared = tuple(term for term in question if term in note)
    weight = sum(idf(term) for term in shared)
    total = sum(idf(term) for term in question)
    return Verdict(weight, weight / total if total else 0.0, shared)


def is_specific(verdict: Verdict, sentences: int = 1) -> bool:
    """Whether a note may be shown for a prompt of so many sentences."""
    bar = min(COVERAGE + COVERAGE_STEP * (sentences - 1), COVERAGE_MOST)
    return len(verdict.shared) >= 2 and verdict.weight >= WEIGHT and verdict.coverage >= bar


def is_specific_to_step(verdict: Verdict) -> bool:
    """Whether a memory bears on a command or a file: one rare word is enough."""
    return verdict.weight >= RARE and len(verdict.shared) >= 1


def floored(idf: float, documents: int, least: int = 2000) -> float:
    """An idf as if the store were never small: in a store of ten, no word would look rare."""
    return idf + math.log(least / documents) if 0 < documents < least else idf


def sentences(text: str, most: int = 24) -> list[str]:
    """The sentences of a prompt, the first `most` of them."""
    return [s.strip() for s in _SENTENCE.split(text) if s and s.strip()][:most]
