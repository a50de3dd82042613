"""Find near-duplicates: notes that have nearly all of their terms in common."""

from hooklore.broker.principal_reader import Reader
from hooklore.records.record import Record
from hooklore.retrieval.notes import quotable_text

_JACCARD_THRESHOLD = 0.8
"""The Jaccard coefficient of their terms from which two notes are near-duplicates."""


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
