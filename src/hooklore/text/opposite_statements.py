"""Judge whether two statements contradict each other: one place differs, and this place is the value.

Two statements of different subjects contradict nothing, and neither does one that only adds: a narrower case, one
thing more. In doubt they stand beside each other.
"""

from itertools import pairwise
from typing import Final

from hooklore.text.past_value import names_as_past
from hooklore.text.statement import Statement, read_statements
from hooklore.text.statement_forms import KANA
from hooklore.text.statement_tokens import Token
from hooklore.text.statement_words import GENERIC, JAPANESE_LINKS, KANJI, NAME_LINKS

_SEVERAL_AT_ONCE: Final = (
    "version", "tongue", "language", "database", "format", "protocol", "cache", "queue", "cloud",
)  # fmt: skip
"""Kinds of values of which a subject may have several: what it supports."""

_SIDE_KINDS: Final = ("order", "bound", "version", "daypart")
"""Kinds of values that one of two statements may leave out, or give otherwise beside another value."""

_MANY_WORDS: Final = 3
"""Common words of two subjects from which one may have a word more."""

_LONGEST_NAME: Final = 3
_TOWARDS: Final = ("に", "へ")


def is_contradiction(earlier: str, later: str) -> bool:
    """Return whether a sentence of `later` states another value than one of `earlier`, or denies it."""
    if names_as_past(earlier, later):
        return True
    ours, theirs = read_statements(earlier), read_statements(later)
    return any(_contradicts(one, other) for one in ours for other in theirs)


def _contradicts(earlier: Statement, later: Statement) -> bool:
    if earlier.is_negated != later.is_negated:
        return _denies(earlier, later)
    if earlier.is_additive or later.is_additive:
        return False
    kinds = _differing_kinds(earlier, later)
    if kinds is None:
        return False
    left, right = _unshared(earlier, later)
    if not kinds:
        return _names_another(earlier, later, left, right)
    is_one = len(kinds) == 1 and not (
        _is_of_several(earlier, later) and kinds[0] in _SEVERAL_AT_ONCE
    )
    is_about = bool(earlier.subject) or len(earlier.values) > 1  # Node 18 and Node 20
    return is_one and is_about and _is_same_subject(earlier, later, left, right)


def _is_of_several(one: Statement, other: Statement) -> bool:
    return one.is_one_of_several or other.is_one_of_several


def _differing_kinds(one: Statement, other: Statement) -> list[str] | None:
    """Return the kinds of which two statements give other values, None where one gives more than the other."""
    found: list[str] = []
    for kind in {*one.values, *other.values}:
        ours, theirs = _values(one, kind), _values(other, kind)
        if ours == theirs or (kind in _SIDE_KINDS and not (ours and theirs)):
            continue
        if ours <= theirs or theirs <= ours or len(ours - theirs) > 1 < len(theirs - ours):
            return None  # one gives more than the other, or two places differ: crane 1 and crane 2
        found.append(kind)
    return [kind for kind in found if kind not in _SIDE_KINDS] or found


def _values(statement: Statement, kind: str) -> frozenset[str]:
    return statement.values.get(kind, frozenset())


def _unshared(one: Statement, other: Statement) -> tuple[list[str], list[str]]:
    """Return the subject words of each statement that the other has not."""
    left = [word for word in one.subject if not _has(other, word)]
    return left, [word for word in other.subject if not _has(one, word)]


def _has(statement: Statement, word: str) -> bool:
    """Return whether a statement has a word. A Japanese compound has the words that it is made of."""
    if word in statement.subject or word in statement.beside:
        return True
    if word.isascii():
        return False
    others = (each for each in statement.subject if not each.isascii())
    return any(word in each or each in word for each in others)


def _is_same_subject(one: Statement, other: Statement, left: list[str], right: list[str]) -> bool:
    """Return whether two statements have the same subject: of many words one may be left out, or its sort."""
    shared = min(len(one.subject) - len(left), len(other.subject) - len(right))
    if not (left or right):
        return True
    if not (left and right) and GENERIC.issuperset((*left, *right)):
        return shared > 0
    return len(left) + len(right) == 1 and shared >= _MANY_WORDS


def _denies(earlier: Statement, later: Statement) -> bool:
    """Return whether one statement denies the other, or the later one all of which the earlier is a case."""
    left, right = _unshared(earlier, later)
    kinds = {*earlier.values, *later.values} - {*_SIDE_KINDS}
    pairs = [(_values(earlier, kind), _values(later, kind)) for kind in kinds]
    if not left and not right and all(ours == theirs for ours, theirs in pairs):
        return bool(earlier.subject or pairs)
    is_wider = not right and all(theirs <= ours for ours, theirs in pairs)
    said = len(later.subject) + len([theirs for _, theirs in pairs if theirs])
    return later.is_negated and is_wider and said > bool(left)


def _names_another(one: Statement, other: Statement, left: list[str], right: list[str]) -> bool:
    """Return whether two statements name another thing or person in the same place, where only one can be."""
    is_short = 0 < len(left) <= _LONGEST_NAME and 0 < len(right) <= _LONGEST_NAME
    if not is_short or len(one.subject) == len(left) or _is_of_several(one, other):
        return False
    if other.denied.issuperset(left):
        return True
    first, second = one.subject[left[0]], other.subject[right[0]]
    if not (_is_one_place(one, left) and _is_one_place(other, right)):
        return False
    if one.is_role and other.is_role:
        return _bears_role(first) and _bears_role(second)
    return (
        first.is_predicate and second.is_predicate and _is_in_same_place(one, other, first, second)
    )


def _is_in_same_place(one: Statement, other: Statement, first: Token, second: Token) -> bool:
    """Return whether two words of the predicate stand in the one place of a value."""
    are_names = first.is_name and second.is_name
    if one.is_cleft or other.is_cleft:
        return are_names
    if other.is_change and are_names and (_link(second) == "is" or second.behind in _TOWARDS):
        return True
    if _link(first) != _link(second):
        return False
    is_unique = one.is_unique and other.is_unique and not (_is_one_of(first) or _is_one_of(second))
    is_named = are_names and bool(_link(first)) and _link(second) != "で"
    return is_unique or is_named


def _is_one_place(statement: Statement, name: list[str]) -> bool:
    """Return whether the words of a name are the last ones of a statement, or stand beside each other."""
    if [*statement.subject][-len(name) :] == name:
        return True
    return all(statement.subject[b].before.startswith(a) for a, b in pairwise(name))


def _bears_role(word: Token) -> bool:
    """Return whether a word is who has a role: in front, or behind "is" or "by"."""
    is_said = _link(word) in ("is", "by") or word.behind in _TOWARDS or word.behind.endswith("が")
    return is_said or not word.is_predicate


def _is_one_of(word: Token) -> bool:
    """Return whether a word is one thing of several: "has an owner", 決済を担当する."""
    return word.is_indefinite or word.behind.startswith("を")


def _link(word: Token) -> str:
    """Return the word that makes a name the value: "is" or "to" before it, に or で behind it; else ""."""
    if KANA.search(f"{word.before}{word.text}{word.behind}"):
        ending = JAPANESE_LINKS.match(word.behind)
        is_place = word.behind in _TOWARDS and KANJI.fullmatch(word.text) is not None
        if ending is None or is_place:
            return ""
        return ending[0] if ending[0] in ("で", "から") else "is"
    return NAME_LINKS.get(word.before, "")
