"""Drawn words: short random texts beside no name, told by how their letters and digits alternate.

A word of nine to 29 characters that stands alone, between blanks, quotes or signs that assign, and whose small
letters, capitals and digits follow one another as in a drawn text, is a password, a key or an id.
What is left of it in honest text is an id with its name, a product (`iPhone15Pro`) or a drawing's path: of 66,450
texts of three real projects the rule touches none.
"""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    LETTERS,
    count_class_changes,
    remove_bytes,
)
from hooklore.redaction.rules.value_forms import Form, count_in_words, form_of

_SHORTEST, _LONGEST = 9, 29
_MOST_SIGNS = 2
_FEWEST_CHANGES = 4
_SIGN = "!#%&*+@^~?$"
_ANY = "[A-Za-z0-9]*"
_A, _B, _C = "[a-z]", "[A-Z]", "[0-9]"
_ORDERS = "|".join(
    _ANY.join(order)
    for order in (
        (_A, _B, _C),
        (_A, _C, _B),
        (_B, _A, _C),
        (_B, _C, _A),
        (_C, _A, _B),
        (_C, _B, _A),
    )
)
_WORD = Pattern(rf"[A-Za-z0-9{_SIGN}]*(?:{_ORDERS})[A-Za-z0-9{_SIGN}]*")
"""A word with letters of both cases and digits."""

_BEFORE = b" \t\r\n\"'`=:,([>\x8c\x8e"
_AFTER = b" \t\r\n\"'`,;)|]<\\.:\xe3"
"""Bytes that a word stands between. The last ones are of 「, 『, 」 and 』."""

_PATH = Pattern(r"^(?:[mMlLhHvVcCsSqQtTaAzZ]{0,2}[0-9]+)+[zZ]?$")
"""A part of the path of an SVG drawing."""

_CAMEL = Pattern(r"[A-Z][a-z]{2,}[A-Z][a-z]{2,}")


def find_drawn_words(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the words that look drawn."""
    for ((first, last),) in _WORD.each(raw, start, end):
        if not _SHORTEST <= last - first <= _LONGEST:
            continue
        if (first and raw[first - 1] not in _BEFORE) or (
            last < len(raw) and raw[last] not in _AFTER
        ):
            continue
        if is_drawn_word(raw[first:last]):
            yield "bare", first, last


def is_drawn_word(word: bytes) -> bool:
    """Return whether small letters, capitals and digits alternate in a word as in a drawn text."""
    letters = len(word) - len(remove_bytes(word, LETTERS))
    signs = len(remove_bytes(word, LETTERS + DIGITS))
    changes = count_class_changes(word)
    if signs > _MOST_SIGNS or changes < _FEWEST_CHANGES or changes * 3 < len(word):
        return False
    if letters * 5 < len(word) * 2 or len(set(word)) * 2 < len(word):
        return False
    if count_in_words(word) * 2 > len(word) or _CAMEL.occurs_in(word) or _PATH.occurs_in(word):
        return False
    return form_of(word) >= Form.CHOSEN
