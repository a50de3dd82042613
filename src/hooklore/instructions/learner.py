"""Offer a session's instructions to the write gate, which alone decides what becomes a memory."""

from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.instructions.answer_rules import is_about_answers
from hooklore.instructions.extract import Instruction, extract_instructions
from hooklore.memories.decisions.replacement import find_related
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.records.schema import FROM_A_PROMPT

PROMPT_SOURCE = FROM_A_PROMPT
"""`source.detail` of a memory that comes from a prompt."""


@dataclass(frozen=True, slots=True)
class LearningContext:
    """The event that teaches something: the principal to write as, the project, and the delivery."""

    who: Principal
    keys: ProjectKeys | None
    delivery_id: str


def learn_from_prompt(broker: Broker, prompt: str, context: LearningContext) -> list[WriteResult]:
    """Offer what a prompt states to last, and return the results.

    It is stored as the user's own. What exceeds the limit of a prompt waits for a person. What only frees
    from a rule (`you may use npm again`) is kept where such a rule stands: elsewhere it is an order of the moment.
    """
    return [
        remember(
            broker,
            _event_of(found, context, n).to_json(),
            context.who,
            context.keys,
            is_typed=True,
        )
        for n, found in enumerate(extract_instructions(prompt, with_answers=True))
        if not found.answers or _answers_rule(broker, found, context)
    ]


def _answers_rule(broker: Broker, found: Instruction, context: LearningContext) -> bool:
    """Return whether the words of an instruction end or mark a rule that stands in its project, or everywhere."""
    project = broker.project_of(context.keys)
    own = f"project:{project.id}" if project else f"agent:{context.who.agent_id}"
    record = Record.of(kind=found.kind, body={"content_md": found.text})
    owner = broker.as_reader(PERSON)
    return any(find_related(owner, record, place) for place in (own, "global"))


def _event_of(found: Instruction, context: LearningContext, number: int) -> Record:
    raw = _envelope(context, number).with_fields(
        kind=found.kind,
        content_md=found.text,
        basis="user",
        confidence="high",
        source={"system": "cli", "detail": PROMPT_SOURCE},
    )
    is_global = found.kind in ("constraint", "preference") and is_about_answers(found.text)
    return raw.with_fields(scope="global") if is_global else raw


def _envelope(context: LearningContext, number: int) -> Record:
    who = context.who
    return Record.of(
        agent_id=who.agent_id,
        role=who.role,
        session_id=who.session_id,
        run_id=who.session_id,
        idempotency_key=f"{context.delivery_id}.learnt.{number}",
    )
