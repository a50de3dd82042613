"""What a record is worth for a question: by its group, by who said it, by its time.

Whoever uses a weight asks this module for it (`worth.NAMED`), so that an ablation can take it out.
"""

from typing import TYPE_CHECKING, Any

from hooklore.index.view import View
from hooklore.records.draft import Principal
from hooklore.retrieval.relevance import conversation_gate, gate
from hooklore.retrieval.relevance.statement import is_statement

if TYPE_CHECKING:
    from hooklore.retrieval.time.expressions import Span

Fields = dict[str, Any]

PROMPT = {"memory": 1.0, "fix": 1.0, "user": 1.0, "talk": 1.0, "answer": 0.5, "summary": 0.5}
SAID = {"memory": 1.0, "user": 1.0, "talk": 1.0}
FAILED = {"failure": 1.0}
"""The groups that answer a prompt, an edit, and a failure or a command, and what their scores are worth:
the user's words above the agent's, those above what tools printed."""

_SAID_SO = 0.9
_WORTH = {"prompt": 0.3, "fix": 0.4, "refuted": 1.0, "comparison": 1.0}
"""What the evidence of an observation is worth beside a memory's: what somebody said to another or stated,
and the rest; a prompt is an order, then."""

NAMED = 4.0
ASKS = 2.0
TIMELY = 5.0
"""Added when the question names who said it, taken off when what was said is a question itself; added
when the question names its time."""


def bins(groups: dict[str, float], who: Principal) -> dict[str, float]:
    """The bins of these groups that `who` reads from, with what a score in each is worth."""
    places = ("global", who.project or f"agent:{who.agent_id}")
    return {f"{name}|{place}": w for name, w in groups.items() for place in places}


def evidence(record: Fields) -> float:
    """The user's words above the agent's; what was decided above what was said in passing.

    A prompt of another day is an order, mostly, and no answer to this one: of 133 that two real
    projects would have been shown hardly one in six bore on what followed.
    """
    if record["stream"] == "memory":
        return 1.0
    if record["kind"] == "prompt" and not is_order(record):
        return _SAID_SO
    return _WORTH.get(record["kind"], 0.2)


def is_second(first: float, sure: float, record: Fields) -> bool:
    """Whether a record may be shown beside one that is `first` sure."""
    if record["body"].get("author"):
        return conversation_gate.is_second(first, sure)
    return gate.is_second(first, sure)


def is_order(record: Fields) -> bool:
    """Whether somebody told an agent what to do, on another day."""
    body = record["body"]
    if record["kind"] != "prompt" or body.get("author"):
        return False
    return not is_statement(str(body.get("text") or ""))


def bonus(record: Fields, terms: list[str], view: View, named: tuple["Span", ...] = ()) -> float:
    """What a record's author, its being a question, and its time (`named` ones) change of its score."""
    said = voice(record, terms, view)
    is_timely = any(span.has(record["ts"]) for span in named)
    return NAMED * said.is_named - ASKS * said.is_question + TIMELY * is_timely


def voice(record: Fields, terms: list[str], view: View) -> gate.Voice:
    """Who said a record, as the question sees it."""
    author, text = record["body"].get("author"), record["body"].get("text")
    names = view.terms(author) if isinstance(author, str) else []
    asks = record["kind"] == "prompt" and isinstance(text, str)
    return gate.Voice(
        is_talk=bool(author),
        is_named=bool(names) and set(names) <= set(terms),
        is_question=asks and str(text).rstrip().endswith(("?", "？")),
    )
