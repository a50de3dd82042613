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
    r"[*\s]{0,4}(?P<mark>[:：])",
)
_HEADING = re.compile(
    r"\bhook (?:additional context|success|blocking error|feedback)\s{0,4}(?P<mark>[:：])"
)


def neutralize_markup(text: str) -> str:
    """Return a visible text whose tags, turn marks and headings no longer look like those of a transcript."""
    if "<" not in text and not _may_need_neutralizing(text):
        return text
    folded = fold_confusables(text)
    cuts = [(m.start(), m.end(), "‹") for m in _TAG.finditer(folded)]
    cuts += [(m.start(), m.end(), "(") for m in _BRACKETED.finditer(folded)]
    cuts += [(m.start(), m.end(), "(") for m in _SOURCE.finditer(folded)]
    for pattern in (_TURN, _HEADING):
        cuts += [(*m.span("mark"), " –") for m in pattern.finditer(folded)]
    return _replace_cuts(text, sorted(cuts)) if cuts else text


def _may_need_neutralizing(text: str) -> bool:
    """Return whether a text has a character that the patterns begin or end with."""
    return not text.isascii() or any(char in text for char in "&\\%[:")


def _replace_cuts(text: str, cuts: list[tuple[int, int, str]]) -> str:
    """Return a text with each (start, end, replacement) applied. `cuts` are in the order of the text."""
    parts, at = [], 0
    for start, end, replacement in cuts:
        parts += [text[at:start], replacement]
        at = end
    return "".join([*parts, text[at:]])
