"""Patterns that begin with the keyword of a secret's name: `password = …`, `set API_TOKEN to …`."""

import bisect
from collections.abc import Iterator
from functools import lru_cache

from hooklore.redaction.pattern import ByteSpan, Groups, Pattern, TextPattern
from hooklore.redaction.rules.names import KEYWORD, SENSITIVE_KEYWORD, is_one_word


class KeywordPattern:
    """A pattern that begins with the keyword of a secret's name as its first group, and is read only behind one.

    The automaton of a search holds a state for all places at which a match may have begun. Many long
    alternatives behind a common word need thousands of them; from one known place they need a few. The
    keywords of a text are found once for all such patterns. `gate` is what must follow a keyword, as a cheap
    pattern of Python's `re`.
    """

    __slots__ = ("_gate", "_rest", "_whole")

    def __init__(self, gate: bytes, rest: str) -> None:
        self._gate = TextPattern(gate)
        self._rest = Pattern(rf"(?i){rest}")
        self._whole = Pattern(rf"(?i)({SENSITIVE_KEYWORD}){rest}")

    def search(self, raw: bytes, start: int, end: int) -> Groups | None:
        """Return the first match between the two offsets, or None."""
        if len(raw) > _REMEMBERED:
            return self._whole.search(raw, start, end)
        may_follow, match = self._gate.match, self._rest.match
        for first, last in _keywords(raw, start):
            if may_follow(raw, last) and (groups := match(raw, last, end)):
                return (first, groups[0][1]), (first, last), *groups[1:]
        return None


_REMEMBERED = 64 * 1024
"""Bytes of the longest text whose keywords are found first. A longer one may hold nothing else, and is searched
for the whole pattern at once."""


def _keywords(raw: bytes, start: int) -> Iterator[ByteSpan]:
    """Yield the keywords that begin at `start` or behind it, also those within another."""
    spans = _keywords_of(raw)
    for place in range(bisect.bisect_left(spans, (start, 0)), len(spans)):
        yield spans[place]


@lru_cache(maxsize=2)
def _keywords_of(raw: bytes) -> list[ByteSpan]:
    """Return the spans of the keywords, without those that begin a longer word: `passed`, `author`."""
    spans: list[ByteSpan] = []
    start = 0
    while found := KEYWORD.search(raw, start, len(raw)):
        first, last = found[0]
        start = first + 1
        following = raw[last : last + 2]
        if not is_one_word(raw[last - 1 : last], following) or following[:1] in b"sS":
            spans.append((first, last))
            if shorter := _shorter(raw, first, last):
                spans.append(shorter)
    return spans


def _shorter(raw: bytes, first: int, last: int) -> ByteSpan | None:
    """Return the span of the keyword that one of two words begins with: `auth` of `auth key`."""
    words = raw[first:last].split(b" ", 1)
    found = KEYWORD.match(raw, first, first + len(words[0])) if len(words) > 1 else None
    return found[0] if found else None
