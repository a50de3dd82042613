"""Find what says the same again: in nearly the same words, in the other language, or kept from what was said."""

from collections.abc import Collection, Iterable
from functools import lru_cache

from hooklore.broker.principal_reader import Reader
from hooklore.late_pattern import compile_late
from hooklore.prompt.note import Note
from hooklore.records import keys
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record
from hooklore.records.standing import may_replace, standing_of
from hooklore.retrieval.notes import quotable_text
from hooklore.text.contradiction import is_negated
from hooklore.text.similarity import carries

_JACCARD_THRESHOLD = 0.8
"""The Jaccard coefficient of their terms from which two notes are near-duplicates."""

_READ_KEPT = 50
_MIN_NAMES = 2
"""Names of tools, files and numbers that two texts of different languages must share."""

_MAX_WORDS = 14
"""Words of an English text that two names say enough of."""

_CJK = compile_late("[\u3040-\u30ff\u3400-\u9fff]")
_NAME = compile_late(r"[A-Za-z][A-Za-z0-9_./-]*[A-Za-z0-9]|\d+(?:\.\d+)*")
_NUMBER = compile_late(r"(?<![\w.])\d+(?:[.:]\d+)*(?!\w)")
_QUOTED = compile_late(r"(`[^`]*`)")


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


# ---- notes that answer a prompt


def let_memories_stand(
    matches: Iterable[tuple[float, Record]], reader: Reader
) -> list[tuple[float, Record]]:
    """Return (confidence, record) of matches, each memory in the place of all that says the same.

    A memory is as sure as the surest record that it stands for. An agent's own word stands for nothing.
    """
    standing: dict[str, tuple[float, Record]] = {}
    others: list[tuple[float, Record]] = []
    for match in sorted(matches, key=lambda match: -match[0]):
        record = match[1]
        if record.stream == "memory" and standing_of(record).at_prompt == "words":
            standing[record.id] = match
        else:
            others.append(match)
    alone: list[tuple[float, Record]] = []
    for sure, record in others:
        terms = text_terms(reader, record)
        same = (
            memory
            for _, memory in standing.values()
            if _is_kept_from(memory, record) or is_near_duplicate(terms, text_terms(reader, memory))
        )
        surest = next(same, None)
        if surest is None:
            alone.append((sure, record))
        else:
            standing[surest.id] = (max(standing[surest.id][0], sure), surest)
    return [*standing.values(), *alone]


def _is_kept_from(memory: Record, prompt: Record) -> bool:
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
    return any(memory.id in shown and _is_kept_from(memory, prompt) for memory in kept)


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


# ---- memories of a brief


def drop_overridden(records: list[Record]) -> list[Record]:
    """Return `records` without those under a key that an earlier one has, of a more specific place."""
    kept: dict[str, Record] = {}
    for record in records:
        kept.setdefault(record.dedupe_key or record.id, record)
    return list(kept.values())


def drop_overridden_by_words(records: list[Record], most: int | None = None) -> list[Record]:
    """Return `records` without the rules for everywhere that a rule of a project overrides by its words.

    The first `most` rules are compared with each other, all without it.
    """
    rules = [record for record in records if memory_kind(record.kind).is_rule][:most]
    own = [record for record in rules if record.project]
    wide = [record for record in rules if record.scope == "global"]
    if not own or not wide:
        return records
    from hooklore.text.rule_relation import is_overridden  # its expressions are for rules alone

    overridden = {
        record.id
        for record in wide
        for each in own
        if may_replace(each, record) and is_overridden(record.body.content_md, each.body.content_md)
    }
    return [record for record in records if record.id not in overridden]


def drop_restatements(reader: Reader, told: list[Record], records: list[Record]) -> list[Record]:
    """Return those of `records` that say what neither `told` nor an earlier one of them says."""
    known: list[tuple[str, set[str]]] = []
    kept: list[Record] = []
    for place, record in enumerate((*told, *records)):
        text = record.body.content_md
        own = text, set(reader.terms(text))
        is_given = place < len(told)
        if is_given or not any(_says_same(own, other) for other in known):
            known.append(own)
            kept += [] if is_given else [record]
    return kept


def _says_same(one: tuple[str, set[str]], other: tuple[str, set[str]]) -> bool:
    (left, left_terms), (right, right_terms) = one, other
    is_japanese = bool(_CJK.search(left))
    if is_japanese == bool(_CJK.search(right)):
        return is_near_duplicate(left_terms, right_terms)
    return _is_translation(left, right) if is_japanese else _is_translation(right, left)


@lru_cache(maxsize=4096)
def _is_translation(japanese: str, english: str) -> bool:
    """Return whether two short texts name the same things and both forbid something, or neither does."""
    names = {name.casefold() for name in _NAME.findall(japanese)}
    words = [word.casefold() for word in _NAME.findall(english)]
    if len(names) < _MIN_NAMES or len(words) > _MAX_WORDS or not names <= set(words):
        return False
    return is_negated(japanese) == is_negated(english)


def drop_repeated(notes: list[Note]) -> list[Note]:
    """Return `notes` without those whose text an earlier one has.

    Two failures that differ in a time, a line or a count alone are told in one sentence. A command in back
    quotes is compared as it is, and so is every number of what somebody said.
    """
    first: dict[str, Note] = {}
    for note in notes:
        text = " ".join(note.text.casefold().split()).rstrip(" .…")
        if text.startswith("`"):
            parts = (p if p[:1] == "`" else _NUMBER.sub("0", p) for p in _QUOTED.split(text))
            text = "".join(parts)
        first.setdefault(text, note)
    return list(first.values())
