"""Judge how a later rule stands to an earlier one, by the words of the two alone.

A lost rule is the worst outcome: in doubt a rule adds. A later rule with other words beside its object (a place, a
time, a case) is about something else, and so are two prohibitions of different things.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, Literal, NamedTuple

from hooklore.text.rule_clauses import Clause, Polarity, find_terms, read_clauses
from hooklore.text.tool_kinds import kinds_of, purposes_of

RuleRelation = Literal["adds", "replaces", "marks"]
"""`adds`: both stand. `replaces`: the earlier one ends. `marks`: both stand, and the earlier one is marked."""


class RelatedRules(NamedTuple):
    """The relation of two rules, with the words of each by which it was judged, empty for `adds`."""

    relation: RuleRelation
    earlier: str = ""
    later: str = ""


_OPPOSITES: Final[frozenset[tuple[Polarity, Polarity]]] = frozenset((
    ("demand", "forbid"), ("demand", "exempt"), ("forbid", "demand"), ("forbid", "allow"),
    ("allow", "forbid"), ("exempt", "demand"),
))  # fmt: skip


def relate_rules(earlier: str, later: str) -> RuleRelation:
    """Return how a later rule stands to an earlier one of the same audience."""
    return explain_relation(earlier, later).relation


def explain_relation(earlier: str, later: str) -> RelatedRules:
    """Return the relation of two rules, and the words of each that show it.

    A rule with a value that is said again, maybe in another language, takes the place of the earlier wording.
    """
    known, said = read_clauses(earlier), read_clauses(later)
    if known and all(each.values and any(_says_same(each, new) for new in said) for each in known):
        return RelatedRules("replaces", known[0].words, said[0].words)
    ended = [(old, new) for old, new in product(known, said) if _ends(old, new)]
    beside = [(old, new) for old, new in product(known, said) if _stands_against(old, new)]
    if not ended and not beside:
        return RelatedRules("adds")
    old, new = (ended or beside)[0]
    is_ended = bool(ended) and _is_whole(known, [each for each, _ in ended], said)
    return RelatedRules("replaces" if is_ended else "marks", old.words, new.words)


def is_overridden(wide: str, narrow: str) -> bool:
    """Return whether nothing of a rule for everywhere is left to hold where another one holds."""
    relation = relate_rules(wide, narrow)
    return relation == "replaces" or (relation == "marks" and len(read_clauses(wide)) == 1)


def _is_whole(known: tuple[Clause, ...], ended: list[Clause], said: tuple[Clause, ...]) -> bool:
    """Return whether nothing of the earlier rule is left to hold."""
    left = [each for each in known if each not in ended]
    return all(each.is_contrast or any(_says_same(each, new) for new in said) for each in left)


def _says_same(old: Clause, new: Clause) -> bool:
    is_about_same = bool(old.terms) and old.terms == new.terms and old.values == new.values
    return is_about_same and old.tools <= new.tools and old.polarity == new.polarity


def _ends(old: Clause, new: Clause) -> bool:
    """Return whether a clause ends an earlier one: by the opposite, by another value, or as `… instead`."""
    if new.polarity == "cancel":
        return _cancels(old, new)
    if (old.polarity, new.polarity) in _OPPOSITES:
        return _speaks_against(old, new)
    if old.polarity not in ("demand", "allow") or new.polarity not in ("demand", "allow"):
        return False
    if new.ends_another and _is_other_choice(old, new):
        return True
    return not new.is_addition and _has_other_value(old, new)


def _stands_against(old: Clause, new: Clause) -> bool:
    """Return whether a clause is another choice, or says the opposite of more than an earlier one is about."""
    if _is_other_choice(old, new):
        return True
    if (old.polarity, new.polarity) not in _OPPOSITES or old.values != new.values:
        return False
    is_broader = new.terms - _purpose_terms(old, new) < old.terms
    is_named = not old.tools.isdisjoint(new.tools) or 2 * len(new.terms) > len(old.terms)
    return is_broader and is_named and old.tools <= new.tools


def _cancels(old: Clause, new: Clause) -> bool:
    """Return whether a clause says of a rule that it is gone, and names at least half of what the rule is about."""
    is_about = (
        new.terms <= old.terms and new.tools <= old.tools and set(new.values) <= set(old.values)
    )
    named = len(new.terms) + len(new.tools) + len(new.values)
    return is_about and 2 * named >= len(old.terms) + len(old.tools) + len(old.values) > 0


def _speaks_against(old: Clause, new: Clause) -> bool:
    if not (_is_framed_alike(old, new) or _covers(old, new)) or old.values != new.values:
        return False
    if old.tools or new.tools:
        return bool(old.tools) and old.tools <= new.tools
    return bool(old.terms)


def _covers(old: Clause, new: Clause) -> bool:
    """Return whether a clause ends each case of what an earlier one demands in one case."""
    return new.ends_all and new.terms < old.terms and bool(new.terms or new.tools)


def _has_other_value(old: Clause, new: Clause) -> bool:
    sorts = [sort for sort, _ in old.values]
    if not sorts or sorts != [sort for sort, _ in new.values] or old.values == new.values:
        return False
    return old.terms == new.terms and old.tools == new.tools


def _is_other_choice(old: Clause, new: Clause) -> bool:
    """Return whether two clauses demand two tools of one kind for the same."""
    if old.polarity != "demand" or new.polarity != "demand" or new.is_addition:
        return False
    if not old.tools.isdisjoint(new.tools):
        return False
    return bool(_shared_kinds(old, new)) and _is_framed_alike(old, new)


def _is_framed_alike(old: Clause, new: Clause) -> bool:
    """Return whether two clauses have the same words, less those of the purpose that their tools have anyway."""
    purposes = _purpose_terms(old, new)
    return old.terms - purposes == new.terms - purposes


def _purpose_terms(old: Clause, new: Clause) -> frozenset[str]:
    named = (word for kind in _shared_kinds(old, new) for word in purposes_of(kind))
    return find_terms(" ".join(named))


def _shared_kinds(old: Clause, new: Clause) -> frozenset[str]:
    return _kinds(old) & _kinds(new)


def _kinds(clause: Clause) -> frozenset[str]:
    return frozenset(_all_kinds(clause))


def _all_kinds(clause: Clause) -> Iterator[str]:
    for tool in clause.tools:
        yield from kinds_of(tool)
