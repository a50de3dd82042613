"""Find near-duplicates: notes that have nearly all terms in common, and prompts that a memory was kept from."""

from collections.abc import Collection, Iterable

from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.records.standing import standing_of
from hooklore.retrieval.notes import quotable_text
from hooklore.text.similarity import carries

_JACCARD_THRESHOLD = 0.8
"""The Jaccard coefficient of their terms from which two notes are near-duplicates."""

_READ_KEPT = 50


def is_near_duplicate(one: set[str], other: set[str]) -> bool:
    """Return whether notes with these terms are near-duplicates. Two notes without terms are not."""
    return bool(one or other) and len(one & other) / len(one | other) >= _JACCARD_THRESHOLD


def text_terms(reader: Reader, record: Record) -> set[str]:
    """Return the terms of a record's text, without the title and the phrases under which it is found, too.

    Two memories with the same phrases are not one.
    """
    body = record.body
    if not body.title and not body.when:
        return reader.terms_of(record)
    return set(reader.terms(quotable_text(record)))


def let_memories_stand(
    matches: Iterable[tuple[float, Record]], reader: Reader
) -> list[tuple[float, Record]]:
    """Return (confidence, record) of matches, each memory in the place of all that says the same.

    A memory is as sure as the surest record that it stands for.
    """
    ranked = sorted(matches, key=lambda match: -match[0])
    standing = {r.id: (sure, r) for sure, r in ranked if _may_stand(r)}
    others: list[tuple[float, Record]] = []
    for sure, record in ranked:
        memory = None if _may_stand(record) else _memory_for(record, standing.values(), reader)
        if memory is None:
            others += [] if _may_stand(record) else [(sure, record)]
        else:
            standing[memory.id] = (max(standing[memory.id][0], sure), memory)
    return [*standing.values(), *others]


def _may_stand(record: Record) -> bool:
    """Return whether a record is a memory that stands for what was only said: any but an agent's own word."""
    return record.stream == "memory" and standing_of(record).at_prompt == "words"


def _memory_for(
    record: Record, memories: Iterable[tuple[float, Record]], reader: Reader
) -> Record | None:
    """Return the surest memory that says what a record says, or None."""
    terms = text_terms(reader, record)
    for _, memory in memories:
        if is_kept_from(memory, record) or is_near_duplicate(terms, text_terms(reader, memory)):
            return memory
    return None


def is_kept_from(memory: Record, prompt: Record) -> bool:
    """Return whether a memory was kept in the session of a prompt that has most of its words."""
    is_of_session = memory.run_id is not None and memory.run_id == prompt.session_id
    if prompt.kind != "prompt" or not is_of_session:
        return False
    return carries(quotable_text(prompt), quotable_text(memory))


def is_told_by_memory(prompt: Record, shown: Collection[str], reader: Reader) -> bool:
    """Return whether a memory that was kept from a prompt is among those `shown`."""
    if prompt.kind != "prompt" or not shown:
        return False
    kept = reader.lookup(keys.in_run(prompt.session_id), _READ_KEPT)
    return any(memory.id in shown and is_kept_from(memory, prompt) for memory in kept)


def collapse_duplicates(records: list[Record], reader: Reader) -> list[tuple[Record, int]]:
    """Return (record, count): the first of each set of near-duplicates, and the size of the set."""
    if len(records) < 2:
        return [(record, 1) for record in records]
    kept: list[tuple[Record, set[str]]] = []
    counts: list[int] = []
    for record in records:
        terms = set(reader.terms(quotable_text(record)))
        same = (i for i, (_, other) in enumerate(kept) if is_near_duplicate(terms, other))
        place = next(same, None)
        if place is None:
            kept.append((record, terms))
            counts.append(1)
        else:
            counts[place] += 1
    return [(record, count) for (record, _), count in zip(kept, counts, strict=True)]
