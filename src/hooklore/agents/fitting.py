"""Text cut to the room that a client leaves for it, and without what JSON cannot hold."""

import re
from collections.abc import Callable

Measure = Callable[[str], int]
"""Returns how much room a text takes."""

_LAST_LINE = 200
_LONGEST_LINE = 1000
_SURROGATE = re.compile("[\ud800-\udfff]")


def replace_surrogates(text: str) -> str:
    """Return `text` with U+FFFD in the place of each half of a character."""
    return _SURROGATE.sub("\ufffd", text)


def fit_line(text: str) -> str:
    """Return what a client shows its user on one line: at most 1,000 characters of `text`."""
    clean = replace_surrogates(text)
    return clean if len(clean) <= _LONGEST_LINE else clean[: _LONGEST_LINE - 1] + "…"


def fit_lines(text: str, room: int, measure: Measure) -> str:
    """Return `text`, cut at the end of a line and with a remark when it does not fit into `room`.

    The last line stays when it is short: it closes the frame around quoted notes.
    """
    if measure(text) - 2 <= room:
        return text
    lines = text.split("\n")
    last = lines.pop() if len(lines) > 1 and len(lines[-1]) <= _LAST_LINE else ""
    room -= measure(_remark(len(lines))) + measure(last)
    kept = 0
    for line in lines:
        room -= measure(line)
        if room < 0:
            break
        kept += 1
    head = lines[:kept] or [_cut_line(lines[0], room + measure(lines[0]), measure)]
    closing = [last] if last else []
    return "\n".join([*head, _remark(len(lines) - kept), *closing])


def _remark(dropped: int) -> str:
    return f"({dropped} more lines did not fit: run `hooklore last`)"


def _cut_line(line: str, room: int, measure: Measure) -> str:
    """Return the beginning of one line, ended at white space where there is some."""
    size = max(0, min(len(line), room - 4))
    while size and measure(line[:size]) > room:
        size = size * 9 // 10
    head = line[:size]
    at = head.rfind(" ")
    return head[:at] if at > size // 2 else head
