"""Whether one memory contradicts another about the same thing: a path, or a command (row RF-04)."""

import re

from hooklore.records.record import Record
from hooklore.text.similarity import comparison_terms

_QUOTED = re.compile(r"`([^`\n]{2,120})`")
_PATH = re.compile(
    r"(?<![\w/.~-])(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]+|(?<![\w/.-])[\w-]+\.[a-z]{2,5}\b"
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|don'?t|do not|doesn'?t|must not|mustn'?t|avoid|forbidden|stop|without|"
    r"deprecated|instead of)\b|ない|しない|禁止|不要|やめ|廃止|使わず|ではなく",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\d+(?:\.\d+)*")
_SUBJECTS = 6
_ALIKE = 0.5


def extract_subjects(record: Record) -> list[str]:
    """The paths and commands that a memory is about, as it names them; at most six."""
    body = record.body
    text = str(body.content_md)
    named = [str(path) for path in body.paths]
    named += _QUOTED.findall(text)
    named += _PATH.findall(_QUOTED.sub(" ", text))
    return list(dict.fromkeys(" ".join(name.split()) for name in named))[:_SUBJECTS]


def is_contradiction(one: str, other: str, subject: str) -> bool:
    """Whether two texts about one thing say the opposite, or the same with another number.

    They must say much the same otherwise: two rules about one file need not clash.
    """
    left, right = (_without(text, subject) for text in (one, other))
    if _overlap_ratio(left, right) < _ALIKE:
        return False
    if bool(_NOT.search(left)) != bool(_NOT.search(right)):
        return True
    ours, theirs = set(_VALUE.findall(left)), set(_VALUE.findall(right))
    return bool(ours) and bool(theirs) and ours != theirs


def _without(text: str, subject: str) -> str:
    return text.replace(subject, " ")


def _overlap_ratio(one: str, other: str) -> float:
    """The share of the shorter one's parts, but for negations and numbers."""
    left, right = (comparison_terms(_VALUE.sub(" ", _NOT.sub(" ", text))) for text in (one, other))
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0
