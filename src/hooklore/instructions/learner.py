"""Offer a session's instructions to the write gate, which alone decides what becomes a memory."""

from hooklore.broker.broker import Broker
from hooklore.instructions.extract import Instruction, extract_instructions
from hooklore.instructions.forms import ABOUT_ANSWERS
from hooklore.memories.decisions.replacement import find_related
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.record import Record
from hooklore.records.schema import FROM_A_PROMPT


def learn_from_prompt(
    broker: Broker, prompt: str, who: Principal, folder: ProjectKeys | None, delivery_id: str
) -> list[WriteResult]:
    """Offer what a prompt states to last, and return the results. `who` writes it in the project `folder`.

    It is stored as the user's own. What exceeds the limit of a prompt waits for a person. What only frees
    from a rule (`you may use npm again`) is kept where such a rule stands: elsewhere it is an order of the moment.
    """
    results = []
    for number, found in enumerate(extract_instructions(prompt, with_answers=True)):
        if found.answers and not _answers_rule(broker, found, who, folder):
            continue
        event = Record.of(
            agent_id=who.agent_id,
            role=who.role,
            session_id=who.session_id,
            run_id=who.session_id,
            idempotency_key=f"{delivery_id}.learnt.{number}",
            kind=found.kind,
            content_md=found.text,
            basis="user",
            confidence="high",
            source={"system": "cli", "detail": FROM_A_PROMPT},
        )
        is_rule = found.kind in ("constraint", "preference")
        if is_rule and ABOUT_ANSWERS.search(found.text.lower()):
            event = event.with_fields(scope="global")
        results.append(remember(broker, event.to_json(), who, folder, is_typed=True))
    return results


def _answers_rule(
    broker: Broker, found: Instruction, who: Principal, folder: ProjectKeys | None
) -> bool:
    """Return whether the words of an instruction end or mark a rule that stands in its project, or everywhere."""
    project = broker.project_of(folder)
    own = f"project:{project.id}" if project else f"agent:{who.agent_id}"
    record = Record.of(kind=found.kind, body={"content_md": found.text})
    owner = broker.as_reader(PERSON)
    return any(find_related(owner, record, place) for place in (own, "global"))
