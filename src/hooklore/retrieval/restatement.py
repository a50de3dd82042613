"""Tell which memories say the same thing again, in the same words or in the other language."""

import re

from hooklore.broker.principal_reader import Reader
from hooklore.records.record import Record
from hooklore.retrieval.near_duplicates import is_near_duplicate
from hooklore.text.contradiction import is_negated

_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*[A-Za-z0-9]|\d+(?:\.\d+)*")
_MIN_NAMES = 2
"""Names of tools, files and numbers that two texts of different languages must share."""

_MAX_WORDS = 14
"""Words of an English text that two names say enough of."""


def drop_restatements(reader: Reader, records: list[Record]) -> list[Record]:
    """Return `records` without those that say what an earlier one of the list says.

    A memory under a key that an earlier one has, of a more specific place, is overridden by it.
    """
    kept: list[Record] = []
    keyed: set[str] = set()
    for record in records:
        key = record.dedupe_key
        if (key and key in keyed) or any(_says_same(reader, record, other) for other in kept):
            continue
        kept.append(record)
        keyed |= {key} if key else set()
    return kept


def _says_same(reader: Reader, one: Record, other: Record) -> bool:
    left, right = one.body.content_md, other.body.content_md
    if bool(_CJK.search(left)) == bool(_CJK.search(right)):
        return is_near_duplicate(set(reader.terms(left)), set(reader.terms(right)))
    japanese, english = (left, right) if _CJK.search(left) else (right, left)
    return _is_translation(japanese, english)


def _is_translation(japanese: str, english: str) -> bool:
    """Return whether two short texts name the same things and both forbid something, or neither does."""
    names = {name.casefold() for name in _NAME.findall(japanese)}
    words = [word.casefold() for word in _NAME.findall(english)]
    if len(names) < _MIN_NAMES or len(words) > _MAX_WORDS or not names <= set(words):
        return False
    return is_negated(japanese) == is_negated(english)
