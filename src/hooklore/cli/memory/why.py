"""`hooklore why`: how important a record is, and what that rests on."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened

if TYPE_CHECKING:
    from hooklore.broker.curated.importance import Breakdown
    from hooklore.policy.importance import Evidence


def why(
    prefix: Annotated[str, typer.Argument(metavar="ID", help="an id, or its beginning")],
    *,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Say why a record is as important as it is: each factor when it was recorded, and now.

    The weights are those of `[importance]` in `config.toml`; the score is the factors' weighted sum.
    """
    from hooklore.broker.curated.importance import why as explained

    with opened() as broker:
        record, found = explained(broker, prefix, asker(broker, agent))
    if as_json:
        output.json(asdict(found))
        return
    output.data(output.row(record, text_of(record)))
    output.data(f"score {found.score:.2f}, {found.prior:.2f} when it was recorded")
    output.table(_rows(found))


def _rows(found: "Breakdown") -> list[tuple[str, ...]]:
    reasons = _reasons(found.evidence)
    rows: list[tuple[str, ...]] = [("factor", "weight", "then", "now", "")]
    for name, weight in found.weights.items():
        then = found.prior_factors.get(name, 0.0)
        now = f"{found.factors[name]:.2f}"
        rows.append((name, f"{weight:.2f}", f"{then:.2f}", now, reasons[name]))
    return rows


def _reasons(known: "Evidence") -> dict[str, str]:
    runs = f"cited in {known.successes} runs that went well, {known.failures} with a failure"
    said = "said by the user or confirmed; " if known.said_by_user else ""
    return {
        "outcome_impact": f"its own outcome: {known.outcome or 'none'}; {runs}",
        "reuse_frequency": f"cited {known.citations} times, shown {known.accesses} times",
        "cross_agent_impact": (
            f"cited by {known.agents} other agents and in {known.tasks} other tasks, "
            f"shown to {known.readers} other agents"
        ),
        "novelty": f"{known.likeness:.2f} like what was known before",
        "user_signal": f"{said}{known.approvals} approvals, {known.rejections} rejections",
        "cost_savings": f"{known.saved:.2f} of the tokens of an earlier run of the same task",
    }
