"""Offer a session's instructions to the write gate, which alone decides what becomes a memory."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.index import keys
from hooklore.index.record_keys import version_line_key
from hooklore.instructions.agent_memory_files import Section, read_sections
from hooklore.instructions.extract import Instruction, extract_instructions
from hooklore.memories.control_draft import draft_control
from hooklore.memories.topic_key import is_about_answers, topic_key
from hooklore.memories.write_gate import remember
from hooklore.memories.write_result import WriteResult
from hooklore.records.draft import PERSON, Principal, ProjectKeys
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Body, Record
from hooklore.records.schema import FROM_A_PROMPT

PROMPT_SOURCE = FROM_A_PROMPT
"""`source.detail` of a memory that comes from a prompt."""

MEMORY_FILE_SOURCE = "native"
"""`source.detail` of a memory that comes from an agent's own memory file."""


_MAX_KNOWN = 2_000
"""Memories of a place that are looked through for the sections of a file."""


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A memory file as an agent left it. `is_whole` is false where only the edited part of it is known."""

    path: str
    text: str
    is_whole: bool = True

    @property
    def name(self) -> str:
        """The name of the file without its folder, which may name a person."""
        return self.path.rpartition("/")[2]

    @property
    def digest(self) -> str:
        """A short hash by which files of one name are told apart."""
        return f"file-{hashlib.blake2b(self.path.encode(), digest_size=8).hexdigest()}"


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


def learn_from_memory_file(
    broker: Broker, old: str, file: MemoryFile, context: LearningContext
) -> list[WriteResult]:
    """Offer the sections of an agent's memory file that differ from `old`, and return the results.

    They are the agent's guesses, so they wait for a person. A changed section takes the place of the one
    that waits, and a section that is gone from the file waits no longer. What a person has confirmed stays.
    """
    before = {section.heading: section.text for section in read_sections(old, file.name)}
    now = read_sections(file.text, file.name)
    known = _known_sections(broker, file, context)
    gone = known.keys() - {section.heading for section in now} if file.is_whole else set()
    results = []
    for n, section in enumerate(now):
        if before.get(section.heading) == section.text:
            continue
        guess = _guess_of(section, file, context, n)
        earlier = known.get(section.heading)
        if earlier is not None and not earlier.waits:
            guess = guess.with_fields(supersedes=earlier.id)
        results.append(remember(broker, guess.to_json(), context.who, context.keys))
        if results[-1].id is not None and results[-1].status != "duplicate":
            gone.add(section.heading)
    _end_waiting(broker, [known[each] for each in gone if each in known])
    return results


def _known_sections(
    broker: Broker, file: MemoryFile, context: LearningContext
) -> dict[str, Record]:
    """Return what is known of the sections of a file by their headings: what waits, else what stands."""
    project = broker.project_of(context.keys)
    place = f"project:{project.id}" if project else f"agent:{context.who.agent_id}"
    owner = broker.as_reader(PERSON)
    standing = owner.lookup(keys.memories_at(place), _MAX_KNOWN)
    waiting = owner.history(keys.waiting_at(place), _MAX_KNOWN)
    found = [*standing, *(record for record in waiting if not owner.is_ended(record))]
    return {
        str(record.source.get("message_id") or ""): record
        for record in found
        if record.source.get("thread_id") == file.digest
    }


def _end_waiting(broker: Broker, records: Iterable[Record]) -> None:
    drafts = [
        draft_control(
            "supersede",
            record.scope,
            Body({"targets": [record.id], "reason": "its file changed"}),
            detail=MEMORY_FILE_SOURCE,
            project=record.project,
            basis="tool",
        )
        for record in records
        if record.waits
    ]
    if drafts:
        broker.append(drafts)


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


def _guess_of(section: Section, file: MemoryFile, context: LearningContext, number: int) -> Record:
    found = extract_instructions(section.text)
    return _envelope(context, number).with_fields(
        kind=found[0].kind if found else "fact",
        content_md=section.text,
        title=section.title or None,
        basis="inferred",
        confidence="med",
        source={
            "system": "cli",
            "detail": f"{MEMORY_FILE_SOURCE}:{file.name}"[:200],
            "thread_id": file.digest,
            "message_id": section.heading or None,
        },
    )


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
