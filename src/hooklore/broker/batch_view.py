"""Look up records in the log and in the batch that is about to be appended to it.

A draft must know of the drafts before it in the same batch.
"""

from collections.abc import Iterable

from hooklore.index.record_keys import record_keys
from hooklore.index.view import View
from hooklore.records.record import Record


class BatchView:
    """The log, and the records of a batch that are about to be appended to it."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._batch: dict[str, list[Record]] = {}

    def add(self, record: Record) -> None:
        """Add a record of the batch, which has the newest id."""
        for tag in record_keys(record):
            self._batch.setdefault(tag, []).append(record)

    def lookup(self, tag: str, limit: int = 100) -> list[Record]:
        """Return the records under an exact key, newest first."""
        held = self._batch.get(tag, [])[-limit:][::-1]
        return held if len(held) == limit else held + self._view.lookup(tag, limit - len(held))

    def has(self, tag: str) -> bool:
        """Return whether a record is under this key."""
        return bool(self.held((tag,)))

    def held(self, tags: Iterable[str]) -> set[str]:
        """Return those of `tags` that a record is under."""
        asked = set(tags)
        return asked & self._batch.keys() | self._view.held(asked)
