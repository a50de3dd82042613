"""Whether two texts say nearly the same, in English or Japanese."""

import re
import unicodedata
from functools import cache

SIMILARITY_THRESHOLD = 0.6
"""From here on two texts are near-duplicates (Dice's coefficient of their parts)."""

_LONGEST = 4_000
_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_PARTS = f"[{_CJK}]+|[^\\W_{_CJK}]+"
_FIRST_CJK = "\u3005"
"""Letters before it are of scripts that part their words."""

_GRAMMAR = re.compile("[\u3040-\u309f]+")
_EMPTY = frozenset(
    "a an and are as at be by for from has in is it its of on or that the this to was we with".split()
)


@cache
def _pattern() -> re.Pattern[str]:
    """Compiled when something is compared: its classes take milliseconds, and every process imports us."""
    return re.compile(_PARTS)


def normalize_for_comparison(text: str) -> str:
    """A text without what hardly matters: width, case, punctuation, white space at its ends."""
    folded = unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()
    return " ".join(_pattern().findall(folded))


def comparison_terms(text: str) -> frozenset[str]:
    """The words of a text, and the pairs of neighbouring characters of what is written without spaces."""
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
    """0 (nothing in common) to 1 (the same parts)."""
    left, right = comparison_terms(one), comparison_terms(other)
    if not left or not right:
        return float(normalize_for_comparison(one) == normalize_for_comparison(other))
    return 2 * len(left & right) / (len(left) + len(right))


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in punctuation, width and case at most."""
    return normalize_for_comparison(one) == normalize_for_comparison(other) and bool(
        normalize_for_comparison(one)
    )


def is_similar_text(one: str, other: str) -> bool:
    """Whether one may be there to replace, or to repeat, the other."""
    return dice_similarity(one, other) >= SIMILARITY_THRESHOLD


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
