"""Age changes a rank only where the user says so."""

import pytest

from hooklore.records.record import Record
from hooklore.retrieval.result_order import apply_recency_decay, days_since, is_demoted

NOW = "2026-03-31T12:00:00.000Z"


SAID = {"stream": "observation"}


def decayed(record: dict[str, str], half_life: float) -> float:
    """Return the score of a record that had 8."""
    return apply_recency_decay([(8.0, Record(record))], NOW, half_life)[0][0]


@pytest.mark.req("RF-24")
@pytest.mark.parametrize(
    ("ts", "left"),
    [
        (NOW, 8.0),
        ("2026-03-01T12:00:00.000Z", 4.0),
        ("2026-01-30T12:00:00.000Z", 2.0),
        ("2026-03-16T12:00:00.000Z", 8.0 / 2**0.5),
        ("2025-06-04T12:00:00.000Z", 8.0 / 1024),
    ],
)
def test_a_score_is_halved_after_each_half_life(ts: str, left: float) -> None:
    assert decayed({**SAID, "ts": ts}, 30) == pytest.approx(left)


@pytest.mark.req("RF-24")
def test_without_a_half_life_nothing_fades() -> None:
    assert decayed({**SAID, "ts": "1999-01-01T00:00:00.000Z"}, 0) == 8.0


@pytest.mark.req("RF-24")
def test_what_is_kept_on_purpose_is_evergreen() -> None:
    old = {"ts": "2026-03-01T12:00:00.000Z"}

    assert decayed({**old, "stream": "memory"}, 30) == 8.0
    assert decayed({**old, "stream": "synthesis"}, 30) == 4.0


@pytest.mark.parametrize(
    ("ts", "days"),
    [
        ("2026-03-01T12:00:00.000Z", 30.0),
        ("2026-03-31T00:00:00Z", 0.5),
        (NOW, 0.0),
        ("2026-04-30T12:00:00.000Z", 0.0),
    ],
)
def test_an_age_is_counted_in_days_and_never_below_none(ts: str, days: float) -> None:
    assert days_since(ts, NOW) == days


@pytest.mark.req("RF-03")
@pytest.mark.parametrize(
    ("score", "age", "floor", "expected"),
    [
        (0.1, 31.0, 0.2, True),
        (0.1, 30.0, 0.2, False),
        (0.2, 31.0, 0.2, False),
        (0.1, 31.0, 0.0, False),
    ],
)
def test_what_is_old_and_matters_little_stands_back(
    score: float, age: float, floor: float, expected: bool
) -> None:
    assert is_demoted(Record({"importance": {"score": score}}), age, floor) is expected


def test_a_record_without_importance_has_none() -> None:
    assert is_demoted(Record({}), 31.0, 0.1)
