"""Tell which memories and notes say the same thing again, in the same words or in the other language."""

from functools import lru_cache

from hooklore.broker.principal_reader import Reader
from hooklore.late_pattern import compile_late
from hooklore.prompt.note import Note
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record
from hooklore.records.standing import may_replace
from hooklore.retrieval.near_duplicates import is_near_duplicate
from hooklore.text.contradiction import is_negated

_CJK = compile_late("[\u3040-\u30ff\u3400-\u9fff]")
_NAME = compile_late(r"[A-Za-z][A-Za-z0-9_./-]*[A-Za-z0-9]|\d+(?:\.\d+)*")
_NUMBER = compile_late(r"(?<![\w.])\d+(?:[.:]\d+)*(?!\w)")
_QUOTED = compile_late(r"(`[^`]*`)")
_MIN_NAMES = 2
"""Names of tools, files and numbers that two texts of different languages must share."""

_MAX_WORDS = 14
"""Words of an English text that two names say enough of."""


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
    known = [_read(reader, record) for record in told]
    kept: list[Record] = []
    for record in records:
        own = _read(reader, record)
        if not any(_says_same(own, other) for other in known):
            kept.append(record)
            known.append(own)
    return kept


def drop_repeated(notes: list[Note]) -> list[Note]:
    """Return `notes` without those whose text an earlier one has.

    Two failures that differ in a time, a line or a count alone are told in one sentence. A command in back
    quotes is compared as it is, and so is every number of what somebody said.
    """
    first: dict[str, Note] = {}
    for note in notes:
        first.setdefault(_compared(note.text), note)
    return list(first.values())


def _compared(text: str) -> str:
    plain = " ".join(text.casefold().split()).rstrip(" .…")
    if not plain.startswith("`"):
        return plain
    return "".join(
        part if part[:1] == "`" else _NUMBER.sub("0", part) for part in _QUOTED.split(plain)
    )


def _read(reader: Reader, record: Record) -> tuple[str, set[str]]:
    text = record.body.content_md
    return text, set(reader.terms(text))


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
