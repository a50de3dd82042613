"""Neutralize text that could close our frame, open another, or speak in another's voice.

Text is compared as it looks (`fold_confusables`), so that letters of other scripts, full-width brackets
and entities do not pass. Only known names are touched: `Vec<String>` in a note stays as it is.
"""

import re

from hooklore.records.ids import SHORT_ID_PATTERN
from hooklore.text.unicode_cleaning import fold_confusables

_OPEN = r"(?:<|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\+u003c|\\+x3c|%3c)"
_NAMES = (
    r"hooklore|system|assistant|user|human|developer|tool|function|antml|invoke|parameter|hook"
    r"|task-notification|command-|local-command|persisted-output|untrusted|qwen:|context|memory|memories"
    r"|instruction|important|admin|thinking|think|im_|start_of_|end_of_|bos|eos|sys|new-diagnostics|\||s>"
)
_TAG = re.compile(rf"{_OPEN}(?=(?:{_OPEN}|\s|[/!?\\]){{0,8}}(?:{_NAMES}))")
_BRACKETED = re.compile(r"\[(?=\s*/?\s*(?:inst|system|sys|user|assistant|developer|blocked)\b)")
_SOURCE = re.compile(rf"\[(?=\s*(?:[0-9a-f]{{8}}-[0-9a-f]{{4}}-|{SHORT_ID_PATTERN}\s*(?:\]|·)))")
"""The start of a note's source inside the text of another note."""

_TURN = re.compile(
    r"(?:^|(?<=\n)|(?<= / ))[#*\s>-]{0,8}(?:human|assistant|user|system|developer|ai|instruction|response)"
    r"[*\s]{0,4}([:：])",
)
_HEADING = re.compile(
    r"\bhook (?:additional context|success|blocking error|feedback)\s{0,4}([:：])"
)


def is_plain(text: str) -> bool:
    """Return whether a text is one line of visible letters without anything that could be markup."""
    return text.isprintable() and _has_no_mark(text)


def _has_no_mark(text: str) -> bool:
    """Return whether a text has none of the characters that the patterns begin or end with, as most texts."""
    return text.isascii() and not any(char in text for char in "<&\\%[:")


def neutralize_markup(text: str) -> str:
    """Return a visible text whose tags, turn marks and headings no longer look like those of a transcript."""
    if _has_no_mark(text):
        return text
    folded = fold_confusables(text)
    tables = (
        (_TAG, 0, "‹"),
        (_BRACKETED, 0, "("),
        (_SOURCE, 0, "("),
        (_TURN, 1, " –"),
        (_HEADING, 1, " –"),
    )
    cuts = [(*m.span(g), made) for pattern, g, made in tables for m in pattern.finditer(folded)]
    parts, at = [], 0
    for start, end, replacement in sorted(cuts):
        parts += [text[at:start], replacement]
        at = end
    return "".join([*parts, text[at:]])
