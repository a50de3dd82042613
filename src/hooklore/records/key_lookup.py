"""The look-up of records by their exact keys, as a Protocol: in the log, or in the log and a batch."""

from collections.abc import Iterable
from typing import Protocol

from hooklore.records.record import Record


class KeyLookup(Protocol):
    """The records of a store, as the broker reads them while it writes."""

    def lookup(self, key: str, limit: int = 100) -> list[Record]:
        """Return at most `limit` records under `key`, newest first."""

    def has(self, key: str) -> bool:
        """Return whether a record is under `key`."""

    def held(self, keys: Iterable[str]) -> set[str]:
        """Return those of `keys` that a record is under."""
