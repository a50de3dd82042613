"""Judge how a later rule stands to an earlier one, by the words of the two alone.

A lost rule is the worst outcome: in doubt a rule adds. A later rule with other words beside its object (a place, a
time, a case) is about something else, and so are two prohibitions of different things.
"""

import re
from functools import lru_cache
from itertools import product
from typing import Final, Literal, NamedTuple

from hooklore.text.rule_clauses import JAPANESE, Clause, Polarity, find_terms, read_clauses
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


_LATIN: Final = re.compile(r"[A-Za-z][\w.+#-]*(?: [a-z][\w.+#-]*)*")
_NO_CHOICE: Final = re.compile(r"[A-Za-z]\s?も|な[。!！]?$")
_CAPITALISED: Final = re.compile(r"(?<=[\w,:;] )[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)*")
_MANNER: Final = frozenset(
    "us keep belong go writ draw put mak build tak pick need want get hav creat new stor liv run don"
    " 書 使 行 作 入 れる 回 走 通 叩 実行 出 方 針 方針 処 理 処理 実 利 用 利用"
    " 統 一 統一 寄 組 生 成 生成".split()
)
"""Words of how a choice is put, which tell no subject."""


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
    ended = [
        (old, new)
        for old, new in product(known, said)
        if _ends(old, new) and not (new.is_contrast and _is_of_a_case(old, said))
    ]
    ended = ended or [(old, new) for old, new in product(known, said) if _is_denied(old, new, said)]
    beside = [(old, new) for old, new in product(known, said) if _stands_against(old, new)]
    if not ended and not beside:
        named = _names_other_choice(earlier, later, known, said)
        return (
            RelatedRules("marks", known[0].words, said[0].words) if named else RelatedRules("adds")
        )
    old, new = (ended or beside)[0]
    # it has ended where nothing else of the earlier rule is left to hold
    gone = [each for each, _ in ended]
    left = [each for each in known if each not in gone]
    is_ended = bool(ended) and all(
        each.is_contrast or any(_says_same(each, new) for new in said) for each in left
    )
    return RelatedRules("replaces" if is_ended else "marks", old.words, new.words)


def _names_other_choice(
    earlier: str, later: str, known: tuple[Clause, ...], said: tuple[Clause, ...]
) -> bool:
    """Return whether two demands differ in one name alone, which no table of tools needs to know.

    The words of one, without its name, are all words of the other: `E2E in Cypress`, `E2E tests in Playwright`.
    """
    if len(known) != 1 or len(said) != 1 or said[0].is_addition:
        return False
    if (known[0].polarity, said[0].polarity) != ("demand", "demand"):
        return False
    old, new = _find_names(earlier), _find_names(later)
    if len(old - new) != 1 or len(new - old) != 1:
        return False
    old_terms = known[0].terms - find_terms(" ".join(old - new)) - _MANNER
    new_terms = said[0].terms - find_terms(" ".join(new - old)) - _MANNER
    return bool(old_terms & new_terms) and (old_terms <= new_terms or new_terms <= old_terms)


def _find_names(text: str) -> frozenset[str]:
    """Return the names of a rule in lower case: capitalised runs in English, the last Latin word in Japanese.

    In Japanese the choice stands behind its subject, which may be a Latin word too: `DB は …`. One that is added
    (`… も`) or forbidden (`…な`) is no choice.
    """
    if JAPANESE.search(text):
        last = _LATIN.findall(text)[-1:] if not _NO_CHOICE.search(text) else []
        return frozenset(found.lower() for found in last)
    return frozenset(found.lower() for found in _CAPITALISED.findall(text))


def is_overridden(wide: str, narrow: str) -> bool:
    """Return whether nothing of a rule for everywhere is left to hold where another one holds."""
    if _subjects(wide).isdisjoint(_subjects(narrow)):
        return False
    relation = relate_rules(wide, narrow)
    return relation == "replaces" or (relation == "marks" and len(read_clauses(wide)) == 1)


@lru_cache(maxsize=512)
def _subjects(rule: str) -> frozenset[str]:
    """Return the words, tools, kinds of tools and sorts of values of a rule.

    Two rules that share none of them are about different things: a brief compares each rule with every other.
    """
    clauses = read_clauses(rule)
    named = (word for each in clauses for word in (*each.terms, *each.tools, *_kinds(each)))
    return frozenset([*named, *(sort for each in clauses for sort, _ in each.values)])


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
    sorts = [sort for sort, _ in old.values]
    has_other = sorts == [sort for sort, _ in new.values] and old.values != new.values
    is_same = old.terms == new.terms and old.tools == new.tools
    return not new.is_addition and has_other and is_same


def _is_denied(old: Clause, new: Clause, said: tuple[Clause, ...]) -> bool:
    """Return whether the `not X` of `Y, not X` is what an earlier clause demands, for the same.

    `said` are all clauses of the later rule. Its demand says of nothing else that it is about it: it has one word
    at most beside the earlier clause's, the new choice.
    """
    demand = next((each for each in said if each.polarity == "demand"), None)
    if not new.is_contrast or old.polarity != "demand" or demand is None:
        return False
    beside = demand.terms - old.terms - _MANNER
    if new.tools:
        return new.tools == old.tools and not beside and not _is_of_a_case(old, said)
    is_same = bool(demand.terms & old.terms - _MANNER) and new.terms - demand.terms <= old.terms
    return bool(new.terms) and is_same and len(beside) + len(demand.tools) <= 1


def _is_of_a_case(old: Clause, said: tuple[Clause, ...]) -> bool:
    """Return whether `Y, not X` says where it holds: its demand has more than the new choice beside the earlier."""
    demand = next((each for each in said if each.polarity == "demand"), None)
    if demand is None:
        return False
    beside = (demand.terms - old.terms - _MANNER) | (demand.tools - old.tools)
    return len(beside) > 1


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
    # `no … any more` ends each case of what the earlier clause demands in one case
    covers = new.ends_all and new.terms < old.terms and bool(new.terms or new.tools)
    if not (covers or _is_framed_alike(old, new)) or old.values != new.values:
        return False
    if old.tools or new.tools:
        return bool(old.tools) and old.tools <= new.tools
    return bool(old.terms)


def _is_other_choice(old: Clause, new: Clause) -> bool:
    """Return whether two clauses demand two tools of one kind for the same."""
    if old.polarity != "demand" or new.polarity != "demand" or new.is_addition:
        return False
    if not old.tools.isdisjoint(new.tools):
        return False
    return bool(_kinds(old) & _kinds(new)) and _is_framed_alike(old, new)


def _is_framed_alike(old: Clause, new: Clause) -> bool:
    """Return whether two clauses have the same words, less those of the purpose that their tools have anyway."""
    purposes = _purpose_terms(old, new)
    return old.terms - purposes == new.terms - purposes


def _purpose_terms(old: Clause, new: Clause) -> frozenset[str]:
    named = (word for kind in _kinds(old) & _kinds(new) for word in purposes_of(kind))
    return find_terms(" ".join(named))


def _kinds(clause: Clause) -> frozenset[str]:
    return frozenset(kind for tool in clause.tools for kind in kinds_of(tool))
