"""When to say nothing: a note is shown only if it is specific to what was asked (design rule 7)."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Idf = Callable[[str], float]

COVERAGE = 0.55
"""The share of the question's weight that a note must answer."""

COVERAGE_STEP = 0.04
"""How much the bar rises with each further sentence: the chance of a false hit adds up."""

COVERAGE_MOST = 0.7

WEIGHT = 9.0
"""The least weight of the shared words, in idf: two rare words, or three less rare."""

NEWS = 2
"""What a note must say beyond the question: "commit it" is no answer to "commit it"."""

RARE = 6.0
"""One word as rare as this is specific by itself when a tool is about to run."""

SECOND = 0.85
"""A second note only when it is nearly as good as the first."""

_CJK = re.compile("[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_SENTENCE = re.compile(r"[.!?](?:\s|$)|[。！？\n]+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well a note answers a question: the shared weight, its share of the question's, the shared
    words, and how many words the note has beyond them.
    """

    weight: float
    coverage: float
    shared: tuple[str, ...]
    news: int = 0


def judge(question: Sequence[str], note: set[str], idf: Idf) -> Verdict:
    """Compare the terms of a question with those of a note. An unknown term counts in full."""
    weights = {term: idf(term) * _part(term) for term in question}
    shared = tuple(term for term, weight in weights.items() if weight and term in note)
    weight = sum(weights[term] for term in shared)
    total = sum(weights.values())
    news = sum(1 for term in note if term not in weights and _part(term))
    return Verdict(weight, weight / total if total else 0.0, shared, news)


def _part(term: str) -> float:
    """How much of its idf a term counts: pairs of CJK characters overlap, and hiragana is grammar."""
    if term.isascii():
        return 1.0
    kana = sum("\u3040" <= letter <= "\u309f" for letter in term)
    if len(term) > 2 or not _CJK.search(term):
        return 1.0
    return (0.6, 0.3, 0.0)[kana] if kana < 3 else 0.0


def is_specific(verdict: Verdict, sentences: int = 1) -> bool:
    """Whether a note may be shown for a prompt of so many sentences."""
    bar = min(COVERAGE + COVERAGE_STEP * (sentences - 1), COVERAGE_MOST)
    return (
        len(verdict.shared) >= 2
        and verdict.weight >= WEIGHT
        and verdict.coverage >= bar
        and verdict.news >= NEWS
    )


def is_specific_to_step(verdict: Verdict) -> bool:
    """Whether a memory bears on a command or a file: one rare word is enough."""
    return verdict.weight >= RARE and len(verdict.shared) >= 1


def floored(idf: float, documents: int, least: int = 2000) -> float:
    """An idf as if the store were never small: in a store of ten, no word would look rare."""
    return idf + math.log(least / documents) if 0 < documents < least else idf


def sentences(text: str, most: int = 24) -> list[str]:
    """The sentences of a prompt, the first `most` of them."""
    return [s.strip() for s in _SENTENCE.split(text) if s and s.strip()][:most]
