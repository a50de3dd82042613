"""Extract the subjects of a memory, and compare two texts: one may forbid the other's clause."""

import re

from hooklore.records.record import Record
from hooklore.text.similarity import comparison_terms

_QUOTED = re.compile(r"`([^`\n]{2,120})`")
_PATH = re.compile(
    r"(?<![\w/.~-])(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]+|(?<![\w/.-])[\w-]+\.[a-z]{2,5}\b"
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|don'?t|do not|doesn'?t|must not|mustn'?t|avoid|forbidden|stop|without|"
    r"deprecated|instead of|forget|drop(?:s|ped)?|ditch(?:ed)?|scrap(?:ped)?|g[eo]t(?:ting)? rid of)\b"
    r"|ない|しない|禁止|不要|やめ|廃止|使わず|ではなく",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;.!?。、！？\n]|\b(?:but|because|since)\b")
_VALUE = re.compile(r"\d+(?:\.\d+)*")
_MAX_SUBJECTS = 6
_MAX_CLAUSES = 150
"""Clauses of one text that are compared with all of another's."""

_OVERLAP_THRESHOLD = 0.75
"""The overlap of two clauses from which they are about the same."""


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


def is_reversed(one: str, other: str) -> bool:
    """Return whether a clause of one text forbids what the nearest clause of the other does not.

    Clauses are compared, for `don't use floats, use Decimal` does not speak against Decimal.
    """
    # The terms of a clause are found once: a long text has a hundred clauses, and all pairs are compared.
    theirs = [(_subject_terms(each), each) for each in _clauses(one)]
    for clause in _clauses(other):
        terms = _subject_terms(clause)
        shares = ((_share(known, terms), each) for known, each in theirs)
        share, near = max(shares, key=lambda found: found[0], default=(0.0, ""))
        if share >= _OVERLAP_THRESHOLD and is_negated(near) != is_negated(clause):
            return True
    return False


def _clauses(text: str) -> list[str]:
    """Return the first clauses of a text, each once."""
    found = dict.fromkeys(each for each in _CLAUSES.split(text) if each.strip())
    return list(found)[:_MAX_CLAUSES]


def _subject_terms(text: str) -> frozenset[str]:
    """Return the terms of a text, negations and numbers left out."""
    return comparison_terms(_VALUE.sub(" ", _NOT.sub(" ", text)))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the smaller set that both have."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
