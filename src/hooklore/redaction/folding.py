"""A text as it is read: without invisible characters, and with Latin letters for their look-alikes.

Rules see this text beside the original one, and their findings are mapped back. A text without such
characters is not folded.
"""

import bisect
from typing import NamedTuple

from hooklore.text.unicode_cleaning import HIDDEN, latin_lookalikes

FOLDABLE = (
    r"[\x00-\x08\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}\x{ad}\x{300}-\x{36f}\x{61c}\x{115f}-\x{1160}\x{17b4}-\x{17b5}"
    r"\x{180b}-\x{180f}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0f}\x{feff}"
    r"\x{ffa0}\x{fff0}-\x{fffc}\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}\x{e0000}-\x{e0fff}"
    # full-width letters and digits, and full-width signs beside other visible ones
    r"\x{ff10}-\x{ff19}\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}\x{1d400}-\x{1d7ff}\x{2460}-\x{24ff}]"
    r"|[!-~][\x{ff01}-\x{ff5e}\x{2010}-\x{2015}\x{2212}][!-~]"
    # look-alikes in a word that has Latin letters, too, or that is a name with a value
    r"|[A-Za-z0-9_][\x{250}-\x{2af}\x{370}-\x{58f}\x{1d00}-\x{1d7f}\x{2100}-\x{218f}]"
    r"|[\x{250}-\x{2af}\x{370}-\x{58f}\x{1d00}-\x{1d7f}\x{2100}-\x{218f}]"
    r"""(?:[A-Za-z0-9_=]|["']?[ \t]?[:=])"""
)
"""A pattern of what makes a text worth folding."""


class FoldedText(NamedTuple):
    """A folded text. `removed` holds the place of each hidden piece and the characters gone by then."""

    text: str
    removed: tuple[list[int], list[int]]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text that was folded to `start`–`end`."""
        return self._original(start), self._original(end - 1) + 1

    def _original(self, place: int) -> int:
        places, gone = self.removed
        before = bisect.bisect_right(places, place)
        return place + (gone[before - 1] if before else 0)


def fold(text: str) -> FoldedText | None:
    """Return `text` folded, or None if that changes nothing."""
    places: list[int] = []
    gone: list[int] = []
    count = 0
    for found in HIDDEN.finditer(text):
        places.append(found.start() - count)
        count += found.end() - found.start()
        gone.append(count)
    folded = latin_lookalikes(HIDDEN.sub("", text) if places else text)
    return None if folded == text else FoldedText(folded, (places, gone))


def fold_name(name: str) -> str:
    """Return the name of a field or variable as it is read."""
    return name if name.isascii() and name.isprintable() else latin_lookalikes(HIDDEN.sub("", name))
