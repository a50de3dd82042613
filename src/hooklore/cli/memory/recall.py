"""`hooklore recall` and `hooklore why QUERY`: what a prompt brings up, and why the rest is left out (row AU-02)."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from hooklore.cli import output
from hooklore.cli.listing import print_record, text_of
from hooklore.cli.memory.asker import Agent, Json, asker
from hooklore.cli.store import opened

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.records.draft import Principal
    from hooklore.retrieval.explain import Explanation, RecallCandidate
    from hooklore.retrieval.query import RecallQuery

Session = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="as in this session (its id in full)")
]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="at most so many")]


def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="what you would ask an agent")],
    *,
    explain: Annotated[
        bool, typer.Option("--explain", help="with scores, filters and what a hook shows")
    ] = False,
    limit: Limit = 10,
    session: Session = None,
    agent: Agent = None,
    as_json: Json = False,
) -> None:
    """Recall for a question what an agent here may see, best first, by the ranking that hooks use.

    A question of nothing but a time ("what did we do yesterday") brings what was then.
    """
    if explain:
        explain_prompt(query, limit, session, agent, as_json=as_json)
        return
    from hooklore.retrieval.recall import Recall

    with opened() as broker:
        _prepare(broker)
        found = Recall(broker).search(_asked(query, session), _reader(broker, agent), limit)
    for record in found:
        print_record(record, as_json=as_json)
    if not found:
        output.say("nothing found")


def explain_prompt(
    query: str, limit: int, session: str | None, agent: str | None, *, as_json: bool
) -> None:
    """Print what a prompt finds and why it is shown or not. An agent is told no scores: they count
    what it may not see.
    """
    from hooklore.retrieval.explain import explain_recall

    with opened() as broker:
        _prepare(broker)
        who = _reader(broker, agent)
        found = explain_recall(broker, _asked(query, session), who, limit, to_person=agent is None)
    if as_json:
        output.json(_fields(found, with_scores=agent is None))
    else:
        _say(found, with_scores=agent is None)


def _asked(query: str, session: str | None) -> "RecallQuery":
    from hooklore.retrieval.query import RecallQuery

    return RecallQuery("prompt", session_id=session or "no session", text=query)


def _reader(broker: "Broker", agent: str | None) -> "Principal":
    """The agent that asks; of the person's questions, the one whose hooks are asked about."""
    who = asker(broker, agent)
    return who if agent else replace(who, person=False, agent_id="claude", permission="worker")


def _prepare(broker: "Broker") -> None:
    """Index what is not, and compare meanings as the hooks' resident does, where the extra is installed.

    With what it has encoded, in our own table: mem0's index may be open in one process only.
    """
    if broker.view.lag and broker.index():
        broker.refresh()
    from hooklore.retrieval.semantic.availability import semantic_unavailable_reason

    if semantic_unavailable_reason(broker.settings.recall.semantic) is None:
        from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder

        broker.semantic = SemanticSearch(broker.place, SharedEncoder(), patience=None)


def _fields(found: "Explanation", *, with_scores: bool) -> dict[str, object]:
    return {
        "query": found.query.text,
        "sentences": [{"text": text, "terms": terms} for text, terms in found.sentences],
        "candidates": [_of_candidate(each, with_scores=with_scores) for each in found.candidates],
        "hidden": found.hidden,
        "found": found.found,
        "shown": found.shown.ids,
        "text": found.shown.text,
    }


def _of_candidate(each: "RecallCandidate", *, with_scores: bool) -> dict[str, object]:
    fields: dict[str, object] = {
        "id": each.record.id,
        "kind": each.record.kind,
        "ts": each.record.ts,
        "list": each.list_name,
        "sentence": each.sentence,
        "verdict": _verdict(each, with_scores=with_scores),
        "shown": each.left_out is None,
    }
    if not with_scores:
        return fields
    sure = (
        each.gate_confidence
        if each.gate_confidence is not None and math.isfinite(each.gate_confidence)
        else None
    )
    shared = list(each.verdict.shared) if each.verdict else []
    parts = {name: getattr(each, name) for name in ("words", "named", "asks", "timely")}
    return fields | {"score": each.score, "parts": parts, "confidence": sure, "shared": shared}


def _verdict(each: "RecallCandidate", *, with_scores: bool) -> str:
    """Shown, or why not; figures are left out for those who are told none."""
    said = each.left_out or "shown"
    return said if with_scores else said.partition(":")[0]


def _say(found: "Explanation", *, with_scores: bool) -> None:
    for text, terms in found.sentences:
        output.data(f"asked: {output.one_line(text)} [{' '.join(terms)}]")
    rows = [("id", "list", *(("score", "made of") if with_scores else ()), "verdict", "text")]
    for each in found.candidates:
        scores = (f"{each.score:.2f}", _parts(each)) if with_scores else ()
        verdict = _verdict(each, with_scores=with_scores)
        text = output.one_line(text_of(each.record))[:80]
        rows.append((each.record.id, each.list_name, *scores, verdict, text))
    output.table(rows)
    output.data(f"{found.hidden} more share words with it and are not for this reader")
    shown = len(found.shown.ids)
    output.data(f"a hook shows {shown} of them" if shown else "a hook shows nothing")


def _parts(each: "RecallCandidate") -> str:
    """`words 7.10, time +5.00, sure 0.31`: what a score, and the gate's confidence, are."""
    named = {"author": each.named, "question": each.asks, "time": each.timely}
    parts = [f"words {each.words:.2f}"]
    parts += [f"{name} {value:+.2f}" for name, value in named.items() if value]
    if each.gate_confidence is not None and math.isfinite(each.gate_confidence):
        parts.append(f"sure {each.gate_confidence:.2f}")
    return ", ".join(parts)
