"""A text as it is read: without invisible characters and escapes, and with Latin letters for their look-alikes.

Rules see this text beside the original one, and their findings are mapped back. A text without such
characters is not folded.
"""

import bisect
import re
from collections.abc import Iterator
from typing import NamedTuple

from hooklore.redaction.pattern import TextPattern
from hooklore.text.unicode_cleaning import HIDDEN, HIDDEN_STARTS, latin_lookalikes

FOLDABLE = (
    r"[\x00-\x08\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}\x{ad}\x{300}-\x{36f}\x{61c}\x{115f}-\x{1160}\x{17b4}-\x{17b5}"
    r"\x{180b}-\x{180f}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0f}\x{feff}"
    r"\x{ffa0}\x{fff0}-\x{fffc}\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}\x{e0000}-\x{e0fff}"
    r"\x{1ab0}-\x{1aff}\x{1dc0}-\x{1dff}\x{20d0}-\x{20ff}\x{2800}\x{fe20}-\x{fe2f}"
    # full-width letters and digits, and full-width signs beside other visible ones
    r"\x{ff10}-\x{ff19}\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}\x{1d400}-\x{1d7ff}\x{2460}-\x{24ff}]"
    r"|[!-~][\x{ff01}-\x{ff5e}\x{2010}-\x{2015}\x{2212}][!-~]"
    # look-alikes in a word that has Latin letters, too, or that is a name with a value
    r"|[A-Za-z0-9_][\x{250}-\x{2af}\x{370}-\x{58f}\x{1d00}-\x{1d7f}\x{2100}-\x{218f}]"
    r"|[\x{250}-\x{2af}\x{370}-\x{58f}\x{1d00}-\x{1d7f}\x{2100}-\x{218f}]"
    r"""(?:[A-Za-z0-9_=]|["']?[ \t]?[:=])"""
    # escapes of the characters of names and operators, halves of a text
    r"|\\u00[2-7][0-9a-fA-F]|%3[DdAa]|%5[Ff]|\x{a0}[:=]|[A-Za-z0-9]\\\r?\n"
    r"|;&#"
    r"""|[A-Za-z0-9]["'](?:[ \t]*[+.&]+[ \t]*\\?(?:\r?\n[ \t]*)?|\r?\n[ \t]+)["'][A-Za-z0-9]"""
    # lines that a command or a string spells
    r"|\\n"
)
"""A pattern of what makes a text worth folding."""


_HIDDEN = TextPattern(HIDDEN)
_CHARACTERS = r"\\{1,2}u00(?P<u>[2-7][0-9a-fA-F])|%(?P<p>[2-7][0-9A-Fa-f])"
_ENTITIES = r"&#0*(?P<d>3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6]);|&#[xX]0*(?P<x>[2-7][0-9a-fA-F]);"
_LINES = r"\\{1,2}(?P<line>n)|\\{1,2}(?P<tab>t)"
_HALVES = (
    r"(?<=[A-Za-z0-9_+/=-])\\\r?\n[ \t]*(?=[A-Za-z0-9_+/=-])"
    r"|(?<=[A-Za-z0-9_+/=-])([\"'])[ \t]*(?:(?:\+|\.{1,2}|&)[ \t]*\\?(?:\r?\n[ \t]*)?|\r?\n[ \t]+)"
    r"[\"'](?=[A-Za-z0-9_+/=-])"
)
_PIECES = TextPattern(f"{HIDDEN}|{_CHARACTERS}|{_ENTITIES}|{_LINES}|{_HALVES}")
"""Invisible characters, escapes of characters and of lines, and the joints of two halves of a text."""

_PIECES_OF_LONG = TextPattern(f"{HIDDEN}|{_CHARACTERS}|{_ENTITIES}|{_HALVES}")
_LONG = 64 * 1024
"""Characters of a text whose lines may all be spelled. No command is longer, and each piece takes a microsecond."""

_BLANKS = {"line": "\n", "tab": "\t"}

_BEGINNINGS = rf"{HIDDEN_STARTS}|\\(?:\\?u00|[\r\n])|%[2-7]|&#|[\"'][ \t]*(?:[+.&]|[\r\n])"
_STARTS = TextPattern(rf"{_BEGINNINGS}|\\\\?[nt]")
_STARTS_OF_LONG = TextPattern(_BEGINNINGS)
"""The beginnings of pieces. A search for a few characters takes a fraction of one for all pieces."""


class FoldedText(NamedTuple):
    """A folded text. `pieces` lists the changed pieces: their ends in it, starts and ends in the original."""

    text: str
    pieces: tuple[list[int], list[int], list[int]]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text that was folded to `start`–`end`."""
        return self._original(start)[0], self._original(end - 1)[1]

    def _original(self, place: int) -> tuple[int, int]:
        """Return the span of the original text that became the character at `place`."""
        ends, begins, stops = self.pieces
        before = bisect.bisect_right(ends, place)
        start = place if before == 0 else stops[before - 1] + place - ends[before - 1]
        if before < len(ends) and ends[before] == place + 1 and begins[before] == start:
            return start, stops[before]
        return start, start + 1


def fold(text: str) -> FoldedText | None:
    """Return `text` folded, or None if that changes nothing."""
    parts: list[str] = []
    ends: list[int] = []
    begins: list[int] = []
    stops: list[int] = []
    copied = size = 0
    for found in _pieces(text):
        start, end = found.span()
        code = found.lastgroup
        if start > copied:
            parts.append(text[copied:start])
        if code:
            parts.append(_BLANKS.get(code) or chr(int(found[code], 10 if code == "d" else 16)))
            size += 1
        size += start - copied
        copied = end
        ends.append(size)
        begins.append(start)
        stops.append(end)
    folded = latin_lookalikes("".join((*parts, text[copied:])) if ends else text)
    return None if folded == text else FoldedText(folded, (ends, begins, stops))


def _pieces(text: str) -> Iterator[re.Match[str]]:
    """Yield the pieces of a text that folding changes, in order."""
    is_long = len(text) > _LONG
    starts, pieces = (_STARTS_OF_LONG, _PIECES_OF_LONG) if is_long else (_STARTS, _PIECES)
    place = 0
    while start := starts.search(text, place):
        found = pieces.match(text, start.start())
        place = found.end() if found else start.start() + 1
        if found is not None:
            yield found


def fold_name(name: str) -> str:
    """Return the name of a field or variable as it is read."""
    return (
        name if name.isascii() and name.isprintable() else latin_lookalikes(_HIDDEN.sub("", name))
    )
