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


def without_private(text: str) -> tuple[str, int]:
    """Return `text` without its private parts, and their number.

    Parts may be nested. One that never ends reaches to the end of `text`, and one that never begins
    starts at the beginning. Disguised tags count as tags.
    """
    parts = _private_parts(text) if _may_hold_tag(text) else []
    if not parts:
        return text, 0
    kept: list[str] = []
    copied = 0
    for start, end in parts:
        kept.append(text[copied:start])
        copied = end
    kept.append(text[copied:])
    return "".join(kept).strip(), len(parts)


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
    if not _MAY_HOLD_ANY.occurs_in(payload):
        return fields, 0
    count = 0
    root: list[Any] = [fields]
    pending: list[tuple[Any, Any]] = [(root, 0)]
    while pending:
        holder, slot = pending.pop()
        item = holder[slot]
        if isinstance(item, dict):
            holder[slot] = dict(item)
            pending += [(holder[slot], name) for name in item]
        elif isinstance(item, list):
            holder[slot] = list(item)
            pending += [(holder[slot], place) for place in range(len(item))]
        elif isinstance(item, str):
            holder[slot], found = without_private(item)
            count += found
    return root[0], count
