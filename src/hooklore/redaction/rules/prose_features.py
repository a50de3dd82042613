"""The features by which a word of prose is judged: its form, the words beside it, and those of its sentence.

A feature is a place in a table of weights: the hash of its kind and of its word. Nobody could read the weights of
a hundred thousand words, and a table of bytes takes less memory than their names.
"""

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate

from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.prose_tokens import CAMEL, Token, WordClass
from hooklore.redaction.rules.value_forms import form_of

BITS = 17
PLACES = 1 << BITS
"""The weights of a table. Features that share a place share its weight; few of them meet in one sentence."""

VOCABULARY_BITS = 20
"""The vocabulary has a bit for each word: one unknown word in sixteen shares the bit of a known one."""

_VERSION = TextPattern(r"v?[0-9]+\.[0-9]")
_HEX = TextPattern("[0-9a-f]{6,}")
_MARKS = "-_./@("
_CHOSEN = frozenset("!@#$%^&*+?~")
_MOST_AROUND = 24
"""Tokens on each side of a token whose words are features."""

_WIDE = "\u2fff"
"""Behind this come the scripts whose words end in particles."""


@lru_cache(maxsize=1024)
def hash_of(word: str) -> int:
    """Return the hash of a token's normal form."""
    return zlib.crc32(word.encode("utf-8", "replace"))


def place_of(salt: int, word: int) -> int:
    """Return the place of a feature in a table, for the hash of its kind and of its word."""
    return ((word ^ salt) * _FACTOR & _HASHES) >> _UNUSED


def bit_of(word: int) -> int:
    """Return the bit of the vocabulary that stands for the word of a hash."""
    return (word * _FACTOR & _HASHES) >> (32 - VOCABULARY_BITS)


def weigh(table: Sequence[int], salt: int, words: Iterable[int]) -> list[int]:
    """Return the weights of words as features of one kind."""
    return [table[((word ^ salt) * _FACTOR & _HASHES) >> _UNUSED] for word in words]


_FACTOR = 0x9E3779B1
_HASHES = 0xFFFFFFFF
_UNUSED = 32 - BITS
"""Bits of a hash that are no part of a place."""


SIDES = (hash_of("s<"), hash_of("s>"))
"""The kinds of the features of words that lie farther away in the sentence, before and behind. Words of other
sentences find no more secrets where as few honest texts are touched, and would cost as much again."""


def context_class(word_class: WordClass) -> WordClass:
    """Return the class whose table weighs the words that lie farther from a word of `word_class`."""
    return "plain" if word_class == "plain" else "formed"


class Prose:
    """The tokens of a text with what their features are made of."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._hashes = [hash_of(token.normal_form) for token in tokens]

    @cached_property
    def words(self) -> list[int]:
        """The hashes of all words. A run without blanks between its words has those of its pairs of letters."""
        return [word for words in self._parts for word in words]

    @cached_property
    def _parts(self) -> list[tuple[int, ...]]:
        """The hashes of each token's words. What repeats one of the two tokens before says nothing more."""
        forms = ["", "", *(token.normal_form for token in self.tokens)]
        return [
            () if word in (one, two) else _words_of(word)
            for two, one, word in zip(forms, forms[1:], forms[2:], strict=False)
        ]

    @cached_property
    def _starts(self) -> list[int]:
        """Where the words of each token begin in `words`."""
        return list(accumulate(map(len, self._parts), initial=0))

    @cached_property
    def _script(self) -> str:
        return _script_of_all(self.tokens)

    @cached_property
    def _borders(self) -> list[int]:
        """The first token of each sentence."""
        sentences = [token.sentence for token in self.tokens]
        return [bisect_left(sentences, number) for number in range(sentences[-1] + 2)]

    def sides(self, place: int) -> tuple[int, int, int, int]:
        """Return the words beside the token at `place`: where those of each of `SIDES` begin and end in `words`.

        They are in its sentence, and of at most 24 tokens on each side.
        """
        sentence = self.tokens[place].sentence
        begin, end = self._borders[sentence], self._borders[sentence + 1]
        starts = self._starts
        return (
            starts[max(place - _MOST_AROUND, begin)],
            starts[place],
            starts[place + 1],
            starts[min(place + 1 + _MOST_AROUND, end)],
        )

    def places(self, place: int, word_class: WordClass) -> list[int]:
        """Return the places of the features of the token at `place`: its form, and the words beside it."""
        token, hashes = self.tokens[place], self._hashes
        begin, end = self._borders[token.sentence : token.sentence + 2]
        one = hashes[place - 1] if place - 1 >= begin else _OUTSIDE
        two = hashes[place - 2] if place - 2 >= begin else _OUTSIDE
        three = hashes[place - 3] if place - 3 >= begin else _OUTSIDE
        following = hashes[place + 1] if place + 1 < end else _OUTSIDE
        second = hashes[place + 2] if place + 2 < end else _OUTSIDE
        found = [  # `place_of` written out, as in `weigh`: the calls would cost more than the rest
            ((word ^ salt) * _FACTOR & _HASHES) >> _UNUSED
            for salt, word in (
                (_FIRST_BEFORE, one),
                (_SECOND_BEFORE, two),
                (_THIRD_BEFORE, three),
                (_FIRST_AFTER, following),
                (_SECOND_AFTER, second),
                (_PAIR_BEFORE, two * 31 + one & _HASHES),
                (_PAIR_AROUND, one * 31 + following & _HASHES),
            )
        ]
        found += _places_of_form(token.text, token.normal_form, word_class, self._script)
        if self._ends_sentence(place, end):
            found.append(_ENDS)
        if place and (word := self.tokens[place - 1].normal_form) > _WIDE:
            found += _places_of_particles(_PARTICLE_BEFORE, word[-3:])
        if place + 1 < len(hashes) and (word := self.tokens[place + 1].normal_form) > _WIDE:
            found += _places_of_particles(_PARTICLE_AFTER, word[2::-1])
        return found

    def _ends_sentence(self, place: int, end: int) -> bool:
        """Return whether at most one sign stands between a token and the end of its sentence."""
        return place + 1 >= end or (
            place + 2 >= end and not self.tokens[place + 1].text[0].isalnum()
        )


_FIRST_BEFORE, _SECOND_BEFORE, _THIRD_BEFORE = map(hash_of, ("1<", "2<", "3<"))
_FIRST_AFTER, _SECOND_AFTER = map(hash_of, ("1>", "2>"))
_PAIR_BEFORE, _PAIR_AROUND = map(hash_of, ("12<", "1<>"))
_PARTICLE_BEFORE, _PARTICLE_AFTER = map(hash_of, ("e<", "b>"))
_FORM = hash_of("form")
_ENDS = place_of(_FORM, hash_of("ends"))
_OUTSIDE = hash_of("^")

_LONGEST_WORD = 2
"""Letters of a run that are one word. Longer runs of kanji or hangul are told by their pairs of letters."""


@lru_cache(maxsize=1024)
def _words_of(word: str) -> tuple[int, ...]:
    """Return the hash of a word, or of the pairs of letters of a run without blanks between its words."""
    if word <= _WIDE or len(word) <= _LONGEST_WORD:
        return (hash_of(word),)
    return tuple(hash_of(word[start : start + 2]) for start in range(len(word) - 1))


@lru_cache(maxsize=1024)
def _places_of_particles(salt: int, letters: str) -> tuple[int, ...]:
    """Return the places of the letters next to a token, the nearest one last."""
    return tuple(place_of(salt, hash_of(letters[-size:])) for size in (1, 2, 3))


def _script(word: str) -> str:
    """Return a letter for the script that a word begins in."""
    first = word[0]
    if first < "\u0370":
        return "L"
    if first <= _WIDE:
        return "C" if first < "\u0530" else "o"
    if first <= "\u309f":
        return "h"
    if first <= "\u30ff" or "\uff66" <= first <= "\uff9f":
        return "k"
    return "K" if first <= "\u9fff" else "H"


def _script_of_all(tokens: Sequence[Token]) -> str:
    """Return a letter for the scripts of a text: Japanese has several."""
    if max(token.text for token in tokens) < "\u0370":
        return "L"
    scripts = {_script(token.text) for token in tokens}
    return next((script for script in "hkHKC" if script in scripts), "L")


@lru_cache(maxsize=1024)
def _places_of_form(
    word: str, normal_form: str, word_class: WordClass, script: str
) -> tuple[int, ...]:
    """Return the places of the features of a token's form, in a text of a script."""
    parts = (*_parts_of_form(word, normal_form, word_class), f"script {_script(word)}{script}")
    return tuple(place_of(_FORM, hash_of(part)) for part in parts)


def _parts_of_form(word: str, normal_form: str, word_class: WordClass) -> Iterator[str]:
    yield f"size {min(len(word) // 2, 8)}"
    if word_class == "plain":
        yield f"word {normal_form}"
        yield f"end {normal_form[-3:]}"
    if word_class == "digits":
        yield f"digits {min(len(word), 9)}"
    if word_class in ("formed", "joined"):
        yield f"form {form_of(word.encode()).value}"
    if word[0].isupper():
        yield f"capital {word.isupper()}"
    if word[-1].isdigit():
        yield f"last digits {min(4, sum(map(str.isdigit, word)))}"
    yield from (f"has {mark}" for mark in _MARKS if mark in word)
    if not _CHOSEN.isdisjoint(word):
        yield "like chosen"
    if _VERSION.match(word):
        yield "like version"
    if CAMEL.search(word):
        yield "like camel"
    if _HEX.fullmatch(word):
        yield "like hex"
