"""The lines of the client, with halves of characters mended: the SDK answers no line that it cannot read.

A model's text may end in half of a surrogate pair, and JavaScript writes such a half as an escape. The call
would stay unanswered until the client gives up.
"""

import re
import sys
from io import TextIOWrapper

_ESCAPE = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_LONE = len(r"\ud800")
_REPLACEMENT = r"\ufffd"


def mend_surrogates(line: str) -> str:
    """Return a line of JSON in which each half of a surrogate pair is U+FFFD."""
    return _ESCAPE.sub(lambda found: _mend(found[0]), line) if "\\ud" in line.lower() else line


def _mend(escape: str) -> str:
    return _REPLACEMENT if len(escape) == _LONE else escape


class MendedInput(TextIOWrapper):
    """The standard input, mended line by line."""

    def __init__(self) -> None:
        super().__init__(sys.stdin.buffer, encoding="utf-8", errors="replace")

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Return the next line. The bases of `TextIOWrapper` disagree about its type."""
        return mend_surrogates(super().readline(-1 if size is None else size))
