"""Take out of a text what its author marked with `<private>…</private>`, before anything reads the text."""

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from hooklore.redaction.folding import FOLDABLE, fold
from hooklore.redaction.pattern import Pattern, TextPattern

_OPENS = r"(?:\\?<|&(?:amp;)?lt;|&#0*60;?|&#x0*3c;?|\\{1,4}u003c|\\{1,4}x3c|%(?:25)?3c)"
_CLOSES = r"(?:\\?>|&(?:amp;)?gt;|&#0*62;?|&#x0*3e;?|\\{1,4}u003e|\\{1,4}x3e|%(?:25)?3e)"
_TAG = TextPattern(
    rf"""{_OPENS}\s*(/|\\/|%2f)?\s*private(?:\s+[\w:.-]+\s*=(?:[^<>&\\]|\\["']){{0,300}}?)?\s*/?\s*{_CLOSES}""",
    re.IGNORECASE,
)
"""A tag in the forms that people and programs write, attributes and escapes included."""

_MAY_HOLD_TAG = Pattern(rf"(?i:private)|{FOLDABLE}")
_FOLDABLE_ESCAPES = r"(?i:\\u(?:0[0-6]|1[178d]|2[0-4]|31|f[ef]|d[89a-f]))"
"""JSON's escapes of the characters that disguise a letter. Those of kana and kanji are none."""

_MAY_HOLD_ANY = Pattern(rf"(?i:private)|{_FOLDABLE_ESCAPES}|{FOLDABLE}")


Span = tuple[int, int]
Slot = tuple[Any, Any]
"""An object or a list, and the name or the place of a string in it."""


def without_private(text: str) -> tuple[str, int]:
    """Return `text` without its private parts, and their number.

    Parts may be nested. One that never ends reaches to the end of `text`, and one that never begins
    starts at the beginning. Disguised tags count as tags.
    """
    parts = _private_parts(text, [(0, len(text))]) if _may_hold_tag(text) else []
    if not parts:
        return text, 0
    return _outside(parts, text, 0, len(text)), len(parts)


def _outside(parts: Iterable[Span], text: str, start: int, end: int) -> str:
    """Return what of `text` between two offsets lies outside of `parts`, without blanks at its ends."""
    kept: list[str] = []
    for first, last in parts:
        kept.append(text[start : min(max(first, start), end)])
        start = min(max(last, start), end)
    return "".join([*kept, text[start:end]]).strip()


def _may_hold_tag(text: str) -> bool:
    try:
        return _MAY_HOLD_TAG.occurs_in(text.encode())
    except UnicodeEncodeError:  # a lone surrogate is invisible
        return True


def _private_parts(text: str, texts: list[Span]) -> list[Span]:
    """Return the spans of the private parts of the texts that stand in `text`, in order and apart.

    A part may begin in one text and end in another. A tag without its other reaches to the border of its own
    text: one task of a list may speak of the tag.
    """
    begins = [start for start, _ in texts]
    opened: list[int] = []
    found: list[Span] = []
    for start, end, closes in _tags(text):
        if not closes:
            opened.append(start)
        elif opened:
            found.append((opened.pop(), end))
        else:
            found.append((texts[bisect.bisect_right(begins, start) - 1][0], end))
    alone = [(start, texts[bisect.bisect_right(begins, start) - 1][1]) for start in opened]
    return _merged([*found, *alone])


def _merged(spans: list[Span]) -> list[Span]:
    """Return spans in order, those that overlap as one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _tags(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield start and end of each tag, and whether the tag closes."""
    folded = None if text.isascii() and text.isprintable() else fold(text)
    for tag in _TAG.finditer(folded.text if folded else text):
        span = folded.original_span(*tag.span()) if folded else tag.span()
        yield *span, tag[1] is not None


def without_private_parts(fields: Any, payload: bytes) -> tuple[Any, int]:
    """Return the JSON value of `payload` without private parts in any of its strings, and their number."""
    return without_private_in(fields) if _MAY_HOLD_ANY.occurs_in(payload) else (fields, 0)


def without_private_in(value: Any) -> tuple[Any, int]:
    """Return a JSON value without private parts in its strings and names, and their number.

    The strings of a list are read as one text, because a program may give each line of a text a string of its
    own. Those that stand at one place in the objects of a list, as the new texts of several edits do, may
    share a part that begins in one and ends in another.
    """
    root: list[Any] = [value]
    texts: dict[tuple[int, int], list[Slot]] = {}
    places: dict[tuple[int, str], int] = {}
    count = lists = 0
    pending: list[tuple[Any, Any, int, int]] = [(root, 0, 0, _IN_LIST)]
    while pending:
        holder, slot, number, place = pending.pop()
        item = holder[slot]
        if isinstance(item, dict):
            holder[slot], found = _with_clean_names(item)
            count += found
            for name in reversed(holder[slot]):
                inner = places.setdefault((place, name), len(places) + 1)
                pending.append((holder[slot], name, number, inner))
        elif isinstance(item, list):
            holder[slot] = list(item)
            lists += 1
            pending += [(holder[slot], at, lists, _IN_LIST) for at in reversed(range(len(item)))]
        elif isinstance(item, str):
            texts.setdefault((number, place), []).append((holder, slot))
    for (_, place), slots in texts.items():
        count += _clean(slots, is_one_text=place == _IN_LIST)
    return root[0], count


_IN_LIST = 0
"""The place of what stands in a list itself, and in no object of it."""


def _with_clean_names(item: Any) -> tuple[Any, int]:
    """Return an object whose names have no private parts, and their number."""
    clean = {name: without_private(name) for name in item}
    return {clean[name][0]: inner for name, inner in item.items()}, sum(
        n for _, n in clean.values()
    )


def _clean(slots: list[Slot], *, is_one_text: bool) -> int:
    """Take the private parts out of strings that are the lines of one text, or texts apart. Return their number."""
    texts = [holder[slot] for holder, slot in slots]
    whole = "\n".join(texts)
    if not _may_hold_tag(whole):
        return 0
    ends = list(itertools.accumulate(len(text) + 1 for text in texts))
    spans = [(end - 1 - len(text), end - 1) for end, text in zip(ends, texts, strict=True)]
    parts = _private_parts(whole, [(0, len(whole))] if is_one_text else spans)
    first = 0
    for (holder, slot), (start, end) in zip(slots if parts else (), spans, strict=False):
        while first < len(parts) and parts[first][1] <= start:
            first += 1
        if first < len(parts) and parts[first][0] < end:
            holder[slot] = _outside(_parts_before(parts, first, end), whole, start, end)
    return len(parts)


def _parts_before(parts: list[Span], first: int, end: int) -> Iterator[Span]:
    """Yield the parts from `first` that begin before `end`."""
    for place in range(first, len(parts)):
        if parts[place][0] >= end:
            return
        yield parts[place]
