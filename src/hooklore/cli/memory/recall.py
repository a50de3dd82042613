"""Recall memories for a question, and explain the choice: `hooklore recall` and `why`.

The explanation names every candidate with the reason for which a hook shows or omits the candidate.
"""

import math
import re
from dataclasses import asdict, replace
from typing import Annotated

import typer

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.broker import Broker
from hooklore.cli import output
from hooklore.cli.indexing import index_missing
from hooklore.cli.listing import print_record, text_of
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.speaking import speaker
from hooklore.cli.store import opened
from hooklore.cli.verb_command import print_opened, with_arguments
from hooklore.failures.fix_reading import describe_evidence
from hooklore.memories.decisions.replacement import describe_chain
from hooklore.memories.live_importance import explain_importance
from hooklore.prompt.frame import describe_basis
from hooklore.records.draft import Principal
from hooklore.records.importance import ImportanceSignals
from hooklore.records.record import Record
from hooklore.redaction.id_redaction import redact_id
from hooklore.requests.verbs.recall import VERB
from hooklore.retrieval.explain import Explanation, RecallCandidate, explain_recall
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.semantic.availability import own_recall, semantic_search
from hooklore.text.plural import format_count

Session = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="as in this session (its id in full)")
]
_LIMIT = 10


@with_arguments(VERB)
def recall(
    query: str,
    *,
    explain: Annotated[
        bool, typer.Option("--explain", help="with scores, filters and what a hook shows")
    ] = False,
    limit: int | None,
    session: Session = None,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Recall for a question what an agent here may see, best first, by the ranking that hooks use.

    A question of nothing but a time ("what did we do yesterday") brings what was then. An agent gets a few
    quoted notes. Options print the records themselves.
    """
    if explain:
        explain_prompt(query, limit or _LIMIT, session, agent, as_json=as_json)
        return
    given = (limit, session, agent, as_json or None)
    if given == (None,) * 4 and speaker().kind == "agent":
        print_opened("recall", [query])
        return
    with opened() as broker, index_missing(broker):
        found = own_recall(broker).search(
            _query(query, session), _principal(broker, agent), limit or _LIMIT
        )
        for record in found:
            print_record(record, as_json=as_json)
    if not found:
        output.say("nothing found")


def explain_prompt(
    query: str, limit: int, session: str | None, agent: str | None, *, as_json: bool
) -> None:
    """Print the candidates for a prompt, and why a hook shows or omits each; to an agent without scores."""
    with opened() as broker, index_missing(broker):
        found = explain_recall(
            broker,
            _query(query, session),
            _principal(broker, agent),
            limit,
            to_person=agent is None,
            semantic=semantic_search(broker),
        )
        (_print_json if as_json else _print)(found, with_scores=agent is None)


def _query(text: str, session: str | None) -> RecallQuery:
    asked_in = redact_id(session) if session else "no session"
    return RecallQuery("prompt", session_id=asked_in, text=text, own_words=text)


def _principal(broker: Broker, agent: str | None) -> Principal:
    """Return the agent that recalls: the one named or running, else the one whose hooks the person asks about."""
    who = asker(broker, agent)
    if agent or not (who.person or who.program):
        return who
    return replace(who, person=False, agent_id=DEFAULT_AGENT_ID, permission="worker")


def _print_json(found: Explanation, *, with_scores: bool) -> None:
    candidates = []
    for each in found.candidates:
        fields: dict[str, object] = {
            "id": each.record.id,
            "kind": each.record.kind,
            "ts": each.record.ts,
            "list": each.list_name,
            "sentence": each.sentence,
            "verdict": each.reason(with_figures=with_scores) or "shown",
            "shown": each.left_out is None,
        }
        parts = {name: getattr(each, name) for name in ("words", "named", "asks", "timely")}
        if with_scores:
            confidence, verdict = _finite_confidence(each), each.verdict
            fields |= {"score": each.score, "parts": parts, "confidence": confidence}
            fields["shared"] = list(verdict.shared) if verdict else []
        candidates.append(fields)
    output.json({
        "query": found.query.text,
        "sentences": [{"text": text, "terms": terms} for text, terms in found.sentences],
        "candidates": candidates,
        "hidden": found.hidden,
        "found": found.found,
        "shown": found.shown.ids,
        "text": found.shown.text,
    })  # fmt: skip


def _finite_confidence(each: RecallCandidate) -> float | None:
    confidence = each.gate_confidence  # None where no figure judged the candidate
    return confidence if confidence is not None and math.isfinite(confidence) else None


def _print(found: Explanation, *, with_scores: bool) -> None:
    for text, terms in found.sentences:
        output.data(f"asked: {output.one_line(text)} [{' '.join(terms)}]")
    rows = [("id", "list", *(("score", "made of") if with_scores else ()), "verdict", "text")]
    for each in found.candidates:
        scores = (f"{each.score:.2f}", _describe_score(each)) if with_scores else ()
        verdict = each.reason(with_figures=with_scores) or "shown"
        text = output.one_line(text_of(each.record))[:80]
        rows.append((each.record.id, each.list_name, *scores, verdict, text))
    output.table(rows)
    output.data(f"{found.hidden} more share words with it and are not for this reader")
    shown = len(found.shown.ids)
    output.data(f"a hook shows {shown} of them" if shown else "a hook shows nothing")


def _describe_score(each: RecallCandidate) -> str:
    """Return the parts of a score and the gate's confidence: `words 7.10, time +5.00, sure 0.31`."""
    named = {"author": each.named, "question": each.asks, "time": each.timely}
    parts = [f"words {each.words:.2f}"]
    parts += [f"{name} {value:+.2f}" for name, value in named.items() if value]
    confidence = _finite_confidence(each)
    if confidence is not None:
        parts.append(f"sure {confidence:.2f}")
    return ", ".join(parts)


_ID = re.compile(
    r"(?=[a-f-]*[0-9])[0-9a-f]{4,8}|[0-9a-f]{8}-[0-9a-f-]*|[0-9][0-9a-z]{7}", re.IGNORECASE
)
"""An id, its beginning, or a short id, which begins with a digit."""


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
