"""How important a record has proved: the six factors of seed 003, from what is known of it (decision C36).

The prior (`records/importance_prior.py`) is stored with the record; this is the live score, a projection.
"""

from collections.abc import Mapping
from dataclasses import dataclass

_OWN_OUTCOME = {"failure": 1.0, "partial": 0.7, "success": 0.5}
_HALF_OF_USES = 5.0
"""Citations at which `reuse_frequency` is one half."""

_EXPOSURE = 0.2
"""What being shown counts for, against being cited: a pin is shown to every session, used or not."""

_TASK = 0.5
"""What another task counts for, against another agent."""


@dataclass(frozen=True, slots=True)
class ImportanceSignals:
    """What is known of a record, counted.

    `outcome` is its own (success, failure, partial). `successes`, `failures`: runs that cited it, by
    whether something failed in them. `citations`: turns and memories that name it; `accesses`: times
    it was shown. `agents`, `tasks`: others than its own that cited it; `readers`: other agents that
    were shown it. `likeness`: 0 to 1, to the nearest of what was known before. `approvals`,
    `rejections`: the user's; `said_by_user`: they said it themselves. `saved`: 0 to 1, the share of
    tokens that a repeated task took less.
    """

    outcome: str | None = None
    successes: int = 0
    failures: int = 0
    citations: int = 0
    accesses: int = 0
    agents: int = 0
    tasks: int = 0
    readers: int = 0
    likeness: float = 0.0
    approvals: int = 0
    rejections: int = 0
    said_by_user: bool = False
    saved: float = 0.0


def compute_importance_factors(known: ImportanceSignals) -> dict[str, float]:
    """The six factors, each from 0 to 1, in the seed's order."""
    return {
        "outcome_impact": _outcome(known),
        "reuse_frequency": _share(known.citations + _EXPOSURE * known.accesses, _HALF_OF_USES),
        "cross_agent_impact": _share(
            known.agents + _EXPOSURE * known.readers + _TASK * known.tasks, 1.0
        ),
        "novelty": _within(1.0 - known.likeness),
        "user_signal": _signal(known),
        "cost_savings": _within(known.saved),
    }


def combine_importance_factors(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum of the factors, 0 to 1; a factor that is missing is 0."""
    total = sum(weight * values.get(name, 0.0) for name, weight in weights.items())
    return round(_within(total), 4)


def _outcome(known: ImportanceSignals) -> float:
    """Failures say most, but a success says something, too (seed 003: both are important)."""
    own = _OWN_OUTCOME.get(known.outcome or "", 0.0)
    in_runs = 1.0 if known.failures else 0.5 if known.successes else 0.0
    return max(own, in_runs)


def _signal(known: ImportanceSignals) -> float:
    """One half where nobody said a word, more for each approval, less for each rejection."""
    good = known.approvals + known.said_by_user
    return (0.5 + good) / (1 + good + known.rejections)


def _share(count: float, half: float) -> float:
    """0 for none, one half at `half`, towards 1 for many."""
    return count / (count + half)


def _within(value: float) -> float:
    return min(max(value, 0.0), 1.0)
