"""When to say nothing: a note is shown only if it is specific to what was asked (design rule 7)."""

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

Idf = Callable[[str], float]

THRESHOLD = -0.45
"""What a note must reach (`tests/samesubject` and the development sets of ARCHITECTURE.md's table)."""

BASE, SHARED, SHARE, LEAD, RAREST, LENGTH, SCRIPT = -8.62, 1.96, 1.67, 1.5, 0.1, -0.33, 0.09
PAIRS, NAMES, STRANGERS, ASKS = 0.19, 0.7, -1.5, -0.77
"""Weights of a logistic gate, fitted on several sets at once: the weight of the shared words (log), its
share of the question's, the lead over the next note, the rarest shared word, the number of sentences
(log: the chance of a false hit adds up), CJK; neighbouring words in common (at most 3), identifiers in
common (at most 2), capitalised words that nobody here ever used (at most 2); whether it was a question
itself. For what was said to an agent; memories and talks have rules of their own."""

BRIEF, LONG = 80, -0.8
"""From so many distinct words on a note is long, and what each doubling (log) takes off."""

PARTIAL_TERM_WEIGHT = 0.1
"""What a word counts that the question has only as a part of a path or an identifier: a note on
`api/roles.py` is no answer to a question about `api/orders.py`."""

MIN_NOVEL_TERMS = 2
"""What a note must say beyond the question: "commit it" is no answer to "commit it"."""

REPEATED_COVERAGE = 0.95
"""An order that holds all of a sentence was given then as it is now: it answers nothing."""

RARE_TERM_WEIGHT = 6.0
"""One word as rare as this is specific by itself when a tool is about to run."""

RUNNER_UP_MARGIN = 0.6
"""A second note only when it is at most this much less sure than the first."""

_CJK = re.compile("[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_CAPITALISED = re.compile(r"(?<![.!?。:])\s([A-Z][A-Za-z]+)\b")
_HARNESS = re.compile(
    r"<((?:system|ide|command|local-command|bash|task)[-_][a-z_-]{1,40})\b[^>\n]{0,200}>.{0,20000}?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""What a client or a program around it adds to what somebody typed."""
_SENTENCE = re.compile(r"[.!?](?:\s|$)|[。！？\n]+")


@dataclass(frozen=True, slots=True)
class MatchFeatures:
    """How well a note answers a question: the shared weight, its share of the question's, the shared
    words, how many words the note has beyond them, and the weight of the rarest shared one;
    `pairs` of neighbouring words and `names` (identifiers) in common, and `strangers`: names in the
    question that are known nowhere; `words` are the note's.
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
    """Who said a note: a person of a talk (`is_talk`), `is_named` in the question, by asking."""

    is_talk: bool = False
    is_named: bool = False
    is_question: bool = False


UNKNOWN_SPEAKER = Speaker()


def compute_match_features(
    question: Sequence[str], note: set[str], idf: Idf, parts: Collection[str] = ()
) -> MatchFeatures:
    """Compare the terms of a question with those of a note. An unknown term counts in full.

    `parts` are terms that the question has only within its paths and identifiers.
    """
    weights = {
        term: idf(term) * _part(term) * (PARTIAL_TERM_WEIGHT if term in parts else 1)
        for term in question
    }
    shared = tuple(term for term, weight in weights.items() if weight and term in note)
    weight = sum(weights[term] for term in shared)
    total = sum(weights.values())
    news = count_novel_terms(note, weights)
    rarest = max((weights[term] for term in shared), default=0.0)
    share = weight / total if total else 0.0
    return MatchFeatures(weight, share, shared, news, rarest, words=len(note))


def count_novel_terms(note: Collection[str], question: Collection[str]) -> int:
    """How many words a note has beyond those of the question, hiragana apart."""
    return sum(1 for term in note if term not in question and _part(term))


@lru_cache(maxsize=4096)
def _part(term: str) -> float:
    """How much of its idf a term counts: pairs of CJK characters overlap, and hiragana is grammar."""
    if term.isascii():
        return 1.0
    kana = sum("\u3040" <= letter <= "\u309f" for letter in term)
    if len(term) > 2 or not _CJK.search(term):
        return 1.0
    return (0.6, 0.3, 0.0)[kana] if kana < 3 else 0.0


def lexical_confidence(
    verdict: MatchFeatures,
    lead: float,
    sentences: int,
    evidence: float = 1.0,
    voice: Speaker = UNKNOWN_SPEAKER,
) -> float:
    """How sure it is that a note answers a prompt of so many sentences: shown from `BAR` on.

    `lead` is the share by which its search score is above the next note's; `evidence` at most 1, less
    for what an agent said than for what the user did. A long note shares some words with every
    question.
    """
    if not verdict.shared or verdict.news < MIN_NOVEL_TERMS:
        return -math.inf
    return (
        BASE
        + SHARED * math.log1p(verdict.weight)
        + SHARE * verdict.coverage
        + LEAD * lead
        + RAREST * verdict.rarest
        + LENGTH * math.log(sentences)
        + SCRIPT * any(not term.isascii() for term in verdict.shared)
        + PAIRS * min(verdict.pairs, 3)
        + NAMES * min(verdict.names, 2)
        + STRANGERS * min(verdict.unknown_names, 2)
        + ASKS * voice.is_question
        + 1.5 * math.log(evidence)
        + LONG * math.log(max(verdict.words, BRIEF) / BRIEF)
    )


def is_runner_up(first: float, sure: float) -> bool:
    """Whether a note may be shown beside one that is `first` sure."""
    return sure > THRESHOLD and sure >= first - RUNNER_UP_MARGIN


def find_capitalized_words(text: str) -> list[str]:
    """The capitalised words of a sentence, but for the first: names, mostly."""
    return _CAPITALISED.findall(text)


def is_relevant_to_step(verdict: MatchFeatures) -> bool:
    """Whether a memory bears on a command or a file: one rare word is enough."""
    return verdict.weight >= RARE_TERM_WEIGHT and len(verdict.shared) >= 1


def floor_idf(idf: float, documents: int, least: int = 2000) -> float:
    """An idf as if the store were never small: in a store of ten, no word would look rare."""
    return idf + math.log(least / documents) if 0 < documents < least else idf


def split_sentences(text: str, most: int = 24) -> list[str]:
    """The sentences of a prompt, the first `most` of them; what programs put into it is none."""
    own = _HARNESS.sub("\n", text) if "<" in text else text
    return [s.strip() for s in _SENTENCE.split(own) if s and s.strip()][:most]
