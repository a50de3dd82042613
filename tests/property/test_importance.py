"""Score any evidence: the score stays within bounds, and more of a factor never lowers it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooklore.config import ImportanceSettings
from hooklore.records.importance import (
    ImportanceSignals,
    combine_importance_factors,
    compute_importance_factors,
)

WEIGHTS = ImportanceSettings().weights
COUNTS = st.integers(0, 10_000)
SHARES = st.floats(0, 1, allow_nan=False)
EVIDENCE = st.builds(
    ImportanceSignals,
    outcome=st.sampled_from([None, "success", "failure", "partial", "unknown"]),
    successes=COUNTS, failures=COUNTS, citations=COUNTS, accesses=COUNTS, agents=COUNTS,
    tasks=COUNTS, readers=COUNTS, likeness=SHARES, approvals=COUNTS, rejections=COUNTS,
    said_by_user=st.booleans(), saved=SHARES,
)  # fmt: skip
VALUES = st.fixed_dictionaries(dict.fromkeys(WEIGHTS, SHARES))
MORE = ("failures", "citations", "accesses", "agents", "tasks", "readers", "approvals")


@pytest.mark.req("SC-07")
@given(EVIDENCE)
def test_every_factor_and_the_score_are_between_0_and_1(known: ImportanceSignals) -> None:
    found = compute_importance_factors(known)

    assert list(found) == list(WEIGHTS)
    assert all(0 <= value <= 1 for value in found.values())
    assert 0 <= combine_importance_factors(found, WEIGHTS) <= 1


@pytest.mark.req("SC-07")
@given(VALUES, st.sampled_from(sorted(WEIGHTS)), SHARES)
def test_more_of_a_factor_is_never_less_important(
    values: dict[str, float], name: str, other: float
) -> None:
    low, high = sorted((values[name], other))

    assert combine_importance_factors({**values, name: low}, WEIGHTS) <= combine_importance_factors(
        {**values, name: high}, WEIGHTS
    )


@given(EVIDENCE, st.sampled_from(MORE), st.integers(1, 50))
def test_more_use_or_praise_never_lowers_a_score(
    known: ImportanceSignals, name: str, more: int
) -> None:
    grown = replace(known, **{name: getattr(known, name) + more})

    assert combine_importance_factors(
        compute_importance_factors(grown), WEIGHTS
    ) >= combine_importance_factors(compute_importance_factors(known), WEIGHTS)


@given(EVIDENCE, st.integers(1, 50))
def test_a_rejection_never_raises_a_score(known: ImportanceSignals, more: int) -> None:
    worse = replace(known, rejections=known.rejections + more)

    assert combine_importance_factors(
        compute_importance_factors(worse), WEIGHTS
    ) <= combine_importance_factors(compute_importance_factors(known), WEIGHTS)
