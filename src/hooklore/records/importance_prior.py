"""The prior importance of a record before its append, from the event itself (seed 003)."""

from collections.abc import Mapping

from hooklore.config import ImportanceSettings
from hooklore.records.record import Record

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
