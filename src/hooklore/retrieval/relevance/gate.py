"""Decide when to say nothing: compare a note with a question, and set the bar that a note must reach.

A note is shown only if it is specific to the question. Each sort of note has a gate of its own.
"""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

THRESHOLD = -0.45
"""The confidence that a note must exceed, set on `tests/samesubject` and the development sets."""

PARTIAL_TERM_WEIGHT = 0.1
"""The weight of a term that the question has only as a part of a path or an identifier. A note on
`api/roles.py` is no answer to a question about `api/orders.py`."""

MIN_NOVEL_TERMS = 2
"""Terms that a note must have beyond the question: "commit it" is no answer to "commit it"."""

REPEATED_COVERAGE = 0.95
"""The coverage from which an earlier instruction only repeats a sentence, and so answers nothing."""

RARE_TERM_WEIGHT = 6.0
"""The weight from which one term is specific by itself when a tool is about to run."""

RUNNER_UP_MARGIN = 0.6
"""A second note may be this much less sure than the first."""

_CJK = re.compile("[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_CAPITALIZED = re.compile(r"(?<![.!?。:])\s([A-Z][A-Za-z]+)\b")
_HARNESS = re.compile(
    r"<((?:system|ide|command|local-command|bash|task)[-_][a-z_-]{1,40})\b[^>\n]{0,200}>.{0,20000}?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""Text that a client, or a program around it, adds to a typed prompt."""
_SENTENCE = re.compile(r"[.!?](?:\s|$)|[。！？\n]+")


@dataclass(frozen=True, slots=True)
class MatchFeatures:
    """The measures by which a note matches a question.

    `weight` is the sum of the weights of the `shared` terms, `coverage` its share of the question's,
    and `rarest` the largest of them. `news` counts the note's terms beyond the question, `words` all of
    them. `pairs` (of neighbouring words) and `names` (identifiers) are counts of what both have.
    `unknown_names` counts names in the question that are known nowhere.
    """

    weight: float
    coverage: float
    shared: tuple[str, ...]
    news: int = 0
    rarest: float = 0.0
    pairs: int = 0
    names: int = 0
    unknown_names: int = 0
    words: int = 0


@dataclass(frozen=True, slots=True)
class Speaker:
    """The speaker of a note: a person of a talk, named in the question, or asking a question."""

    is_talk: bool = False
    is_named: bool = False
    is_question: bool = False


UNKNOWN_SPEAKER = Speaker()


def weigh_terms(rarities: Mapping[str, float], parts: Collection[str] = ()) -> dict[str, float]:
    """Return the weights of a question's terms from their idf.

    `parts` are terms that the question has only within its paths and identifiers.
    """
    return {
        term: rarity * _script_share(term) * (PARTIAL_TERM_WEIGHT if term in parts else 1)
        for term, rarity in rarities.items()
    }


def compute_match_features(weights: Mapping[str, float], note: set[str]) -> MatchFeatures:
    """Compare a question, by the weights of its terms, with the terms of a note."""
    shared = tuple(term for term, weight in weights.items() if weight and term in note)
    weight = sum(weights[term] for term in shared)
    total = sum(weights.values())
    news = count_novel_terms(note, weights)
    rarest = max((weights[term] for term in shared), default=0.0)
    coverage = weight / total if total else 0.0
    return MatchFeatures(weight, coverage, shared, news, rarest, words=len(note))


def count_novel_terms(note: Collection[str], question: Collection[str]) -> int:
    """Return how many terms a note has beyond those of the question. Hiragana does not count."""
    return sum(1 for term in note if term not in question and _script_share(term))


@lru_cache(maxsize=4096)
def _script_share(term: str) -> float:
    """Return the share of its idf that a term counts: pairs of CJK characters overlap, hiragana is grammar."""
    if term.isascii():
        return 1.0
    kana = sum("\u3040" <= letter <= "\u309f" for letter in term)
    if len(term) > 2 or not _CJK.search(term):
        return 1.0
    return (0.6, 0.3, 0.0)[kana] if kana < 3 else 0.0


def is_runner_up(first: float, confidence: float) -> bool:
    """Return whether a note may be shown beside a note of the confidence `first`."""
    return confidence > THRESHOLD and confidence >= first - RUNNER_UP_MARGIN


def find_capitalized_words(text: str) -> list[str]:
    """Return the capitalised words of a sentence, but for the first word: names, mostly."""
    return _CAPITALIZED.findall(text)


def is_relevant_to_step(features: MatchFeatures) -> bool:
    """Return whether a memory bears on a command or a file: one rare term is enough."""
    return features.weight >= RARE_TERM_WEIGHT and len(features.shared) >= 1


def small_store_bonus(documents: int, least: int = 2000) -> float:
    """Return what is added to every idf of a store of fewer than `least` documents.

    Without the bonus no term of a store of ten would look rare.
    """
    return math.log(least / documents) if 0 < documents < least else 0.0


def split_sentences(text: str, limit: int = 24) -> list[str]:
    """Return the first `limit` sentences of a prompt, without text that programs added to the prompt."""
    typed = _HARNESS.sub("\n", text) if "<" in text else text
    return [s.strip() for s in _SENTENCE.split(typed) if s and s.strip()][:limit]
