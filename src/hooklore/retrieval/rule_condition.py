"""Tell whether a step shows that the condition of a rule holds."""

from hooklore.records.record import Record
from hooklore.retrieval.query import RecallQuery
from hooklore.text.condition import find_condition_words, split_words


def may_hold(record: Record, query: RecallQuery) -> bool:
    """Return whether the condition of a rule may hold at a step: it is shown there, or no step shows it."""
    wanted = find_condition_words(record.body.content_md)
    return not wanted or not wanted.isdisjoint(split_words(_described(query, record)))


def _described(query: RecallQuery, record: Record) -> str:
    """Return all that a step says of itself: its command, its files as a rule names them, an edit's names."""
    paths = query.paths_in(record.project)
    return "\n".join((query.command or "", *paths, *query.added, query.text))
