"""The end of the log that is not indexed yet, in memory, so that reads see the latest writes."""

from collections.abc import Iterator

from hooklore.index.record_keys import key_hash, record_keys
from hooklore.records.record import Record


class Tail:
    """Records after the index's watermark, by position and by exact key."""

    def __init__(self) -> None:
        self._records: dict[int, Record] = {}
        self._hashes: dict[int, list[int]] = {}
        self._keys: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self._records)

    def add(self, pos: int, record: Record) -> list[str]:
        """Add a record and return its keys. Positions come in ascending order."""
        found = record_keys(record)
        self._records[pos] = record
        self._hashes[pos] = [key_hash(key_text) for key_text in found]
        for key in self._hashes[pos]:
            self._keys.setdefault(key, []).append(pos)
        return found

    def record_at(self, pos: int) -> Record | None:
        """Return the record at a position, or None."""
        return self._records.get(pos)

    def positions(self, digest: int) -> list[int]:
        """Return positions under a key's digest, newest first."""
        return self._keys.get(digest, [])[::-1]

    def records(self) -> Iterator[tuple[int, Record]]:
        """Return an iterator over all records, newest first."""
        return iter(reversed(self._records.items()))

    def forget_before(self, pos: int) -> None:
        """Drop the records before `pos`, which the index now has."""
        gone = [p for p in self._records if p < pos]
        touched = {key for p in gone for key in self._hashes[p]}
        for p in gone:
            del self._records[p], self._hashes[p]
        for key in touched:
            left = [p for p in self._keys[key] if p >= pos]
            if left:
                self._keys[key] = left
            else:
                del self._keys[key]
