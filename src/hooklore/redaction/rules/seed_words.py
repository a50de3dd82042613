"""Words that restore a wallet: twelve or more of BIP 39's list in a row, whatever stands beside them."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Rule

_FEWEST: Final = 12
_FEWEST_DIFFERENT: Final = 9
"""Words of a row that differ: phrases are drawn, and a text that repeats itself is not."""

_APART = r"(?:[ \t]*,[ \t]*|[ \t]+|[ \t]*\r?\n[ \t]*)(?:[0-9]{1,2}[.):]?[ \t]*)?"
"""What stands between two words: a blank, a comma, the end of a line, and the number of the next word."""

_RUN = Pattern(rf"(?i)\b[a-z]{{3,8}}(?:{_APART}[a-z]{{3,8}}){{11}}(?:{_APART}[a-z]+)*")
_WORD = Pattern(r"(?i)[a-z]+")
_SEPARATORS: Final = bytes.maketrans(b",.:)0123456789", b" " * 14)


@cache
def _listed() -> frozenset[bytes]:
    """Return the 2,048 words of the English list, read at the first row of words that may be some."""
    from mnemonic import Mnemonic  # most processes never see such a row

    return frozenset(word.encode() for word in Mnemonic("english").wordlist)


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _RUN.each(raw, start, end):
        words = raw[first:last].lower().translate(_SEPARATORS).split()
        known = [word in _listed() for word in words]
        if sum(known) >= _FEWEST - 1:
            spans = [span for (span,) in _WORD.each(raw, first, last)]
            for begins, ends in _rows(known):
                found = len(set(words[begins : ends + 1])) >= _FEWEST_DIFFERENT
                yield "seed", spans[begins][0], spans[ends if found else begins][found]


def _rows(known: list[bool]) -> Iterator[ByteSpan]:
    """Yield the first and the last place of each row of words of the list.

    One word in twelve may be another, also the first or the last: a phrase that a person writes down has a slip.
    """
    place = 0
    while place < len(known):
        last = _row_end(known, place)
        length = last - place + 1
        if length == _FEWEST - 1 and len(known) >= _FEWEST:
            yield (place, last + 1) if last + 1 < len(known) else (place - 1, last)
        elif length >= _FEWEST:
            yield place, last
        place = max(last, place) + 1


def _row_end(known: list[bool], place: int) -> int:
    """Return the last place of the row that begins at `place`, one before it without a row."""
    slips, last = 0, place - 1
    for each in range(place, len(known)):
        if known[each]:
            last = each
        elif each == place or slips > (each - place) // _FEWEST:
            break
        else:
            slips += 1
    return last


SEED_WORDS = Rule("", _find)
