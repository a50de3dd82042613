"""Made-up words with the frequencies of real ones: a few stand everywhere, most hardly anywhere."""

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

_ONSETS: Final = "b c d f g h j k l m n p r s t v w z br ch cl cr dr fl gr pl pr sh st tr"
_VOWELS: Final = "a e i o u ai ea io ou"
_CODAS: Final = ("", "", "", "n", "r", "s", "t", "l", "ck", "nd", "st")
_KANJI: Final = tuple(chr(0x4E00 + 37 * i) for i in range(500))
_KANA: Final = tuple(chr(0x3042 + i) for i in range(0, 80, 2))
_PARTICLES: Final = ("の", "を", "に", "は", "が", "で", "と", "も")


class Vocabulary:
    """Words of one script, drawn by Zipf's law: the n-th most frequent n times rarer than the first."""

    def __init__(self, words: Sequence[str], joint: str) -> None:
        self.words = words
        self._joint = joint
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))

    def draw(self, source: random.Random, count: int) -> list[str]:
        """That many words, each by its frequency."""
        return source.choices(self.words, cum_weights=self._weights, k=count)

    def text(self, source: random.Random, count: int) -> str:
        """That many words as a text."""
        return self._joint.join(self.draw(source, count))


def english(source: random.Random, count: int = 40_000) -> Vocabulary:
    """Words of one to four syllables, the frequent ones short."""
    onsets, vowels = _ONSETS.split(), _VOWELS.split()
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = 1 + min(3, len(found) * 4 // count + source.randrange(2))
        word = "".join(
            source.choice(onsets) + source.choice(vowels) + source.choice(_CODAS)
            for _ in range(syllables)
        )
        found[word] = None
    return Vocabulary(list(found), " ")


def japanese(source: random.Random, count: int = 12_000) -> Vocabulary:
    """Words of two or three characters, most with the particle that follows them."""
    found: dict[str, None] = {}
    while len(found) < count:
        letters = _KANJI if source.random() < 0.7 else _KANA
        word = "".join(source.choice(letters) for _ in range(source.choice((2, 2, 2, 3))))
        found[word + (source.choice(_PARTICLES) if source.random() < 0.6 else "")] = None
    return Vocabulary(list(found), "")
