"""Words that restore a wallet: twelve or more of BIP 39's list in a row, whatever stands beside them."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
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


_LENGTHS: Final = (12, 15, 18, 21, 24)
_ENGLISH: Final = frozenset(
    b"about above across again all also always any because before can dance each fine give have hold "
    b"just keep kind know like make may more most much must need new next note now once only open "
    b"other own rather run same service share start such than that then there they this time tool try "
    b"turn under until use way what when where will with work world year you your".split()
)
"""Words of the list that sentences are made of."""

_FEW: Final = 2
_LONGEST_BEFORE = 64
_NAMED = Pattern(
    r"(?i)seed|mnemonic|phrase|wallet|recover|words|フレーズ|復元|ウォレット|助记词|시드|니모닉"
)
"""Words before a row that say what it is."""


@cache
def _listed() -> dict[bytes, int]:
    """Return the words of the list with their numbers, read at the first row that may be of some."""
    from hooklore.redaction.rules.wallet_words import NUMBERS  # 3 ms, and few texts have such a row

    return NUMBERS


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _RUN.each(raw, start, end):
        words = raw[first:last].lower().translate(_SEPARATORS).split()
        known = [word in _listed() for word in words]
        if sum(known) >= _FEWEST - 1:
            spans = [span for (span,) in _WORD.each(raw, first, last)]
            for begins, ends in _rows(known):
                row = words[begins : ends + 1]
                found = _is_drawn(row) and (
                    _is_alone(raw, row, spans[begins][0], spans[ends][1]) or _has_checksum(row)
                )
                yield "seed", spans[begins][0], spans[ends if found else begins][found]


def _is_drawn(row: list[bytes]) -> bool:
    """Return whether a row may be drawn: a list has its words in order, and a text repeats some."""
    return len(set(row)) >= _FEWEST_DIFFERENT and row != sorted(row)


def _is_alone(raw: bytes, row: list[bytes], first: int, last: int) -> bool:
    """Return whether a row has a phrase's length and no sentence's words, and is named or stands alone."""
    if len(row) not in _LENGTHS or sum(word in _ENGLISH for word in row) > _FEW:
        return False
    if _NAMED.search(raw, max(0, first - _LONGEST_BEFORE), first):
        return True
    before, behind = raw[max(0, first - 1) : first], raw[last : last + 1]
    return before in _BORDERS and behind in _BORDERS


_BORDERS = (b"", b"\n", b'"', b"'", b"`", b"\r")


def _has_checksum(row: list[bytes]) -> bool:
    """Return whether a phrase that restores a wallet begins near the beginning of a row, or ends near its end."""
    numbers = [_listed().get(word, -1) for word in row]
    return any(
        _is_phrase(numbers[place : place + length])
        for length in _LENGTHS
        for place in sorted(
            {*range(_NEAR), *range(len(row) - length - _NEAR + 1, len(row) - length + 1)}
        )
        if 0 <= place <= len(row) - length
    )


_NEAR = 3
"""Words of a sentence that may be of the list by chance, before and behind a phrase."""


def _is_phrase(numbers: list[int]) -> bool:
    """Return whether the last bits of a phrase are the checksum of the others (BIP 39)."""
    if -1 in numbers:
        return False
    bits = 0
    for number in numbers:
        bits = bits << 11 | number
    size = len(numbers) // 3
    drawn = (bits >> size).to_bytes(size * 4, "big")
    return sha256(drawn).digest()[0] >> (8 - size) == bits & ((1 << size) - 1)


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
