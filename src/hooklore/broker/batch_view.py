"""What a reader will see when a batch is written: a draft must know of those before it in the same batch."""

from hooklore.index.record_keys import record_keys
from hooklore.index.view import View
from hooklore.records.record import Record


class BatchView:
    """The log, and the records of a batch that are about to be appended to it."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._batch: dict[str, list[Record]] = {}

    def add(self, record: Record) -> None:
        """Know of this record, too; it has the newest id."""
        for tag in record_keys(record):
            self._batch.setdefault(tag, []).append(record)

    def lookup(self, tag: str, limit: int = 100) -> list[Record]:
        """Records under an exact key, newest first."""
        held = self._batch.get(tag, [])[-limit:][::-1]
        return held if len(held) == limit else held + self._view.lookup(tag, limit - len(held))

    def has(self, tag: str) -> bool:
        """Whether a record is under this key."""
        return tag in self._batch or self._view.has(tag)
