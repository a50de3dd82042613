"""Secrets that people tell in prose without a label or a link: a model of what stands around a word.

The rules of sentences know labels and links, and people tell secrets in more ways than a list has: "oh and
restic wants …", "… ← これがstagingのパス". So each word of prose that may be a secret, and that no rule found, is
judged by its form and the words around it. `prose_weights.bin` has the weights of a logistic regression. Of plain
words those are judged that no program prints: "the password is expired" tells a state, "… is marigold" does not.
The model never takes a finding of a rule back: it would hide fewer names, and show some passwords that a label
announces.
"""

import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from hooklore.redaction.finding import Finding, merge_findings
from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.prose_features import SIDES, Prose, context_class, weigh
from hooklore.redaction.rules.prose_tokens import Token, WordClass, classify_word, split_prose

PROSE = "prose"
"""The rule name of what the model finds."""

_WINDOW = 16 * 1024
"""Characters that are read at once: what one record keeps of a text. A longer text is cut at a line, or a blank."""

_LONGEST = 256 * 1024
"""Characters of the longest text that is judged. No hook stores one."""

_FEWEST_WORDS = 2
"""Plain words that a sentence has, or it is no prose: a command, a path, a row of values."""

_PUBLIC = TextPattern(r"(?i)\b(?:public|publishable|search|site)[ _-]?key[^.!?\n]{0,12}\Z")
_LONGEST_LABEL = 32
"""Characters before a token that may call it public."""


class Judged(NamedTuple):
    """A word of prose that may be a secret: its place among the tokens, and its class."""

    place: int
    word_class: WordClass


def find_in_prose(text: str, found: Sequence[Finding]) -> list[Finding]:
    """Return the secrets that the model finds in a text, beside what the rules `found`.

    Offsets count in characters.
    """
    if len(text) > _LONGEST:
        return []
    spans = [
        Finding(PROSE, start + first, start + last)
        for start, end in _windows(text)
        for first, last in _secrets_of(text[start:end])
    ]
    return _outside(text, spans, merge_findings(found)) if spans and found else spans


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that are read at once."""
    start = 0
    while len(text) - start > _WINDOW:
        end = max(text.rfind(sign, start + 1, start + _WINDOW) for sign in "\n ")
        end = end if end > start else start + _WINDOW
        yield start, end
        start = end
    yield start, len(text)


def _outside(text: str, spans: Sequence[Finding], found: Sequence[Finding]) -> list[Finding]:
    """Return what of `spans` meets none of `found`, which are in order and apart.

    A word of which the rules found a part stays theirs, and of a phrase the rest is kept.
    """
    ends = [each.end for each in found]
    starts = [each.start for each in found]
    kept: list[Finding] = []
    for span in spans:
        met = found[bisect.bisect_right(ends, span.start) : bisect.bisect_left(starts, span.end)]
        if not met:
            kept.append(span)
        elif " " in text[span.start : span.end]:
            kept += _between(text, span, met)
    return kept


def _between(text: str, span: Finding, met: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the parts of a span that lie between the findings that it meets."""
    borders = [span.start, *(edge for each in met for edge in (each.start, each.end)), span.end]
    for first, last in zip(borders[::2], borders[1::2], strict=True):
        if text[first:last].strip():
            yield Finding(PROSE, first, last)


def _secrets_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the secrets in a text, in order.

    Words of one secret, with one or two others between them, are one span, and so is all that stands in quotes
    with one of them.
    """
    prose = Prose(split_prose(text))
    spans: list[tuple[int, int]] = []
    for place in _secret_places(prose, text):
        token = prose.tokens[place]
        first, last = _in_quotes(text, token.start, token.end)
        if spans and (first <= spans[-1][1] or _BETWEEN.fullmatch(text, spans[-1][1], first)):
            spans[-1] = spans[-1][0], max(last, spans[-1][1])
        else:
            spans.append((first, last))
    yield from spans


_BETWEEN = TextPattern(r"[ -]|[ -](?:[^\W\d_]+[ -]){1,2}")
_QUOTES = tuple(zip("\"'`“«„「『»", "\"'`”»“」』«", strict=True))
_LONGEST_QUOTED = 64


def _in_quotes(text: str, first: int, last: int) -> tuple[int, int]:
    """Return the span of a phrase in quotes around a word, or that of the word."""
    before, after = (
        text[max(0, first - _LONGEST_QUOTED) : first],
        text[last : last + _LONGEST_QUOTED],
    )
    for opening, closing in _QUOTES:
        begin, end = before.rfind(opening) + 1, after.find(closing)
        inside = before[begin:] + after[: max(end, 0)]
        if begin and end >= 0 and closing not in before[begin:] and _PHRASE.fullmatch(inside):
            return first - len(before) + begin, last + end
    return first, last


_PHRASE = TextPattern(r"[\w '’-]*")


def _secret_places(prose: Prose, text: str) -> Iterator[int]:
    """Yield the places of the words that the model takes for secrets."""
    sums: dict[WordClass, PrefixSums] = {}
    for place, word_class in find_candidates(prose, text):
        if word_class not in sums:
            sums[word_class] = PrefixSums(prose, word_class)
        if sums[word_class].score(place) > 0:
            yield place


def find_candidates(prose: Prose, text: str) -> Iterator[Judged]:
    """Yield the words of prose that may be secrets. A word that programs print is hardly anybody's."""
    from hooklore.redaction.rules.prose_weights import is_known

    tokens = prose.tokens
    classes = [classify_word(token.text) for token in tokens]
    candidates = [
        Judged(place, word_class)
        for place, word_class in enumerate(classes)
        if word_class and not (word_class == "plain" and is_known(tokens[place].normal_form))
    ]
    words = _count_words(tokens, classes) if candidates else {}
    for candidate in candidates:
        token = tokens[candidate.place]
        if words.get(token.sentence, 0) >= _FEWEST_WORDS and not _is_public(token, text):
            yield candidate


def _is_public(token: Token, text: str) -> bool:
    """Return whether the words before a token call it public."""
    return _PUBLIC.search(text, max(0, token.start - _LONGEST_LABEL), token.start) is not None


def _count_words(tokens: Sequence[Token], classes: Sequence[WordClass | None]) -> dict[int, int]:
    """Return the number of plain words of each sentence."""
    words: dict[int, int] = {}
    for token, word_class in zip(tokens, classes, strict=True):
        if word_class == "plain" and len(token.text) > 1 and token.text[0].isalpha():
            words[token.sentence] = words.get(token.sentence, 0) + 1
    return words


class PrefixSums:
    """The weights of all words of a text for one class, added up, so that a word's neighbours cost two looks."""

    def __init__(self, prose: Prose, word_class: WordClass) -> None:
        from hooklore.redaction.rules.prose_weights import BIASES, TABLES

        self._prose = prose
        self._class = word_class
        self._bias = BIASES[word_class]
        self._table = TABLES[word_class]
        far = TABLES[context_class(word_class)]
        self._sums = [list(accumulate(weigh(far, salt, prose.words), initial=0)) for salt in SIDES]

    def score(self, place: int) -> int:
        """Return the sum of the weights of a word's features, less the bar of its class: above 0 for a secret."""
        begin, here, following, end = self._prose.sides(place)
        before, after = self._sums
        far = self._bias + before[here] - before[begin] + after[end] - after[following]
        if far <= -_MOST_OF_NEAR:
            return far
        return far + sum(map(self._table.__getitem__, self._prose.places(place, self._class)))


_MOST_OF_NEAR = 224
"""The most that the form of a word and the words beside it add, but for a few words. Two words in three lack more,
and are not looked at further."""
