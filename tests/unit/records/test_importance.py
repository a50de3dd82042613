"""The six factors of importance and their weights."""

import pytest
from pydantic import ValidationError

from hooklore.config import ImportanceSettings
from hooklore.records.importance import (
    DEFAULT_WEIGHTS,
    ImportanceSignals,
    combine_importance_factors,
    compute_importance_factors,
    compute_importance_prior,
)
from hooklore.records.record import Record
from hooklore.text.feedback_signal import classify_feedback

SEED = {
    "outcome_impact": 0.25,
    "reuse_frequency": 0.20,
    "cross_agent_impact": 0.20,
    "novelty": 0.15,
    "user_signal": 0.15,
    "cost_savings": 0.05,
}


@pytest.mark.req("SC-01", "SC-07")
@pytest.mark.parametrize(("name", "weight"), SEED.items())
def test_one_factor_alone_scores_the_seeds_weight(name: str, weight: float) -> None:
    assert combine_importance_factors({name: 1.0}, DEFAULT_WEIGHTS) == weight


@pytest.mark.req("SC-07")
def test_the_seeds_weights_sum_to_one() -> None:
    assert SEED == DEFAULT_WEIGHTS
    assert combine_importance_factors(dict.fromkeys(SEED, 1.0), DEFAULT_WEIGHTS) == 1.0


@pytest.mark.req("SC-01")
def test_success_and_failure_both_count_and_failure_more() -> None:
    none, success, failure = (
        compute_importance_factors(ImportanceSignals(outcome=each))["outcome_impact"]
        for each in (None, "success", "failure")
    )

    assert none == 0 < success < failure == 1
    assert compute_importance_factors(ImportanceSignals(successes=1))["outcome_impact"] == success
    assert compute_importance_factors(ImportanceSignals(failures=1))["outcome_impact"] == failure


@pytest.mark.req("SC-02")
def test_a_citation_counts_more_than_a_showing() -> None:
    cited = compute_importance_factors(ImportanceSignals(citations=5))["reuse_frequency"]
    shown = compute_importance_factors(ImportanceSignals(accesses=5))["reuse_frequency"]

    assert cited > shown > 0


@pytest.mark.req("SC-12")
@pytest.mark.parametrize(
    "given", [{"novelty": 0.5}, {"novelty": -0.15}, {"cost_savings": 0.0}, {"fame": 0.1}]
)
def test_weights_that_do_not_sum_to_one_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        ImportanceSettings.model_validate(given)


@pytest.mark.req("SC-12")
def test_other_weights_make_another_prior() -> None:
    weights = ImportanceSettings(novelty=0.05, user_signal=0.25).weights

    body = {"content_md": "We use sqlite"}
    said = Record({"stream": "memory", "kind": "config", "basis": "user", "body": body})
    usual = compute_importance_prior(said)
    other = compute_importance_prior(said, weights)

    assert usual["factors"] == other["factors"]
    assert (usual["score"], other["score"]) == (0.3, 0.3)
    assert compute_importance_prior(said.with_fields(basis="tool"), weights)["score"] == 0.05


@pytest.mark.parametrize(
    ("words", "signal"),
    [
        ("それで良い", "approval"),
        ("それでいいです。次へ", "approval"),
        ("これでOK", "approval"),
        ("違う", "rejection"),
        ("それでいいの？", None),
        ("それで良いか確認して", None),
    ],
)
def test_a_japanese_approval_is_distinguished_from_a_question(
    words: str, signal: str | None
) -> None:
    assert classify_feedback(words) == signal
