"""Compare a note with a question, and say which confidence is enough to show it.

A note is shown only if it is specific to the question. `conversation_gate` judges the turns of talks between
people, `lexical_threshold` all other records.
"""

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from hooklore.broker.principal_reader import Reader
from hooklore.late_pattern import compile_late

THRESHOLD = 0.0
"""The confidence that the first note must exceed: a confidence is the distance from the bar of the note's sort."""

TERM_WEIGHT_LIMIT = 5.0
"""The most that one shared term counts for the bar. Names of services are the rarest terms, and who asks
another thing of the same service uses them, too."""

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

_LARGE_STORE = 2000
"""Documents from which the idf of a term is as it is: without a bonus none of a store of ten would look rare."""

_CJK = compile_late("[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_HIRAGANA_PAIRS = compile_late("^[\u3040-\u309f]{2}$", re.MULTILINE)
_HARNESS = compile_late(
    r"<((?:system|ide|command|local-command|bash|task)[-_][a-z_-]{1,40})\b[^>\n]{0,200}>.{0,20000}?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""Text that a client, or a program around it, adds to a typed prompt."""
_SENTENCE = compile_late(r"[.!?](?:\s|$)|[。！？\n]+")


@dataclass(frozen=True, slots=True)
class MatchFeatures:
    """The measures by which a note matches a question.

    `weight` is the sum of the weights of the `shared` terms, `bounded_weight` the sum of what the bar
    counts of each, `coverage` the share of the question's weight. `news` counts the terms of the note's
    text beyond the question, `words` all of them. `unknown_names` counts names in the question that are
    known nowhere.
    """

    weight: float
    bounded_weight: float
    coverage: float
    shared: tuple[str, ...]
    news: int = 0
    unknown_names: int = 0
    words: int = 0


@dataclass(frozen=True, slots=True)
class Speaker:
    """The speaker of a note: a person of a talk, named in the question, or asking a question."""

    is_talk: bool = False
    is_named: bool = False
    is_question: bool = False


def term_rarities(reader: Reader, terms: Iterable[str]) -> dict[str, float]:
    """Return the idf of each term, as if the store were never small."""
    idf, documents = {term: reader.idf(term) for term in terms}, reader.documents
    bonus = math.log(_LARGE_STORE / documents) if 0 < documents < _LARGE_STORE else 0.0
    return {term: rarity + bonus for term, rarity in idf.items()}


def weigh_terms(rarities: Mapping[str, float], parts: Collection[str] = ()) -> dict[str, float]:
    """Return the weights of a question's terms from their idf.

    `parts` are terms that the question has only within its paths and identifiers.
    """
    return {
        term: rarity * _script_share(term) * (PARTIAL_TERM_WEIGHT if term in parts else 1)
        for term, rarity in rarities.items()
    }


def compute_match_features(
    weights: Mapping[str, float],
    note: set[str],
    text: set[str] | None = None,
    unknown_names: int = 0,
) -> MatchFeatures:
    """Compare a question, by the weights of its terms, with the terms under which a note is found.

    `text` are the terms of the note's text alone, without its title and phrases, if they differ. `unknown_names`
    counts the question's names that are known nowhere.
    """
    text = note if text is None else text
    shared = tuple(term for term, weight in weights.items() if weight and term in note)
    weight = sum(weights[term] for term in shared)
    bounded_weight = sum(min(weights[term], TERM_WEIGHT_LIMIT) for term in shared)
    total = sum(weights.values())
    news = count_novel_terms(text, weights)
    coverage = weight / total if total else 0.0
    return MatchFeatures(weight, bounded_weight, coverage, shared, news, unknown_names, len(text))


def count_novel_terms(note: Collection[str], question: Collection[str]) -> int:
    """Return how many terms a note has beyond those of the question. Hiragana does not count."""
    beyond = set(note).difference(question)
    return len(beyond) - len(_HIRAGANA_PAIRS.findall("\n".join(beyond)))


@lru_cache(maxsize=4096)
def _script_share(term: str) -> float:
    """Return the share of its idf that a term counts: pairs of CJK characters overlap, hiragana is grammar."""
    if term.isascii():
        return 1.0
    kana = sum("\u3040" <= letter <= "\u309f" for letter in term)
    if len(term) > 2 or not _CJK.search(term):
        return 1.0
    return (0.6, 0.3, 0.0)[kana] if kana < 3 else 0.0


def split_sentences(text: str, limit: int = 24) -> list[str]:
    """Return the first `limit` sentences of a prompt, without text that programs added to the prompt."""
    typed = _HARNESS.sub("\n", text) if "<" in text else text
    return [s.strip() for s in _SENTENCE.split(typed) if s and s.strip()][:limit]
