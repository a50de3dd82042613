"""The lines of the client, mended before they are read: a call with one odd value in it is still answered.

A model's text may end in half of a surrogate pair, and JavaScript writes such a half as an escape. Values that
are nested too deeply, and numbers that are too long, become an empty object. No tool takes any of these, nor an
empty object in their place, so the answer is an error; null would be left out without a word.
"""

import re
import sys
from collections.abc import Iterator
from io import TextIOWrapper

_ESCAPE = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_LONE = len(r"\ud800")
_REPLACEMENT = r"\ufffd"

MAX_DEPTH = 64
"""The levels of a line that are read, the message's own three included."""

_UNREAD = "{}"

_LONG_NUMBER = r"-?\d{1000}\d*+(?:\.\d++)?(?:[eE][-+]?\d++)?"
_TOKEN = re.compile(rf'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{{]|[\]}}]|{_LONG_NUMBER}')
_HAS_LONG_NUMBER = re.compile(r"\d{1000}")


def mend_surrogates(line: str) -> str:
    """Return a line of JSON in which each half of a surrogate pair is U+FFFD."""
    return _ESCAPE.sub(lambda found: _mend(found[0]), line) if "\\ud" in line.lower() else line


def _mend(escape: str) -> str:
    return _REPLACEMENT if len(escape) == _LONE else escape


def cut_extremes(line: str) -> str:
    """Return a line of JSON in which each value below `MAX_DEPTH`, and each long number, is an empty object."""
    may_be_deep = line.count("[") + line.count("{") > MAX_DEPTH
    if not may_be_deep and not _HAS_LONG_NUMBER.search(line):
        return line
    spans = list(_extremes(line))
    begins, ends = [0, *(end for _, end in spans)], [*(begin for begin, _ in spans), len(line)]
    return _UNREAD.join(line[begin:end] for begin, end in zip(begins, ends, strict=True))


def _extremes(line: str) -> Iterator[tuple[int, int]]:
    """Yield where a value begins and ends that is too deep, or a number that is too long."""
    depth = begin = 0
    for token in _TOKEN.finditer(line):
        first = token[0][0]
        if first in "[{":
            depth += 1
            begin = token.start() if depth == MAX_DEPTH + 1 else begin
        elif first in "]}":
            if depth == MAX_DEPTH + 1:
                yield begin, token.end()
            depth -= 1
        elif first != '"' and depth <= MAX_DEPTH:
            yield token.span()


class MendedInput(TextIOWrapper):
    """The standard input, mended line by line."""

    def __init__(self) -> None:
        super().__init__(sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n")

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Return the next line. The bases of `TextIOWrapper` disagree about its type."""
        line = super().readline(-1 if size is None else size)
        return mend_surrogates(cut_extremes(line))
