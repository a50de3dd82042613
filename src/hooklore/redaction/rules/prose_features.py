"""The features by which a token of prose is judged: its form, the words beside it, and those of its sentence."""

from collections.abc import Iterator, Sequence

from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.prose_tokens import CAMEL, Token, WordClass
from hooklore.redaction.rules.value_forms import form_of

Feature = tuple[str, str]
"""The kind of a feature (`"1<"`: the word before a token), and its value."""

_VERSION = TextPattern(r"v?[0-9]+\.[0-9]")
_HEX = TextPattern("[0-9a-f]{6,}")
_MARKS = "-_./@("
_CHOSEN = frozenset("!@#$%^&*+?~")
_MOST_AROUND = 24
"""Tokens on each side of a token whose words are features."""


def features_of(tokens: Sequence[Token], place: int, word_class: WordClass) -> set[Feature]:
    """Return the features of the token at `place`."""
    features = {*_beside(tokens, place), *_around(tokens, place)}
    features.update(_of_form(tokens[place].text, word_class))
    return features


def _beside(tokens: Sequence[Token], place: int) -> Iterator[Feature]:
    """Yield the three words before a token and the two behind it, in its sentence."""
    before, after = _word(tokens, place, -1), _word(tokens, place, 1)
    yield "1<", before
    yield "2<", _word(tokens, place, -2)
    yield "3<", _word(tokens, place, -3)
    yield "1>", after
    yield "2>", _word(tokens, place, 2)
    if before > _WIDE:
        yield from (("e<", before[-size:]) for size in (1, 2, 3))
    if after > _WIDE:
        yield from (("b>", after[:size]) for size in (1, 2, 3))


_LONGEST_WORD = 2
"""Letters of a run that are one word. Longer runs of kanji or hangul are told by their pairs of letters."""

_WIDE = "\u2fff"
"""Behind this come the scripts whose words end in particles."""


def _word(tokens: Sequence[Token], place: int, step: int) -> str:
    other = place + step
    if not 0 <= other < len(tokens):
        return "^"
    return tokens[other].normal_form if tokens[other].sentence == tokens[place].sentence else "/"


def _around(tokens: Sequence[Token], place: int) -> Iterator[Feature]:
    """Yield the words of the sentence on each side, those of the sentences beside it, and where it ends."""
    own = tokens[place].sentence
    for token in tokens[max(0, place - _MOST_AROUND) : place]:
        if own - 1 <= token.sentence:
            side = "s<" if token.sentence == own else "p<"
            yield from ((side, word) for word in _words_of(token.normal_form))
    for token in tokens[place + 1 : place + _MOST_AROUND + 1]:
        if token.sentence <= own + 1:
            side = "s>" if token.sentence == own else "n>"
            yield from ((side, word) for word in _words_of(token.normal_form))
    yield "ends", str(_ends_sentence(tokens, place))


def _words_of(word: str) -> Sequence[str]:
    """Return a word, or the pairs of letters of a run without blanks between its words."""
    if word <= _WIDE or len(word) <= _LONGEST_WORD:
        return (word,)
    return [word[place : place + 2] for place in range(len(word) - 1)]


def _ends_sentence(tokens: Sequence[Token], place: int) -> bool:
    """Return whether at most one sign stands between a token and the end of its sentence."""
    for token in tokens[place + 1 : place + 3]:
        if token.sentence != tokens[place].sentence:
            return True
        if token.text[0].isalnum():
            return False
    return len(tokens) <= place + 2


def _of_form(word: str, word_class: WordClass) -> Iterator[Feature]:
    """Yield the features of the form of a token."""
    yield "size", str(min(len(word) // 2, 8))
    if word_class == "digits":
        yield "digits", str(min(len(word), 9))
    if word_class in ("formed", "joined"):
        yield "form", str(form_of(word.encode()).value)
    if word[0].isupper():
        yield "capital", str(word.isupper())
    if word[-1].isdigit():
        yield "last digits", str(min(4, sum(map(str.isdigit, word))))
    yield from (("has", mark) for mark in _MARKS if mark in word)
    if not _CHOSEN.isdisjoint(word):
        yield "like", "chosen"
    if _VERSION.match(word):
        yield "like", "version"
    if CAMEL.search(word):
        yield "like", "camel"
    if _HEX.fullmatch(word):
        yield "like", "hex"
