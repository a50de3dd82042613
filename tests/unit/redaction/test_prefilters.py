"""How the prefilters of rules are read together."""

from collections import Counter

from hooklore.redaction.folding import FOLDABLE
from hooklore.redaction.pattern import Prefilters
from hooklore.redaction.rules.table import ALL_RULES, READ_TOGETHER


def test_the_prefilter_of_each_rule_stands_in_one_set() -> None:
    needed = {rule.prefilter for rule in ALL_RULES if rule.prefilter} | {FOLDABLE}
    sets = Counter(pattern for some in READ_TOGETHER for pattern in set(some))

    assert set(sets) == needed
    assert set(sets.values()) == {1}


def test_a_division_into_sets_changes_no_match() -> None:
    patterns = ["a+b", "", "c", "a+b", "never"]
    divisions = ((), (("c", "a+b"),), (("c",), ("a+b", "never"), ("of no rule",)))

    found = [Prefilters(patterns, together).match(b"xaabx") for together in divisions]

    assert found == [[0, 1, 3]] * 3
