"""Weigh a record for a question: by its group, by who said it, by its time.

Weights are read as attributes of this module (`scoring.TIME_MATCH_BONUS`), so that an ablation can
replace them.
"""

from typing import TYPE_CHECKING

from hooklore.broker.principal_reader import Reader
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.retrieval.relevance import conversation_gate, gate
from hooklore.retrieval.relevance.sentence_form import asks_for_fact, is_statement

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
"""The groups that answer a prompt, an edit, and a failure or a command, with the weight of their scores.
The user's words weigh more than the agent's, and these more than the output of tools."""

_STATEMENT_EVIDENCE = 0.9
_EVIDENCE_BY_KIND = {
    "prompt": 0.5,
    "turn": _STATEMENT_EVIDENCE,
    "fix": 0.5,
    "refuted": 1.0,
    "comparison": 1.0,
}
_OTHER_EVIDENCE = 0.4
"""The weight of an observation as evidence, where a memory's is 1. A statement, or a turn between people,
has the first; a prompt by itself is an instruction."""

AUTHOR_NAMED_BONUS = 4.0
QUESTION_PENALTY = 2.0
TIME_MATCH_BONUS = 5.0
"""Added when the question names the author, taken off when the record is a question itself, and added when
the question names the time of the record."""

_QUESTION_MARKS = ("?", "？")


def weighted_bins(groups: dict[str, float], who: Principal) -> dict[str, float]:
    """Return the bins of `groups` that `who` reads from, each with the weight of its scores.

    In a project an agent reads of its own place the memories alone: its sessions there had no project. Of
    superprojects it reads memories alone, too.
    """
    own = f"agent:{who.agent_id}"
    places = ("global", who.project or own, *who.projects)
    bins = {f"{name}|{place}": w for name, w in groups.items() for place in places}
    if "memory" not in groups:
        return bins
    return bins | {f"memory|{place}": groups["memory"] for place in (own, *who.around)}


def evidence_weight(record: Record) -> float:
    """Return the weight of a record as evidence: the user's words above the agent's, decisions above remarks.

    A prompt of another day is mostly an instruction, and no answer to this prompt. Of 133 such notes in
    two real projects hardly one in six bore on what followed. A question that an agent was asked answers
    nothing.
    """
    if record.stream == "memory":
        return 1.0
    if is_question_to_agent(record):
        return 0.0
    if record.kind == "prompt" and not is_instruction_prompt(record):
        return _STATEMENT_EVIDENCE
    return _EVIDENCE_BY_KIND.get(record.kind, _OTHER_EVIDENCE)


def is_question_to_agent(record: Record) -> bool:
    """Return whether a record is a prompt that asked an agent something."""
    if record.kind != "prompt":
        return False
    text = str(record.body.text or "").strip()
    return text.endswith(_QUESTION_MARKS) or asks_for_fact(text)


def select_surest(ranked: list[tuple[float, Record]]) -> list[Record]:
    """Return the records to show of (confidence, record), the surest first: none where that is below its bar."""
    if not ranked or ranked[0][0] <= gate.THRESHOLD:
        return []
    first = ranked[0][0]
    return [
        record
        for sure, record in ranked
        if (
            conversation_gate.is_conversation_runner_up(first, sure)
            if record.kind == "turn"
            else sure > gate.THRESHOLD and sure >= first - gate.RUNNER_UP_MARGIN
        )
    ]


def is_instruction_prompt(record: Record) -> bool:
    """Return whether a record is a prompt that told an agent what to do."""
    return record.kind == "prompt" and not is_statement(str(record.body.text or ""))


def score_bonuses(
    record: Record, terms: list[str], reader: Reader, named_times: tuple["TimeRange", ...]
) -> tuple[float, float, float]:
    """Return what a record's author, form and time add to its score, for a question of these `terms`."""
    speaker = detect_speaker(record, terms, reader)
    is_timely = any(span.has(record.ts) for span in named_times)
    return (
        AUTHOR_NAMED_BONUS * speaker.is_named,
        -QUESTION_PENALTY * speaker.is_question,
        TIME_MATCH_BONUS * is_timely,
    )


def detect_speaker(record: Record, terms: list[str], reader: Reader) -> gate.Speaker:
    """Return who said a record, as a question of these `terms` sees the speaker."""
    author, text = record.body.author, record.body.text
    is_said = record.kind in ("prompt", "turn") and isinstance(text, str)
    is_question = is_said and str(text).rstrip().endswith(_QUESTION_MARKS)
    is_turn = record.kind == "turn"
    if not is_turn and not is_question:
        return gate.Speaker()
    names = reader.terms(author) if is_turn and isinstance(author, str) else []
    return gate.Speaker(
        is_talk=is_turn,
        is_named=bool(names) and set(names) <= set(terms),
        is_question=is_question,
    )
