"""Offer a session's instructions to the write gate, which alone decides what becomes a memory."""

from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.index.record_keys import version_line_key
from hooklore.instructions.extract import Instruction, extract_instructions
from hooklore.memories.topic_key import is_about_answers, topic_key
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.memory_kind import memory_kind
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

    It is stored as the user's own. What exceeds the limit of a prompt waits for a person.
    """
    return [
        remember(
            broker,
            _event_of(broker, found, context, n).to_json(),
            context.who,
            context.keys,
            is_typed=True,
        )
        for n, found in enumerate(extract_instructions(prompt))
    ]


def _event_of(broker: Broker, found: Instruction, context: LearningContext, number: int) -> Record:
    raw = _envelope(context, number).with_fields(
        kind=found.kind,
        content_md=found.text,
        basis="user",
        confidence="high",
        source={"system": "cli", "detail": PROMPT_SOURCE},
    )
    if not memory_kind(found.kind).keyed_by_topic:
        return raw
    scope = "global" if is_about_answers(found.text) else None
    placed = raw.with_fields(scope=scope) if scope else raw
    key = topic_key(found.text)
    if key is None:
        return placed
    earlier = _find_earlier(broker, key, scope, context)
    keyed = placed.with_fields(dedupe_key=key)
    return keyed.with_fields(supersedes=earlier) if earlier else keyed


def _envelope(context: LearningContext, number: int) -> Record:
    who = context.who
    return Record.of(
        agent_id=who.agent_id,
        role=who.role,
        session_id=who.session_id,
        run_id=who.session_id,
        idempotency_key=f"{context.delivery_id}.learnt.{number}",
    )


def _find_earlier(
    broker: Broker, key: str, scope: str | None, context: LearningContext
) -> str | None:
    """Return the id of the instruction on the same topic that came from a prompt, or None.

    That instruction is superseded by name. A memory from the command line or from an agent is not: the
    two become a conflict.
    """
    project = broker.project_of(context.keys)
    if scope is None and context.keys is not None and project is None:
        return None
    place = {"project": project.id} if project else {"scope": f"agent:{context.who.agent_id}"}
    place = {"scope": scope} if scope else place
    line = version_line_key(Record({"scope": "", **place, "dedupe_key": key}))
    current = broker.as_reader(PERSON).latest_active_version(line)
    if current is None or current.source_detail != PROMPT_SOURCE:
        return None
    return str(current.id)
