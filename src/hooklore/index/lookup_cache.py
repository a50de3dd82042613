"""A cache of look-ups while they are valid, because every brief and every step repeats the same ones."""

from collections.abc import Callable, Iterable, MutableMapping
from typing import Any

from hooklore.records.record import Record

_CACHED_PREFIXES = (
    "memory:", "fix:", "session_end:", "ended:", "key:", "id:", "pins", "conflict", "tasks:",
)  # fmt: skip
"""Keys that are looked up again and again, and seldom get another record."""

_CACHED_ENDS = ("gone:", "erred:", "failing:", "goal:")
"""Keys of which it is asked again and again whether any record has them."""

_MOST_WORDED = 256
"""Sessions, deliveries and worded notes."""

_MAX_ENTRIES = 2048
_MAX_EVENTS = 512
"""Records of events take several KB each, and what is asked for again are the 200 newest runs of a project."""


class LookupCache:
    """Records under keys, the presence of keys, the terms of records, and records by position.

    The reader of the log calls `invalidate` with the keys of every new record. The reader calls `clear` if
    records may have come or changed unnoticed.
    """

    def __init__(self) -> None:
        self.clearings = 0
        self._found: dict[str, tuple[int, list[Record]]] = {}
        self._known: dict[str, bool] = {}
        self._terms: dict[str, set[str]] = {}
        self._memories: dict[int, Record] = {}
        self._events: dict[int, Record] = {}
        self._keys: dict[int, frozenset[str]] = {}

    def lookup(self, key: str, limit: int, find: Callable[[], list[Record]]) -> list[Record]:
        """Return at most `limit` records under a key, newest first. `find` is called if they are not cached."""
        if not key.startswith(_CACHED_PREFIXES):
            return find()
        cached = self._found.get(key)
        if cached is None or cached[0] < limit:
            cached = self._found[key] = (limit, find())
            evict_oldest(self._found, _MAX_ENTRIES)
        return cached[1][:limit]

    def held(self, keys: Iterable[str], find: Callable[[list[str]], set[str]]) -> set[str]:
        """Return those of `keys` that a record has. `find` is called with those that are not cached."""
        asked = list(keys)
        known = {key for key in asked if self._known.get(key)}
        missing = [key for key in asked if key not in self._known]
        found = find(missing) if missing else set()
        for key in missing:
            if key.startswith(_CACHED_ENDS):
                self._known[key] = key in found
        evict_oldest(self._known, _MAX_ENTRIES)
        return found | known

    def terms(self, record: Record, find: Callable[[Record], Iterable[str]]) -> set[str]:
        """Return the terms of a record."""
        cached = self._terms.get(record.id)
        if cached is None:
            cached = self._terms[record.id] = set(find(record))
            evict_oldest(self._terms, _MAX_ENTRIES)
        return cached

    def record(self, pos: int, find: Callable[[int], Record | None]) -> Record | None:
        """Return the record at a position: a new memory changes a list, and not the records already in the list."""
        cached = self._memories.get(pos) or self._events.get(pos)
        if cached is None:
            cached = find(pos)
            if cached is not None:
                is_memory = cached.stream == "memory"
                kept = self._memories if is_memory else self._events
                kept[pos] = cached
                evict_oldest(kept, _MAX_ENTRIES if is_memory else _MAX_EVENTS)
        return cached

    def records(
        self, positions: Iterable[int], find: Callable[[list[int]], dict[int, Record | None]]
    ) -> dict[int, Record | None]:
        """Return the records at some positions. `find` is called with those that are no cached memories.

        What a search finds besides is not cached: the newest runs of a project would lose their places.
        """
        asked = list(positions)
        found: dict[int, Record | None] = {
            pos: self._memories[pos] for pos in asked if pos in self._memories
        }
        for pos, record in find([pos for pos in asked if pos not in found]).items():
            found[pos] = record
            if record is not None and record.stream == "memory":
                self._memories[pos] = record
        evict_oldest(self._memories, _MAX_ENTRIES)
        return found

    def keys(self, pos: int, find: Callable[[], Iterable[str]]) -> frozenset[str]:
        """Return the exact keys of the record at a position."""
        cached = self._keys.get(pos)
        if cached is None:
            cached = self._keys[pos] = frozenset(find())
            evict_oldest(self._keys, _MAX_ENTRIES)
        return cached

    def invalidate(self, keys: Iterable[str]) -> None:
        """Drop the cached results for `keys`, the keys of a new record."""
        for key in keys:
            self._found.pop(key, None)
            self._known.pop(key, None)

    def clear(self) -> None:
        """Drop everything that is cached."""
        self.clearings += 1
        self._found.clear()
        self._known.clear()
        self._terms.clear()
        self._memories.clear()
        self._events.clear()
        self._keys.clear()


def evict_oldest(entries: MutableMapping[Any, Any], most: int = _MOST_WORDED) -> None:
    """Remove the oldest entries beyond `most`: they are found, or made, again from the log."""
    while len(entries) > most:
        del entries[next(iter(entries))]
