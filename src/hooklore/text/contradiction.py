"""Detection of two statements that contradict each other, and of the paths and commands of a memory."""

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from hooklore.records.record import Record
from hooklore.text.similarity import comparison_terms

if TYPE_CHECKING:
    from hooklore.text.statement import Statement, Token

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


def is_contradiction(earlier: str, later: str) -> bool:
    """Return whether a sentence of `later` states another value than one of `earlier`, or denies it.

    Exactly one place differs, and this place is the value. Two texts of different subjects, and a text that
    only adds to the other, contradict nothing.
    """
    from hooklore.text.statement import read_statements  # its expressions are for memories alone

    ours, theirs = read_statements(earlier), read_statements(later)
    return any(_contradicts(one, other) for one in ours for other in theirs)


def _contradicts(earlier: "Statement", later: "Statement") -> bool:
    if earlier.is_additive or later.is_additive:
        return False
    if earlier.is_negated != later.is_negated:
        return _denies(earlier, later)
    kinds = _differing_kinds(earlier, later)
    left, right = _unshared(earlier, later)
    if kinds is None or (kinds and not _is_same_subject(earlier, later, left, right)):
        return False
    if kinds:
        is_of_several = earlier.is_one_of_several or later.is_one_of_several
        return (
            len(kinds) == 1 and bool(earlier.subject) and not (is_of_several and kinds[0] in _NAMED)
        )
    return _names_another(earlier, later, left, right)


_NAMED = (
    "version",
    "tongue",
    "language",
    "database",
    "format",
    "protocol",
    "cache",
    "queue",
    "cloud",
)
_SIDE_KINDS = ("order", "bound", "version")
"""Kinds of values that one of two statements may leave out."""


def _differing_kinds(one: "Statement", other: "Statement") -> list[str] | None:
    """Return the kinds of which two statements give other values. Return None where one gives more than the other."""
    found: list[str] = []
    for kind in {*one.values, *other.values}:
        ours, theirs = one.values.get(kind, frozenset()), other.values.get(kind, frozenset())
        if ours == theirs or (kind in _SIDE_KINDS and not (ours and theirs)):
            continue
        if ours <= theirs or theirs <= ours:
            return None
        found.append(kind)
    return found


def _unshared(one: "Statement", other: "Statement") -> tuple[list[str], list[str]]:
    """Return the subject words of each statement that the other has not."""
    left = [word for word in one.subject if not _has(other, word)]
    return left, [word for word in other.subject if not _has(one, word)]


def _is_same_subject(
    one: "Statement", other: "Statement", left: list[str], right: list[str]
) -> bool:
    """Return whether two statements have the same subject: of many words one may be left out."""
    shared = min(len(one.subject) - len(left), len(other.subject) - len(right))
    return not (left or right) or (len(left) + len(right) == 1 and shared >= _MANY_WORDS)


_MANY_WORDS = 3


def _has(statement: "Statement", word: str) -> bool:
    """Return whether a statement has a word. A Japanese compound has the words that it is made of."""
    if word in statement.subject or word in statement.beside:
        return True
    return (
        not word.isascii()
        and len(word) > 1
        and any(
            word in each or (each in word and len(each) > 1)
            for each in statement.subject
            if not each.isascii()
        )
    )


def _denies(earlier: "Statement", later: "Statement") -> bool:
    """Return whether one statement denies the other, or the later one all of which the earlier is a case."""
    left, right = _unshared(earlier, later)
    kinds = {*earlier.values, *later.values} - {*_SIDE_KINDS}
    ours = {kind: earlier.values.get(kind, frozenset()) for kind in kinds}
    theirs = {kind: later.values.get(kind, frozenset()) for kind in kinds}
    if not left and not right and ours == theirs:
        return bool(earlier.subject or ours)
    is_wider = not right and all(theirs[kind] <= ours[kind] for kind in kinds)
    return (
        later.is_negated
        and is_wider
        and len(later.subject) + sum(map(bool, theirs.values())) > bool(left)
    )


def _names_another(one: "Statement", other: "Statement", left: list[str], right: list[str]) -> bool:
    """Return whether two statements name another thing or person in the same place, where only one can be."""
    if not (0 < len(left) <= _LONGEST_NAME and 0 < len(right) <= _LONGEST_NAME):
        return False
    if len(one.subject) == len(left) or one.is_one_of_several or other.is_one_of_several:
        return False
    first, second = one.subject[left[0]], other.subject[right[0]]
    if other.denied.issuperset(left):
        return True
    if first.is_predicate != second.is_predicate or not (
        _is_one(one, left) and _is_one(other, right)
    ):
        return False
    if one.is_role and other.is_role:
        return not first.is_predicate or (_is_linked(first) and _is_linked(second))
    if not first.is_predicate:
        return False
    if one.is_cleft or other.is_cleft:
        return first.is_name and second.is_name
    is_unique = one.is_unique and other.is_unique and not (_is_one_of(first) or _is_one_of(second))
    return is_unique or (
        first.is_name and second.is_name and _is_linked(first) and _is_linked(second)
    )


def _is_one(statement: "Statement", name: list[str]) -> bool:
    """Return whether the words of a name are the last ones of a statement, or stand beside each other."""
    last = list(statement.subject)[-len(name) :]
    return last == name or all(
        statement.subject[word].before.startswith(before) for before, word in pairwise(name)
    )


def _is_one_of(word: "Token") -> bool:
    """Return whether a word is one thing of several: "has an owner", 決済を担当する."""
    return word.is_indefinite or word.behind.startswith("を")


_LONGEST_NAME = 3


def _is_linked(word: "Token") -> bool:
    """Return whether a word stands in the place of a value: behind "is" or "to", before に or で."""
    from hooklore.text.statement_words import NAME_ENDINGS, NAME_LINKS

    if not word.text.isascii() or (word.behind and not word.behind.isascii()):
        return NAME_ENDINGS.match(word.behind) is not None
    return word.before in NAME_LINKS


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
