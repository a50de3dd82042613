"""Importance before the append: the prior, from what the event itself shows (seed 003, decision C36)."""

from collections.abc import Mapping
from typing import Any

from hooklore.config import ImportanceSettings

DEFAULT_WEIGHTS = ImportanceSettings().weights
"""Seed 003's six factors. Reuse, other agents and savings are 0 at the append: they come later."""

_OUTCOME = {"failure": 1.0, "partial": 0.7, "success": 0.5}
_NOVELTY = {"error": 0.7, "fix": 1.0, "prompt": 0.5, "answer": 0.5, "session_end": 0.6}


def compute_importance_prior(
    stream: str,
    kind: str,
    basis: str,
    body: dict[str, Any],
    weights: Mapping[str, float] = DEFAULT_WEIGHTS,
) -> dict[str, Any]:
    """`{"score": 0..1, "factors": {name: 0..1}}` of a record about to be appended; factors of 0 are left out.

    `weights` sum to 1 (`[importance]` in `config.toml`).
    """
    factors = dict.fromkeys(DEFAULT_WEIGHTS, 0.0)
    factors["outcome_impact"] = _OUTCOME.get(str(body.get("outcome")), 0.0)
    factors["novelty"] = 1.0 if stream == "memory" else _NOVELTY.get(kind, 0.2)
    factors["user_signal"] = 1.0 if basis == "user" else 0.0
    score = sum(weights[name] * value for name, value in factors.items())
    return {"score": round(score, 4), "factors": {n: v for n, v in factors.items() if v}}
