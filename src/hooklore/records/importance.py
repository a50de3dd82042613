"""The importance of a record: the six factors of seed 003.

The prior is computed from the event itself and stored with the record. The live score is a projection of later
events, because reuse, citations and other agents' use come after the append.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hooklore.config import ImportanceSettings
from hooklore.records.record import Record

_OWN_OUTCOME = {"failure": 1.0, "partial": 0.7, "success": 0.5}
_HALF_OF_USES = 5.0
"""Citations at which `reuse_frequency` is one half."""

_EXPOSURE = 0.2
"""The weight of a showing relative to a citation: a pin is shown to every session, used or not."""

_TASK = 0.5
"""The weight of another task relative to another agent."""


@dataclass(frozen=True, slots=True)
class ImportanceSignals:
    """Counted evidence of a record's importance.

    `outcome` is the record's own (success, failure, partial). `successes` and `failures` are runs that cited
    the record, by their outcome. `citations` are turns and memories that name the record, and `accesses` are
    showings. `opened` and `followed` are sessions that opened it by its name, and that did what it says.

    `agents` and `tasks` are others that cited the record, and `readers` are other agents that were shown the
    record. `likeness` is the similarity to the nearest earlier record, from 0 to 1. `approvals` and
    `rejections` are the user's, and `said_by_user` marks the user's own statement. `saved` is the share of
    tokens, from 0 to 1, that a repeated task saved.
    """

    outcome: str | None = None
    successes: int = 0
    failures: int = 0
    citations: int = 0
    accesses: int = 0
    opened: int = 0
    followed: int = 0
    agents: int = 0
    tasks: int = 0
    readers: int = 0
    likeness: float = 0.0
    approvals: int = 0
    rejections: int = 0
    said_by_user: bool = False
    saved: float = 0.0


def compute_importance_factors(known: ImportanceSignals) -> dict[str, float]:
    """Return the six factors, each from 0 to 1, in the seed's order."""
    return {
        "outcome_impact": _outcome(known),
        "reuse_frequency": _share(
            known.citations + known.opened + known.followed + _EXPOSURE * known.accesses,
            _HALF_OF_USES,
        ),
        "cross_agent_impact": _share(
            known.agents + _EXPOSURE * known.readers + _TASK * known.tasks, 1.0
        ),
        "novelty": _within(1.0 - known.likeness),
        "user_signal": _signal(known),
        "cost_savings": _within(known.saved),
    }


def combine_importance_factors(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the weighted sum of the factors, from 0 to 1. A missing factor is 0."""
    total = sum(weight * values.get(name, 0.0) for name, weight in weights.items())
    return round(_within(total), 4)


def _outcome(known: ImportanceSignals) -> float:
    """Return the outcome's factor. A failure counts most, and a success counts too (seed 003)."""
    own = _OWN_OUTCOME.get(known.outcome or "", 0.0)
    in_runs = 1.0 if known.failures else 0.5 if known.successes else 0.0
    return max(own, in_runs)


def _signal(known: ImportanceSignals) -> float:
    """Return one half without the user's judgement, more for each approval, less for each rejection."""
    good = known.approvals + known.said_by_user
    return (0.5 + good) / (1 + good + known.rejections)


def _share(count: float, half: float) -> float:
    """Return 0 for none, one half at `half`, and towards 1 for many."""
    return count / (count + half)


def _within(value: float) -> float:
    return min(max(value, 0.0), 1.0)


DEFAULT_WEIGHTS = ImportanceSettings().weights
"""The weights of seed 003's six factors. Reuse, other agents and savings are 0 at the append."""

_OUTCOME = {"failure": 1.0, "partial": 0.7, "success": 0.5}
_NOVELTY = {"error": 0.7, "fix": 1.0, "prompt": 0.5, "turn": 0.5, "answer": 0.5, "session_end": 0.6}


def compute_importance_prior(
    record: Record, weights: Mapping[str, float] = DEFAULT_WEIGHTS
) -> dict[str, object]:
    """Return `{"score": 0..1, "factors": {name: 0..1}}` of a record before its append, without factors of 0.

    `weights` sum to 1 (`[importance]` in `config.toml`).
    """
    factors = dict.fromkeys(DEFAULT_WEIGHTS, 0.0)
    factors["outcome_impact"] = _OUTCOME.get(str(record.body.outcome), 0.0)
    factors["novelty"] = 1.0 if record.stream == "memory" else _NOVELTY.get(record.kind, 0.2)
    factors["user_signal"] = 1.0 if record.is_by_user else 0.0
    score = sum(weights[name] * value for name, value in factors.items())
    return {"score": round(score, 4), "factors": {n: v for n, v in factors.items() if v}}
