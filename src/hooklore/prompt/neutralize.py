"""Taking the edge off what could close our frame, open another, or speak in another's voice.

Names are looked at as they look (`folded`), so that other scripts' letters, full-width brackets and
entities do not pass. Only known names are touched: `Vec<String>` in a note stays what it is.
"""

import re

from hooklore.text.unicode_cleaning import fold_confusables

_OPEN = r"(?:<|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\+u003c|\\+x3c|%3c)"
_NAMES = (
    r"hooklore|system|assistant|user|human|developer|tool|function|antml|invoke|parameter|hook"
    r"|task-notification|command-|local-command|persisted-output|untrusted|qwen:|context|memory|memories"
    r"|instruction|important|admin|thinking|think|im_|start_of_|end_of_|bos|eos|sys|new-diagnostics|\||s>"
)
_TAG = re.compile(rf"{_OPEN}(?=(?:{_OPEN}|\s|[/!?\\]){{0,8}}(?:{_NAMES}))")
_BRACKETED = re.compile(r"\[(?=\s*/?\s*(?:inst|system|sys|user|assistant|developer|blocked)\b)")
_SOURCE = re.compile(r"\[(?=\s*[0-9a-f]{8}-[0-9a-f]{4}-)")
"""A note's source that a note's text brings along."""

_TURN = re.compile(
    r"(?:^|(?<=\n)|(?<= / ))[#*\s>-]{0,8}(?:human|assistant|user|system|developer|ai|instruction|response)"
    r"[*\s]{0,4}(?P<mark>[:：])",
)
_HEADING = re.compile(
    r"\bhook (?:additional context|success|blocking error|feedback)\s{0,4}(?P<mark>[:：])"
)


def neutralize_markup(text: str) -> str:
    """A visible text whose tags, turn marks and headings no longer look like those of a transcript."""
    if "<" not in text and not _may_hold(text):
        return text
    look = fold_confusables(text)
    cuts = [(m.start(), m.end(), "‹") for m in _TAG.finditer(look)]
    cuts += [(m.start(), m.end(), "(") for m in _BRACKETED.finditer(look)]
    cuts += [(m.start(), m.end(), "(") for m in _SOURCE.finditer(look)]
    for pattern in (_TURN, _HEADING):
        cuts += [(*m.span("mark"), " –") for m in pattern.finditer(look)]
    return _replaced(text, sorted(cuts))


def _may_hold(text: str) -> bool:
    """Whether there is anything that the patterns begin or end with."""
    return not text.isascii() or any(char in text for char in "&\\%[:")


def _replaced(text: str, cuts: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, instead in cuts:
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])
