"""What a session teaches, offered to the write gate: nothing is curated past it (row HK-14, decision C37)."""

from collections.abc import Iterable
from dataclasses import dataclass

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.index.record_keys import version_line_key
from hooklore.instructions.agent_memory_files import extract_new_statements
from hooklore.instructions.extract import Instruction, extract_instructions
from hooklore.instructions.topic_key import topic_key
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import Principal, ProjectKeys
from hooklore.records.record import Record

PROMPT_SOURCE = "learnt"
"""`source.detail` of what was taken from a prompt."""

MEMORY_FILE_SOURCE = "native"
"""`source.detail` of what stands in a memory file of an agent's own."""


@dataclass(frozen=True, slots=True)
class LearningContext:
    """When and where something was said: who to write as, the project, the delivery."""

    who: Principal
    keys: ProjectKeys | None
    delivery_id: str


def learn_from_prompt(broker: Broker, prompt: str, moment: LearningContext) -> list[WriteResult]:
    """Offer the corrections and standing instructions in a prompt.

    What was asked to be remembered, or is plainly meant to last, is stored as said by the user; what
    may have been meant for once waits, and so does what is over the limit of a prompt.
    """
    found = enumerate(extract_instructions(prompt))
    return [
        remember(broker, _said(broker, each, moment, n).to_json(), moment.who, moment.keys)
        for n, each in found
    ]


def learn_from_memory_file(
    broker: Broker, new: str, old: str, name: str, moment: LearningContext
) -> list[WriteResult]:
    """Offer what an agent wrote into its own memory file `name`: its guess, so it waits for a person."""
    offers: Iterable[tuple[int, str]] = enumerate(extract_new_statements(new, old))
    return [
        remember(broker, _guessed(text, name, moment, number).to_json(), moment.who, moment.keys)
        for number, text in offers
    ]


def _said(broker: Broker, found: Instruction, moment: LearningContext, number: int) -> Record:
    key = topic_key(found.text)
    raw = _common(moment, number).with_fields(
        kind=found.kind,
        content_md=found.text,
        basis="user",
        confidence="high" if found.is_sure else "med",
        source={"system": "cli", "detail": PROMPT_SOURCE},
    )
    if key is None:
        return raw
    earlier = _earlier(broker, key, moment)
    keyed = raw.with_fields(dedupe_key=key)
    return keyed.with_fields(supersedes=earlier) if earlier and found.is_sure else keyed


def _guessed(text: str, name: str, moment: LearningContext, number: int) -> Record:
    told = extract_instructions(text)
    return _common(moment, number).with_fields(
        kind=told[0].kind if told else "fact",
        content_md=text,
        basis="inferred",
        confidence="med",
        source={"system": "cli", "detail": f"{MEMORY_FILE_SOURCE}:{name}"[:200]},
    )


def _common(moment: LearningContext, number: int) -> Record:
    who = moment.who
    return Record.of(
        agent_id=who.agent_id,
        role=who.role,
        session_id=who.session_id,
        run_id=who.session_id,
        idempotency_key=f"{moment.delivery_id}.learnt.{number}",
    )


def _earlier(broker: Broker, key: str, moment: LearningContext) -> str | None:
    """What the user said before on the same topic: it is replaced by name, and seen as such.

    What was said otherwise (at the command line, by an agent) is not: that becomes a conflict.
    """
    project = broker.project_of(moment.keys)
    if moment.keys is not None and project is None:
        return None
    place = {"project": project.id} if project else {"scope": f"agent:{moment.who.agent_id}"}
    line = version_line_key(Record({"scope": "", **place, "dedupe_key": key}))
    newest = versions.latest_active_version(broker.view, line)
    if newest is None or newest.source_detail != PROMPT_SOURCE:
        return None
    return str(newest.id)
