"""Explain the importance of a record, or the results of a prompt: `hooklore why`."""

import re
from dataclasses import asdict
from typing import Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import text_of
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.memory.recall import Session, explain_prompt
from hooklore.cli.store import opened
from hooklore.failures.fix_reading import describe_evidence
from hooklore.memories.live_importance import explain_importance
from hooklore.memories.replacement import describe_chain
from hooklore.prompt.frame import describe_basis
from hooklore.records.importance import ImportanceSignals
from hooklore.records.record import Record
from hooklore.text.plural import format_count

_ID = re.compile(
    r"(?=[a-f-]*[0-9])[0-9a-f]{4,8}|[0-9a-f]{8}-[0-9a-f-]*|[0-9][0-9a-z]{7}", re.IGNORECASE
)
"""An id, its beginning, or a short id, which begins with a digit."""
_LIMIT = 10


def why(
    prefix: Annotated[
        str, typer.Argument(metavar="ID|QUERY", help="an id, or its beginning; else what was asked")
    ],
    *,
    session: Session = None,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Say why a record is as important as it is, or why a prompt brings up what it does.

    Of an id: what it replaced, what replaced it, and by which words; each factor when it was recorded, and
    now; the weights are those of `[importance]` in `config.toml`. Of any other text: the same as
    `hooklore recall --explain`.
    """
    if not _ID.fullmatch(prefix.strip()):
        explain_prompt(prefix, _LIMIT, session, agent, as_json=as_json)
        return
    with opened() as broker:
        who = asker(broker, agent)
        record, found = explain_importance(broker, prefix, who)
        reader = broker.as_reader(who)
        evidence = describe_evidence(reader, record, is_person=bool(reader.principal.person))
        chain = list(describe_chain(reader, record))
    if as_json:
        output.json(asdict(found) | {"readers": _readers(record), "chain": chain})
        return
    output.data(output.row(record, text_of(record)))
    for line in (*evidence, *chain):
        output.data(output.one_line(line))
    readers, origin = output.one_line(_readers(record)), output.one_line(describe_basis(record))
    scores = f"score {found.score:.2f}, {found.prior:.2f} when it was recorded"
    output.data(f"{scores}; {origin}; told to {readers}")
    use = found.use
    output.data(
        f"in sessions: shown {use.shown}, opened {use.opened}, followed {use.followed} (its command, file or "
        "terms came up afterwards)"
    )
    reasons = _reasons(found.evidence)
    rows: list[tuple[str, ...]] = [("factor", "weight", "then", "now", "")]
    for name, weight in found.weights.items():
        then, now = found.prior_factors.get(name, 0.0), found.factors[name]
        rows.append((name, f"{weight:.2f}", f"{then:.2f}", f"{now:.2f}", reasons[name]))
    output.table(rows)


def _readers(record: Record) -> str:
    """Return in words the readers of a record, by the conditions of `may_read` and of recall."""
    if record.is_private:
        return "the person alone"
    if record.waits:
        return "the person, until it is approved"
    scope, body = str(record.scope), record.body
    agents = {"global": "agents everywhere", f"agent:{record.agent_id}": f"{record.agent_id}"}
    by_visibility = {"session": f"session {record.session_id}", "agent-only": f"role {record.role}"}
    limit = by_visibility.get(record.visibility)
    limits = [limit] if limit else []
    is_of_type = record.stream == "memory" and bool(record.agent_type)
    limits += [f"subagents of type {record.agent_type}"] if is_of_type else []
    limits += [f"files {', '.join(map(str, body.paths))}"] if body.paths else []
    return ", only for ".join([agents.get(scope, f"agents in {scope}"), *limits])


def _reasons(signals: ImportanceSignals) -> dict[str, str]:
    runs = f"cited in {format_count(signals.successes, 'run')} that went well, {signals.failures} with a failure"
    said = "said by the user or confirmed; " if signals.said_by_user else ""
    return {
        "outcome_impact": f"its own outcome: {signals.outcome or 'none'}; {runs}",
        "reuse_frequency": f"cited {format_count(signals.citations, 'time')}, "
        f"shown {format_count(signals.accesses, 'time')}",
        "cross_agent_impact": (
            f"cited by {format_count(signals.agents, 'other agent')} "
            f"and in {format_count(signals.tasks, 'other task')}, "
            f"shown to {format_count(signals.readers, 'other agent')}"
        ),
        "novelty": f"{signals.likeness:.2f} like what was known before",
        "user_signal": f"{said}{format_count(signals.approvals, 'approval')}, "
        f"{format_count(signals.rejections, 'rejection')}",
        "cost_savings": f"{signals.saved:.2f} of the tokens of an earlier run of the same task",
    }
