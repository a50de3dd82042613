"""Secrets that people tell in prose without a label or a link: a model of what stands around a token.

The rules of sentences know labels and links, and people tell secrets in more ways than a list has: "oh and
restic wants …", "… ← これがstagingのパス". So each token of prose that may be a secret, and that no rule found, is
judged by its form and the words around it. `prose_weights.py` has the weights of a logistic regression. Plain words
are not judged: each is as likely a secret as its neighbour. The model never takes a finding of a rule back: it
would hide fewer names, and show some passwords that a label announces.
"""

import bisect
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from hooklore.redaction.finding import Finding, merge_findings
from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.prose_features import Feature, features_of
from hooklore.redaction.rules.prose_tokens import Token, WordClass, classify_word, split_prose

PROSE = "prose"
"""The rule name of what the model finds."""

_WINDOW = 16 * 1024
"""Characters that are read at once: what one record keeps of a text. A longer text is cut at a line, or a blank."""

_LONGEST = 256 * 1024
"""Characters of the longest text that is judged. No hook stores one."""

_FEWEST_WORDS = 2
"""Plain words that a sentence has beside a token, or it is no prose: a command, a path, a row of values."""

_PUBLIC = TextPattern(r"(?i)\b(?:public|publishable|search|site)[ _-]?key[^.!?\n]{0,12}\Z")
_LONGEST_LABEL = 32
"""Characters before a token that may call it public."""


class Judged(NamedTuple):
    """A token of prose that may be a secret, its class, and its features."""

    token: Token
    word_class: WordClass
    features: set[Feature]


def find_in_prose(text: str, found: Sequence[Finding]) -> list[Finding]:
    """Return the secrets that the model finds in a text, beside what the rules `found`.

    Offsets count in characters.
    """
    if len(text) > _LONGEST:
        return []
    spans = [
        Finding(PROSE, start + token.start, start + token.end)
        for start, end in _windows(text)
        for token, word_class, features in find_candidates(text[start:end])
        if _is_secret(word_class, features)
    ]
    return _outside(spans, merge_findings(found)) if spans and found else spans


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that are read at once."""
    start = 0
    while len(text) - start > _WINDOW:
        end = max(text.rfind(sign, start + 1, start + _WINDOW) for sign in "\n ")
        end = end if end > start else start + _WINDOW
        yield start, end
        start = end
    yield start, len(text)


def _outside(spans: Sequence[Finding], found: Sequence[Finding]) -> list[Finding]:
    """Return the `spans` that meet none of `found`, which are in order and apart."""
    ends = [each.end for each in found]
    places = (bisect.bisect_right(ends, span.start) for span in spans)
    return [
        span
        for span, place in zip(spans, places, strict=True)
        if place == len(found) or found[place].start >= span.end
    ]


def find_candidates(text: str) -> Iterator[Judged]:
    """Yield the tokens of prose that may be secrets, with their features."""
    tokens = split_prose(text)
    classes = [classify_word(token.text) for token in tokens]
    words = _count_words(tokens, classes)
    for place, (token, word_class) in enumerate(zip(tokens, classes, strict=True)):
        if word_class is None or words.get(token.sentence, 0) < _FEWEST_WORDS:
            continue
        if not _PUBLIC.search(text, max(0, token.start - _LONGEST_LABEL), token.start):
            yield Judged(token, word_class, features_of(tokens, place, word_class))


def _count_words(tokens: Sequence[Token], classes: Sequence[WordClass | None]) -> dict[int, int]:
    """Return the number of plain words of each sentence."""
    words: dict[int, int] = {}
    for token, word_class in zip(tokens, classes, strict=True):
        if word_class is None and len(token.text) > 1 and token.text[0].isalpha():
            words[token.sentence] = words.get(token.sentence, 0) + 1
    return words


def _is_secret(word_class: WordClass, features: set[Feature]) -> bool:
    bias, weights = _model()[word_class]
    return bias + sum(weights.get(feature, 0.0) for feature in features) > 0


@cache
def _model() -> dict[WordClass, tuple[float, dict[Feature, float]]]:
    """Return the bias of each class of tokens, and the weights of its features."""
    from hooklore.redaction.rules.prose_weights import BIASES, OF_A_CLASS, SHARED

    shared = dict(_by_feature(SHARED))
    return {
        word_class: (bias, _sum(shared, dict(_by_feature(OF_A_CLASS[word_class]))))
        for word_class, bias in BIASES.items()
    }


def _sum(shared: dict[Feature, float], own: dict[Feature, float]) -> dict[Feature, float]:
    return {each: shared.get(each, 0.0) + own.get(each, 0.0) for each in (*shared, *own)}


def _by_feature(weights: dict[str, dict[str, float]]) -> Iterator[tuple[Feature, float]]:
    for kind, by_word in weights.items():
        for word, weight in by_word.items():
            yield (kind, word), weight
