"""The lines of a command's output, without what a terminal or a task runner put around them."""

import re
from collections import Counter
from collections.abc import Iterator

from hooklore.late_pattern import compile_late

_WINDOW_LENGTH = 32 * 1024
MAX_LINE_LENGTH = 400
_MAX_LINES = 4000

_ANSI = compile_late(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
_STEP_OR_TIME = compile_late(
    r"^#\d+ (?:\d+\.\d{1,3} )?"
    r"|^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s+"
)
_PREFIX = compile_late(
    r"(?:[@A-Za-z][\w.-]{0,40}[:/][\w./:-]{1,60}|[@A-Za-z][\w@./-]{0,60} [A-Za-z][\w:.-]{0,30}): "
    r"|[@A-Za-z][\w@./-]{0,60} +\| |\[[\w:./@ -]{1,60}\] (?=\S)"
    r"|[^\t]{1,60}\t[^\t]{1,80}\t"
)
"""The name that a task runner, `docker compose` or a CI log writes before each line of one task."""

_REPORTS = compile_late(
    r"err|fatal|warn|fail|panic|except|note|hint|usage|help|caused|:\d|\.\w{1,5}:|エラー|例外",
    re.IGNORECASE,
)
"""Words that begin a report, and places in files: they belong to a line, however many have them."""

_BLOCK = compile_late(r"^( *)((?:error|message|reason):) [|>][+-]?$")
_MAX_BLOCK = 6
_MIN_PREFIXED = 3
_UNREADABLE = compile_late("[\x00-\x08\x0e-\x1a\x7f-\x9f\ufffd]")
_PROGRESS = compile_late(r"\d{1,3}%\s*[|\[]|[▏▎▍▌▋▊▉█░▒▓]{3}|\[[=#>.-]{5,60}[ \]]|^\s*[⠁-⣿]\s")


def output_lines(text: str) -> list[str]:
    """Return the lines of an output, at most 400 characters of each, in their order.

    Of a long output only the beginning, where compilers complain, and the end are read. Colours, times,
    steps of an image, progress bars, binary lines, and the name of the task before each line are left out.
    """
    if len(text) > 2 * _WINDOW_LENGTH:
        text = text[:_WINDOW_LENGTH] + "\n" + text[-_WINDOW_LENGTH:]
    raw = _ANSI.sub("", text).splitlines()[:_MAX_LINES]
    cut = (_STEP_OR_TIME.sub("", line[:MAX_LINE_LENGTH], count=1) for line in _joined(raw))
    lines = [line for line in cut if line.strip() and not _is_unreadable(line)]
    found = [_PREFIX.match(line) for line in lines]
    prefixes = ["" if each is None or _REPORTS.search(each[0]) else each[0] for each in found]
    shared = {prefix for prefix, n in Counter(prefixes).items() if n >= _MIN_PREFIXED}
    return [
        line[len(prefix) :] if prefix in shared else line
        for line, prefix in zip(lines, prefixes, strict=True)
    ]


def _joined(lines: list[str]) -> Iterator[str]:
    """Yield the lines, a message that stands in a block of YAML below its name as one line (TAP 13)."""
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        if opened := _BLOCK.match(line):
            begin = place
            while place < len(lines) and _is_deeper(lines[place], len(opened[1])):
                place += 1
            block = (text.strip() for text in lines[begin : min(place, begin + _MAX_BLOCK)])
            line = " ".join((opened[2], *filter(None, block)))
        yield line


def _is_deeper(line: str, depth: int) -> bool:
    return not line.strip() or len(line) - len(line.lstrip()) > depth


def _is_unreadable(line: str) -> bool:
    """Return whether a line is a progress bar, or holds more bytes than text."""
    return _PROGRESS.search(line) is not None or len(_UNREADABLE.findall(line)) > len(line) // 16
