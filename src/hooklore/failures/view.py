"""The reads by which failures and their cures are found, as Protocols: who has them stands above this package."""

from collections.abc import Iterable
from typing import Protocol

from hooklore.records.record import Record


class FailureView(Protocol):
    """The records of a store by their exact keys, as the broker reads them while it links."""

    def lookup(self, key: str, limit: int = 100) -> list[Record]:
        """Return at most `limit` records under `key`, newest first."""

    def has(self, key: str) -> bool:
        """Return whether a record is found under `key`."""

    def held(self, keys_: Iterable[str], /) -> set[str]:
        """Return those of the keys under which a record is found."""


class FailureReader(Protocol):
    """The records that one reader may see."""

    def history(self, key: str, limit: int = 100) -> list[Record]:
        """Return at most `limit` records under `key`, newest first, also those that are not in force."""

    def find(self, prefix: str) -> list[Record]:
        """Return the records whose id begins with `prefix`."""

    def distinctive_lines(self, failure: Record) -> list[str]:
        """Return the normalised lines that identify `failure`, the most telling first."""
