"""Detection of two memories that contradict each other about one path or command."""

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
_CLAUSES = re.compile(r"[,;.!?。、！？\n]|\b(?:but|because|since)\b")
_VALUE = re.compile(r"\d+(?:\.\d+)*")
_MAX_SUBJECTS = 6
_OVERLAP_THRESHOLD = 0.5
_WHOLE_OVERLAP_THRESHOLD = 0.75
"""The overlap of two texts that name no common path or command: a name in common is no subject."""


def extract_subjects(record: Record) -> list[str]:
    """Return the paths and commands that a memory is about, as the memory writes them, at most six."""
    body = record.body
    text = str(body.content_md)
    named = [str(path) for path in body.paths]
    named += _QUOTED.findall(text)
    named += _PATH.findall(_QUOTED.sub(" ", text))
    return list(dict.fromkeys(" ".join(name.split()) for name in named))[:_MAX_SUBJECTS]


def is_negated(text: str) -> bool:
    """Return whether a text forbids or denies something."""
    return _NOT.search(text) is not None


def is_contradiction(one: str, other: str, subject: str = "") -> bool:
    """Return whether two texts state the opposite, or the same with another number, beside their `subject`.

    The texts must overlap otherwise, because two rules about one file need not contradict each other.
    """
    if not subject and is_reversed(one, other):
        return True
    left, right = (_without(text, subject) for text in (one, other))
    if _overlap_ratio(left, right) < (_OVERLAP_THRESHOLD if subject else _WHOLE_OVERLAP_THRESHOLD):
        return False
    if subject and is_negated(left) != is_negated(right):
        return True
    ours, theirs = set(_VALUE.findall(left)), set(_VALUE.findall(right))
    return bool(ours) and bool(theirs) and ours != theirs


def is_reversed(one: str, other: str) -> bool:
    """Return whether a clause of one text forbids what the nearest clause of the other does not.

    Clauses are compared, for `don't use floats, use Decimal` does not speak against Decimal.
    """
    theirs = [clause for clause in _CLAUSES.split(one) if clause.strip()]
    for clause in _CLAUSES.split(other):
        near = max(theirs, key=lambda each: _overlap_ratio(each, clause), default="")
        if _overlap_ratio(near, clause) >= _WHOLE_OVERLAP_THRESHOLD and is_negated(
            near
        ) != is_negated(clause):
            return True
    return False


def _without(text: str, subject: str) -> str:
    return text.replace(subject, " ") if subject else text


def _overlap_ratio(one: str, other: str) -> float:
    """Return the share of the shorter text's terms in both texts, negations and numbers left out."""
    left, right = (comparison_terms(_VALUE.sub(" ", _NOT.sub(" ", text))) for text in (one, other))
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0
