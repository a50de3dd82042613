"""Similarity of two texts, in English or Japanese."""

import re
import unicodedata

from hooklore.late_pattern import compile_late

SIMILARITY_THRESHOLD = 0.6
"""Dice's coefficient of the terms from which two texts are near-duplicates."""

LEAST_SHARE = 0.5
"""The share of a memory's terms that one text must have to carry the memory."""

_LEAST_TERMS = 2
_MAX_LENGTH = 4_000
CJK_RANGES = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
"""Letters of scripts without spaces between words, as the inside of a character class."""

_WORD = compile_late(f"[{CJK_RANGES}]+|[^\\W_{CJK_RANGES}]+")
_FIRST_CJK = "\u3005"
"""Letters before this one belong to scripts that separate words."""

_LAST_CJK = "\ufaff"

_GRAMMAR = re.compile("[\u3040-\u309f]+")
_EMPTY = frozenset(
    "a an and are as at be by for from has in is it its of on or that the this to was we with".split()
)


def normalize_for_comparison(text: str) -> str:
    """Return the text without differences in width, case, punctuation and white space."""
    folded = unicodedata.normalize("NFKC", text[:_MAX_LENGTH]).casefold()
    return " ".join(_WORD.findall(folded))


def has_cjk(text: str) -> bool:
    """Return whether a text has a letter of a script without spaces between words."""
    return not text.isascii() and any(_FIRST_CJK <= letter <= _LAST_CJK for letter in text)


def comparison_terms(text: str) -> frozenset[str]:
    """Return the words of a text, and the pairs of neighbouring characters in scripts without spaces."""
    found: set[str] = set()
    for word in normalize_for_comparison(text).split():
        if word[0] < _FIRST_CJK:
            found.add(_stem(word))
        elif len(word) < 2:
            found.add(word)
        else:
            pairs = (word[i : i + 2] for i in range(len(word) - 1))
            found.update(pair for pair in pairs if not _GRAMMAR.fullmatch(pair))
    return frozenset(found - _EMPTY or found)


def dice_similarity(one: str, other: str) -> float:
    """Return the similarity of two texts, from 0 (no common term) to 1 (the same terms)."""
    left, right = comparison_terms(one), comparison_terms(other)
    if not left or not right:
        return float(normalize_for_comparison(one) == normalize_for_comparison(other))
    return 2 * len(left & right) / (len(left) + len(right))


def carries(source: str, text: str) -> bool:
    """Return whether half of the terms of `text`, and at least two, stand in `source`."""
    terms = comparison_terms(text)
    shared = len(terms & comparison_terms(source))
    return shared >= min(_LEAST_TERMS, len(terms)) and shared >= LEAST_SHARE * len(terms) > 0


def is_same_text(one: str, other: str) -> bool:
    """Return whether two texts that are not empty differ at most in punctuation, width and case."""
    return normalize_for_comparison(one) == normalize_for_comparison(other) and bool(
        normalize_for_comparison(one)
    )


def is_similar_text(one: str, other: str) -> bool:
    """Return whether one text may replace or repeat the other."""
    return dice_similarity(one, other) >= SIMILARITY_THRESHOLD


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
