"""Truncate captured text to byte limits, never inside a word."""

import fnmatch
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from hooklore.prompt.echo import strip_echo

Redact = Callable[[str], str]

BYTE_LIMITS = {
    "prompt": 8192,
    "answer": 8192,
    "summary": 8192,
    "description": 2048,
    "command": 1024,
    "intent": 512,
    "stderr": 1024,
    "stdout": 512,
    "change": 400,
    "input": 512,
    "output": 512,
}
"""Bytes of UTF-8 that are kept of each part of an event."""

_TAILS = frozenset(("stderr", "stdout"))
"""Parts whose end is kept: there a program reports its result."""

_WINDOW = 16 * 1024
_SEARCHED = 1 << 20
"""Characters of a text that are searched for our own text. Of a longer text only the kept part is."""

_END = 32 * 1024
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))


@dataclass(slots=True)
class Truncator:
    """Cuts the parts of one event. `cut` counts the bytes that each part lost.

    `redact` sees a part before it is cut, so that no secret is cut in two; of what is longer
    than 16 KiB only that much is looked at.
    """

    redact: Redact
    cut: dict[str, int] = field(default_factory=dict)

    def keep(self, part: str, text: str | None, *, cap: str | None = None) -> str | None:
        """Return the kept part of a text under the name `part`; None when nothing is kept."""
        text = strip_echo(text) if text and len(text) <= _SEARCHED else text
        if not text:
            return None
        tail = (cap or part) in _TAILS
        size = len(text.encode("utf-8", "replace"))
        window = self.redact(strip_echo(_plain(_cut(text, _WINDOW, tail=tail))))
        kept = _cut(window, BYTE_LIMITS[cap or part], tail=tail)
        if size > _WINDOW or len(kept) < len(window):
            self.cut[part] = max(1, size - len(kept.encode("utf-8", "replace")))
        return kept or None

    def head_and_tail(self, text: str) -> str:
        """Return the beginning and the end of an output, redacted: errors stand there."""
        if len(text) <= 2 * _END:
            return self.redact(strip_echo(_plain(text)))
        head, tail = _cut(text[:_END], _END, tail=False), _cut(text[-_END:], _END, tail=True)
        ends = f"{head.rstrip(_VISIBLE)}\n{tail.lstrip(_VISIBLE)}"
        return self.redact(strip_echo(_plain(ends)))


def _plain(text: str) -> str:
    """Return a text without colours and control characters; lines end in a newline only."""
    return _CONTROL.sub("", _ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def _cut(text: str, limit: int, *, tail: bool) -> str:
    """Return at most `limit` bytes of a text's beginning, or end, without the word that the cut halves.

    Words are what stands between blanks, or beside letters that are not ASCII: Japanese has no
    blanks, and no secret has Japanese.
    """
    raw = text.encode("utf-8", "replace")
    if len(raw) <= limit:
        return text
    if tail:
        kept = raw[-limit:].decode("utf-8", "ignore")
        before = raw[-limit - 1 : -limit]
        return (kept.lstrip(_VISIBLE) if _in_word(before) else kept).lstrip()
    kept = raw[:limit].decode("utf-8", "ignore")
    return (kept.rstrip(_VISIBLE) if _in_word(raw[limit : limit + 1]) else kept).rstrip()


def _in_word(byte: bytes) -> bool:
    return b"\x21" <= byte <= b"\x7e"


_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)


def without_private(text: str) -> tuple[str, int]:
    """Return a prompt without its `<private>…</private>` parts, and the number of these parts.

    A part that is never closed reaches to the end of the prompt.
    """
    left, count = _PRIVATE.subn("", text)
    return left.strip(), count


def matches_globs(path: str, globs: Iterable[str]) -> bool:
    """Return whether a glob names this path, its last part, or a folder on the way (`node_modules/**`)."""
    return _pattern(tuple(globs)).match(path) is not None


@lru_cache(maxsize=64)
def _pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Return one expression for all globs; without globs one that matches nothing."""
    each = [fnmatch.translate(glob.removeprefix("**/")) for glob in globs]
    return re.compile(f"(?:.*/)?(?:{'|'.join(each)})" if each else r"(?!)", re.DOTALL)
