"""Bare tokens: random text, long or short, that neither a name nor a vendor's prefix identifies.

A word of nine to 29 characters that stands alone, between blanks, quotes or signs that assign, and whose small
letters, capitals and digits follow one another as in a drawn text, is a password, a key or an id.
What is left of it in honest text is an id with its name, a product (`iPhone15Pro`) or a drawing's path: of 66,450
texts of three real projects the rule touches none.
"""

import itertools
from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    LETTERS,
    count_class_changes,
    is_high_entropy,
    remove_bytes,
)
from hooklore.redaction.rules.published import begins_as_published, is_called_public, is_encrypted
from hooklore.redaction.rules.value_forms import Form, count_in_words, form_of

_SHORTEST, _LONGEST, _FEWEST = 30, 128, 15
"""Lengths of a token, and its different characters. Service ids have up to 28 characters behind a prefix. A longer
run is a picture, a font or a program."""

_RUN = Pattern(r"[A-Za-z0-9_+/-]{30,}={0,2}")
_PREFIX = Pattern(r"^[A-Za-z][a-z]{0,11}[_-]")
_WRAPPED = 60

_BASE64 = LETTERS + DIGITS + b"+/"
_MASK = b"[REDACTED:bare]"
_ESCAPES = (b"\\n", b"\\r", b"\\t")
_AROUND = b" \t>\"'+,"


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((place, last),) in _RUN.each(raw, start, end):
        if place == start and raw[max(0, place - 1) : place].isalnum():
            continue  # the end of a run that lies whole in the window before
        value = raw[place:last]
        if value.islower() or value.isupper() or len(remove_bytes(value, DIGITS)) == len(value):
            continue  # most runs are paths and hexadecimal digits
        first = place + (raw[max(0, place - 1) : place + 1] in _ESCAPES)
        if last - first > _LONGEST or len(set(value)) < _FEWEST or _is_wrapped(raw, first, last):
            continue
        if is_called_public(raw, first, last) or not is_high_entropy(raw[first:last], _SHORTEST):
            continue
        is_open = _is_public(raw[first:last]) or is_encrypted(raw, first)
        yield "bare", first, first if is_open else last
    for name, first, last in find_drawn_words(raw, start, end):
        is_open = is_called_public(raw, first, last) or is_encrypted(raw, first)
        is_open = is_open or begins_as_published(raw[first:last])
        yield name, first, first if is_open else last


def _is_wrapped(raw: bytes, first: int, last: int) -> bool:
    """Return whether the value is a line of wrapped base64, judged by the line before the value.

    A value as long as such lines are is also judged by the line after. A masked line counts as base64, or
    each mask would remove the reason why its neighbour was dismissed.
    """
    before = _line_above(raw[max(0, first - 96) : first])
    if len(before) >= _WRAPPED and not remove_bytes(before[-_WRAPPED:], _BASE64):
        return True
    if last - first < _WRAPPED:
        return False
    after = _line_below(raw[last : last + 96])
    if before.endswith(_MASK) or after.startswith(_MASK):
        return True
    line = after[:_WRAPPED]
    rest = line.lstrip(_BASE64)
    return (len(line) == _WRAPPED and not rest) or (rest[:1] == b"=" and len(rest) < len(line))


def _line_above(before: bytes) -> bytes:
    """Return the end of the line before, empty if the value does not begin a line."""
    line = before.rstrip(_AROUND)
    if line.endswith(b"\\n"):
        return line[:-2].rstrip(_AROUND)
    return line.rstrip(b"\r\n").rstrip(_AROUND) if line.endswith(b"\n") else b""


def _line_below(after: bytes) -> bytes:
    """Return the start of the next line, empty if the value does not end a line."""
    line = after.lstrip(_AROUND)
    if line.startswith(b"\\n"):
        return line[2:].lstrip(_AROUND)
    return line.lstrip(b"\r\n").lstrip(_AROUND) if line[:1] in (b"\r", b"\n") else b""


def _is_public(value: bytes) -> bool:
    """Return whether the value begins as public data does, or is a service's id behind a prefix."""
    prefix = _PREFIX.match(value, 0, len(value))
    if prefix is not None and not is_high_entropy(value[prefix[0][1] :], _SHORTEST):
        return True
    return begins_as_published(value)


# ---- short drawn words, told by how their letters and digits alternate

_SHORTEST_WORD, _LONGEST_WORD = 9, 29
_MOST_SIGNS = 2
_FEWEST_CHANGES = 4
_SIGN = "!#%&*+@^~?$"
_ANY = "[A-Za-z0-9]*"
_ORDERS = "|".join(map(_ANY.join, itertools.permutations(("[a-z]", "[A-Z]", "[0-9]"))))
_WORD = Pattern(rf"[A-Za-z0-9{_SIGN}]*(?:{_ORDERS})[A-Za-z0-9{_SIGN}]*")
"""A word with letters of both cases and digits."""

_BEFORE = b" \t\r\n\"'`=:,([>\x8c\x8e"
_AFTER = b" \t\r\n\"'`,;)|]<\\.:\xe3"
"""Bytes that a word stands between. The last ones are of 「, 『, 」 and 』."""

_DRAWING = Pattern(r"^(?:[mMlLhHvVcCsSqQtTaAzZ]{0,2}[0-9]+)+[zZ]?$")

_CAMEL = Pattern(r"[A-Z][a-z]{2,}[A-Z][a-z]{2,}")


def find_drawn_words(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the words that look drawn."""
    for ((first, last),) in _WORD.each(raw, start, end):
        if not _SHORTEST_WORD <= last - first <= _LONGEST_WORD:
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
    if count_in_words(word) * 2 > len(word) or _CAMEL.occurs_in(word) or _DRAWING.occurs_in(word):
        return False
    return form_of(word) >= Form.CHOSEN


HIGH_ENTROPY = Rule("", _find)
