"""What a record is worth for a question: by its group, by who said it, by its time.

Whoever uses a weight asks this module for it (`worth.NAMED`), so that an ablation can take it out.
"""

from typing import TYPE_CHECKING

from hooklore.index.view import View
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.retrieval.relevance import conversation_gate, gate
from hooklore.retrieval.relevance.statement import is_statement

if TYPE_CHECKING:
    from hooklore.retrieval.time.expressions import TimeRange

PROMPT_GROUP_WEIGHTS = {
    "memory": 1.0,
    "fix": 1.0,
    "user": 1.0,
    "talk": 1.0,
    "answer": 0.5,
    "summary": 0.5,
}
SPOKEN_GROUP_WEIGHTS = {"memory": 1.0, "user": 1.0, "talk": 1.0}
FAILURE_GROUP_WEIGHTS = {"failure": 1.0}
"""The groups that answer a prompt, an edit, and a failure or a command, and what their scores are worth:
the user's words above the agent's, those above what tools printed."""

_STATEMENT_EVIDENCE = 0.9
_EVIDENCE_BY_KIND = {"prompt": 0.3, "fix": 0.4, "refuted": 1.0, "comparison": 1.0}
"""What the evidence of an observation is worth beside a memory's: what somebody said to another or stated,
and the rest; a prompt is an order, then."""

AUTHOR_NAMED_BONUS = 4.0
QUESTION_PENALTY = 2.0
TIME_MATCH_BONUS = 5.0
"""Added when the question names who said it, taken off when what was said is a question itself; added
when the question names its time."""


def weighted_bins(groups: dict[str, float], who: Principal) -> dict[str, float]:
    """The bins of these groups that `who` reads from, with what a score in each is worth."""
    places = ("global", who.project or f"agent:{who.agent_id}")
    return {f"{name}|{place}": w for name, w in groups.items() for place in places}


def evidence_weight(record: Record) -> float:
    """The user's words above the agent's; what was decided above what was said in passing.

    A prompt of another day is an order, mostly, and no answer to this one: of 133 that two real
    projects would have been shown hardly one in six bore on what followed.
    """
    if record.stream == "memory":
        return 1.0
    if record.kind == "prompt" and not is_instruction_prompt(record):
        return _STATEMENT_EVIDENCE
    return _EVIDENCE_BY_KIND.get(record.kind, 0.2)


def may_show_second(first: float, sure: float, record: Record) -> bool:
    """Whether a record may be shown beside one that is `first` sure."""
    if record.body.author:
        return conversation_gate.is_conversation_runner_up(first, sure)
    return gate.is_runner_up(first, sure)


def is_instruction_prompt(record: Record) -> bool:
    """Whether somebody told an agent what to do, on another day."""
    body = record.body
    if record.kind != "prompt" or body.author:
        return False
    return not is_statement(str(body.text or ""))


def score_bonus(
    record: Record, terms: list[str], view: View, named: tuple["TimeRange", ...] = ()
) -> float:
    """What a record's author, its being a question, and its time (`named` ones) change of its score."""
    said = detect_speaker(record, terms, view)
    is_timely = any(span.has(record.ts) for span in named)
    return (
        AUTHOR_NAMED_BONUS * said.is_named
        - QUESTION_PENALTY * said.is_question
        + TIME_MATCH_BONUS * is_timely
    )


def detect_speaker(record: Record, terms: list[str], view: View) -> gate.Speaker:
    """Who said a record, as the question sees it."""
    author, text = record.body.author, record.body.text
    names = view.terms(author) if isinstance(author, str) else []
    asks = record.kind == "prompt" and isinstance(text, str)
    return gate.Speaker(
        is_talk=bool(author),
        is_named=bool(names) and set(names) <= set(terms),
        is_question=asks and str(text).rstrip().endswith(("?", "？")),
    )
