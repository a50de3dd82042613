"""The tokens of prose, and the classes of those among them that may be secrets."""

from functools import lru_cache
from typing import Literal, NamedTuple

from hooklore.redaction.finding import MASK_PATTERN
from hooklore.redaction.pattern import TextPattern
from hooklore.redaction.rules.published import SSH_KEY
from hooklore.redaction.rules.value_forms import Form, form_of

WordClass = Literal["formed", "joined", "digits", "hexadecimal", "plain"]
"""The class of a token: the form of a secret, words joined to one, digits alone, a long number in hexadecimal
digits, which names a thing more often than it opens one, and every other word."""


class Token(NamedTuple):
    """A token with its offsets in characters, as it is compared with others, and the number of its sentence."""

    start: int
    end: int
    text: str
    normal_form: str
    sentence: int


_TOKEN = TextPattern(
    rf"{MASK_PATTERN}|"
    r"[!-~\u00a1-\u1fff]+|[\u3041-\u309f]{1,24}|[\u30a1-\u30ff\uff66-\uff9f]{1,24}|[\u3400-\u9fff々〇]{1,24}|[\uac00-\ud7af]{1,24}"
    r"|[\uff01-\uff5e]+|\S"
)
"""A run without a blank, or of one script of those that put no blanks between words."""

_OPENING = "\"'`([{<*_“‘«„¿¡"
_CLOSING = "\"'`)]}>,.;:?*_”’»…"
_DIVIDER = TextPattern(r"[/:=,|→]")
_CLOCK = TextPattern(r"[0-9]+[/:.][0-9]+")
_BREAK = TextPattern(r"[。！？\n]|[.!?…](?=[\s\"'”»)]|\Z)|;\s")
_DIGIT = TextPattern("[0-9]")
_LONGEST_WORD = 16
_MASK = "[REDACTED:"
_ENTITY = "&#"


def split_prose(text: str) -> list[Token]:
    """Return the tokens of a text in order. Signs around a word are tokens of their own."""
    tokens: list[Token] = []
    breaks = [found.end() for found in _BREAK.finditer(text)]
    breaks.append(len(text) + 1)
    sentence = 0
    for found in _TOKEN.finditer(text):
        first, last = found.span()
        while first >= breaks[sentence]:
            sentence += 1
        word = found[0]
        if word.isalnum():
            tokens.append(Token(first, last, word, _normal_form(word), sentence))
            continue
        for start, end in _parts(text, first, last):
            word = text[start:end]
            tokens.append(Token(start, end, word, _normal_form(word), sentence))
    return tokens


def _parts(text: str, first: int, last: int) -> list[tuple[int, int]]:
    """Return the spans of a run: the signs before it, its one or two words, the signs behind it."""
    if text[first] > "\u1fff" or last - first == 1 or text.find(_MASK, first, last) >= 0:
        return [(first, last)]
    start, end = first, last
    while start < end and text[start] in _OPENING:
        start += 1
    while end > start and text[end - 1] in _CLOSING:
        end -= 1
    spans = [(place, place + 1) for place in range(first, start)]
    if start < end:
        spans += _divided(text, start, end)
    spans += [(place, place + 1) for place in range(end, last)]
    return spans


def _divided(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the two words that one divider joins (`admin/…`, `pw=…`), else the whole."""
    signs = [found.start() for found in _DIVIDER.finditer(text, start, end)]
    if len(signs) != 1 or not start < signs[0] < end - 1 or _CLOCK.fullmatch(text, start, end):
        return [(start, end)]
    return [(start, signs[0]), (signs[0], signs[0] + 1), (signs[0] + 1, end)]


@lru_cache(maxsize=1024)
def _normal_form(word: str) -> str:
    """Return a word in lower case, each digit as 0, cut to its beginning if it is long."""
    if word.startswith(_MASK):
        return _MASK
    known: str = word.lower() if word.isalpha() else _DIGIT.sub("0", word.lower())
    return known if len(known) <= _LONGEST_WORD or known > "\u2fff" else known[:14] + "~"


@lru_cache(maxsize=1024)
def classify_word(word: str) -> WordClass | None:
    """Return the class of a token that may be a secret; None for signs, masks, names in code and public keys."""
    if word[0] > "\u1fff" or len(word) < _SHORTEST or (word.isalpha() and word[1:].islower()):
        return "plain" if len(word) > 1 and word[0].isalpha() else None
    if (
        _MASK in word
        or _ENTITY in word
        or _PUBLISHED.match(word)
        or (word[0] in "~/" and word.count("/") >= _PARTS)
    ):
        return None
    if not word.isascii():
        return "joined" if any(map(str.isdigit, word)) else "plain"
    if word.isdigit():
        return "digits"
    return "hexadecimal" if _HEXADECIMAL.fullmatch(word) else _class_of_form(word)


def _class_of_form(word: str) -> WordClass | None:
    form = form_of(word.encode())
    if form in (Form.NONE, Form.JOINED) and CAMEL.search(word):
        return None
    if form is Form.NONE:
        return "plain" if word.translate(_WITHIN_WORDS).isalnum() else None
    if form is Form.JOINED:
        return "joined"
    return "digits" if form is Form.DIGITS else "formed"


_WITHIN_WORDS = str.maketrans("", "", "-'’")
_SHORTEST = 3
_PARTS = 3
"""Parts of a path that no secret has by chance."""

CAMEL = TextPattern("[a-z][A-Z]")
"""Prose about programs is full of such names, and hardly one in a hundred is a passphrase."""

_HEXADECIMAL = TextPattern(r"(?:0x)?[0-9a-fA-F-]{8,}")
_PUBLISHED = TextPattern(
    r"pk_(?:live|test)_|sb_publishable_|phc_|sq0idp-|mob-|hcxik_|AC[0-9a-f]{32}$"
    rf"|{SSH_KEY}"
    r"|ssh-|[Tt]est(?:[A-Z][a-z0-9A-Z]*)?_|(?:SHA256:|MD5:)?[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){3}"
)
"""The beginnings of what vendors call public, of names of tests, fingerprints and addresses of devices."""
