"""The end of the log that is not indexed yet, in memory, so that reads see the latest writes."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import product

import orjson

from hooklore.index import words
from hooklore.index.record_keys import key_hash, record_keys
from hooklore.records.record import Record

_MOST_WHOLE = 64
"""Records that are kept as objects: the newest ones, which the next hooks ask for. An older one is kept as JSON,
because two thousand objects of a burst leave 5 MB of holes between what lives longer."""


class Tail:
    """Records after the index's watermark, by position and by exact key."""

    def __init__(self) -> None:
        self._records: dict[int, Record] = {}
        self._older: dict[int, bytes] = {}
        self._hashes: dict[int, list[int]] = {}
        self._keys: dict[int, list[int]] = {}
        self._bins: dict[int, str] = {}
        self._sizes: Counter[str] = Counter()
        self._postings: dict[str, dict[str, list[int]]] = {}  # by bin and term
        self._unread: list[int] = []

    def __len__(self) -> int:
        return len(self._hashes)

    def add(self, pos: int, record: Record) -> list[str]:
        """Add a record and return its keys. Positions come in ascending order."""
        found = record_keys(record)
        self._records[pos] = record
        if len(self._records) > _MOST_WHOLE:
            oldest = next(iter(self._records))
            self._older[oldest] = orjson.dumps(self._records.pop(oldest).to_json())
        self._hashes[pos] = [key_hash(key_text) for key_text in found]
        for key in self._hashes[pos]:
            self._keys.setdefault(key, []).append(pos)
        bin_ = words.find_bin(record)
        if bin_ is not None:
            self._bins[pos] = bin_
            self._sizes[bin_] += 1
            self._unread.append(pos)
        return found

    def record_at(self, pos: int) -> Record | None:
        """Return the record at a position, or None."""
        record = self._records.get(pos)
        if record is None and (older := self._older.get(pos)) is not None:
            return Record(orjson.loads(older))
        return record

    def position_of(self, id_: str) -> int | None:
        """Return the position of the record with an id, if it is among the newest."""
        return next((pos for pos, record in self._records.items() if record.id == id_), None)

    def positions(self, digest: int) -> list[int]:
        """Return positions under a key's digest, newest first."""
        return self._keys.get(digest, [])[::-1]

    def records(self) -> Iterator[tuple[int, Record]]:
        """Yield all records, newest first."""
        for pos in reversed(self._hashes):
            if (record := self.record_at(pos)) is not None:
                yield pos, record

    def analyze(self, terms_of: Callable[[Record], Iterable[str]]) -> None:
        """Note the terms of the records that were added since. `terms_of` returns a record's distinct terms."""
        read = [
            (pos, terms_of(record))
            for pos in self._unread
            if (record := self.record_at(pos)) is not None
        ]
        self._unread.clear()
        for pos, terms in read:
            postings = self._postings.setdefault(self._bins[pos], {})
            for term in terms:
                postings.setdefault(term, []).append(pos)

    def search(self, weights: Mapping[str, float], bins: Collection[str]) -> dict[int, float]:
        """Return the score of each analysed position in `bins`: the sum of the weights of its terms."""
        scores: dict[int, float] = {}
        searched = [self._postings[name] for name in bins if name in self._postings]
        for postings, (term, weight) in product(searched, weights.items()):
            for pos in postings.get(term, ()) if weight > 0 else ():
                scores[pos] = scores.get(pos, 0) + weight
        return scores

    def count_in(self, bins: Collection[str]) -> int:
        """Return the number of records in these bins."""
        return sum(self._sizes[name] for name in bins)

    def forget_before(self, pos: int) -> None:
        """Drop the records before `pos`, which the index now has."""
        gone = [p for p in self._hashes if p < pos]
        touched = {key for p in gone for key in self._hashes[p]}
        for p in gone:
            del self._hashes[p]
            self._records.pop(p, None)
            self._older.pop(p, None)
            name = self._bins.pop(p, None)
            self._sizes[name or ""] -= name is not None
        self._forget_terms(pos)
        for key in touched:
            left = [p for p in self._keys[key] if p >= pos]
            if left:
                self._keys[key] = left
            else:
                del self._keys[key]

    def _forget_terms(self, pos: int) -> None:
        self._unread = [p for p in self._unread if p >= pos]
        for postings in self._postings.values():
            kept = {term: held[bisect_left(held, pos) :] for term, held in postings.items()}
            postings.clear()
            postings.update((term, held) for term, held in kept.items() if held)
