"""Take out of a text what its author marked with `<private>…</private>`, before anything reads the text."""

import re
from typing import Any

from hooklore.redaction.folding import FOLDABLE, fold
from hooklore.redaction.pattern import Pattern, TextPattern

_OPENS = r"(?:<|&lt;|&#0*60;|&#x0*3c;|\\{1,4}u003c|\\{1,4}x3c|%3c)"
_CLOSES = r"(?:>|&gt;|&#0*62;|&#x0*3e;|\\{1,4}u003e|\\{1,4}x3e|%3e)"
_TAG = TextPattern(
    rf"""{_OPENS}\s*(/|\\/|%2f)?\s*private(?:\s+[\w:.-]+\s*=(?:[^<>&\\]|\\["']){{0,300}}?)?\s*/?\s*{_CLOSES}""",
    re.IGNORECASE,
)
"""A tag in the forms that people and programs write, attributes and escapes included."""

_MAY_HOLD_TAG = Pattern(rf"(?i:private)|{FOLDABLE}")
_FOLDABLE_ESCAPES = r"(?i:\\u(?:0[0-6]|1[178d]|2[0-4]|31|f[ef]|d[89a-f]))"
"""JSON's escapes of the characters that disguise a letter. Those of kana and kanji are none."""

_MAY_HOLD_ANY = Pattern(rf"(?i:private)|{_FOLDABLE_ESCAPES}|{FOLDABLE}")


Slot = tuple[Any, Any]
"""An object or a list, and the name or the place of a string in it."""


def without_private(text: str) -> tuple[str, int]:
    """Return `text` without its private parts, and their number.

    Parts may be nested. One that never ends reaches to the end of `text`, and one that never begins
    starts at the beginning. Disguised tags count as tags.
    """
    parts = _private_parts(text) if _may_hold_tag(text) else []
    if not parts:
        return text, 0
    return _outside(parts, text, 0, len(text)), len(parts)


def _outside(parts: list[tuple[int, int]], text: str, start: int, end: int) -> str:
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


def _private_parts(text: str) -> list[tuple[int, int]]:
    """Return the spans of the private parts, in order and apart from one another."""
    folded = None if text.isascii() and text.isprintable() else fold(text)
    found: list[tuple[int, int]] = []
    depth = begins = 0
    for tag in _TAG.finditer(folded.text if folded else text):
        start, end = folded.original_span(*tag.span()) if folded else tag.span()
        if not tag[1]:
            begins = start if depth == 0 else begins
            depth += 1
        elif depth == 0:
            found = [(0, end)]
        else:
            depth -= 1
            if depth == 0:
                found.append((begins, end))
    return [*found, (begins, len(text))] if depth else found


def without_private_parts(fields: Any, payload: bytes) -> tuple[Any, int]:
    """Return the JSON value of `payload` without private parts in any of its strings, and their number."""
    return without_private_in(fields) if _MAY_HOLD_ANY.occurs_in(payload) else (fields, 0)


def without_private_in(value: Any) -> tuple[Any, int]:
    """Return a JSON value without private parts in its strings and names, and their number.

    The strings of a list are read as one text: a program may give each line of a text a string of its own.
    """
    root: list[Any] = [value]
    listed: dict[int, list[Slot]] = {}
    count = 0
    pending: list[tuple[Any, Any, int]] = [(root, 0, 0)]
    while pending:
        holder, slot, number = pending.pop()
        item = holder[slot]
        if isinstance(item, dict):
            holder[slot], found = _with_clean_names(item)
            count += found
            pending += [(holder[slot], name, number) for name in reversed(holder[slot])]
        elif isinstance(item, list):
            holder[slot] = list(item)
            inside = number or len(listed) + 1
            listed.setdefault(inside, [])
            pending += [(holder[slot], place, inside) for place in reversed(range(len(item)))]
        elif isinstance(item, str):
            if number:
                listed[number].append((holder, slot))
            else:
                count += _clean_as_one([(holder, slot)])
    return root[0], count + sum(map(_clean_as_one, listed.values()))


def _with_clean_names(item: Any) -> tuple[Any, int]:
    """Return an object whose names have no private parts, and their number."""
    clean = {name: without_private(name) for name in item}
    return {clean[name][0]: inner for name, inner in item.items()}, sum(
        n for _, n in clean.values()
    )


def _clean_as_one(slots: list[Slot]) -> int:
    """Take the private parts out of strings as if they were the lines of one text, and return their number."""
    texts = [holder[slot] for holder, slot in slots]
    whole = "\n".join(texts)
    parts = _private_parts(whole) if _may_hold_tag(whole) else []
    start = 0
    for (holder, slot), text in zip(slots if parts else (), texts, strict=False):
        end = start + len(text)
        if any(first < end and last > start for first, last in parts):
            holder[slot] = _outside(parts, whole, start, end)
        start = end + 1
    return len(parts)
