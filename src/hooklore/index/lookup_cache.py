"""What was looked up lately, kept as long as it is right: every brief and every step asks for the same."""

from collections.abc import Callable, Iterable
from typing import Any

from hooklore.records.record import Record

_CACHED_PREFIXES = ("memory:", "fix:", "session_end:", "key:", "id:", "pins", "conflict")
"""Keys whose records are asked for again and again, and seldom get another one."""

_MAX_ENTRIES = 2048


class LookupCache:
    """Records under standing keys, whether a record is gone, and the terms of a record.

    Whoever reads the log hands in the keys of every new record (`news`), and calls `forget` when
    records may have come or changed that it did not see.
    """

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, list[Record]]] = {}
        self._known: dict[str, bool] = {}
        self._terms: dict[str, set[str]] = {}
        self._records: dict[int, Record] = {}

    def lookup(self, tag: str, limit: int, find: Callable[[], list[Record]]) -> list[Record]:
        """Records under a key, at most `limit`, newest first; `find` is asked when they are not held."""
        if not tag.startswith(_CACHED_PREFIXES):
            return find()
        held = self._found.get(tag)
        if held is None or held[0] < limit:
            held = self._found[tag] = (limit, find())
            self._bound(self._found)
        return held[1][:limit]

    def has(self, tag: str, find: Callable[[], bool]) -> bool:
        """Whether a record has this key."""
        if not tag.startswith(("gone:", "erred:")):
            return find()
        known = self._known.get(tag)
        if known is None:
            known = self._known[tag] = find()
            self._bound(self._known)
        return known

    def terms(self, record: Record, find: Callable[[Record], Iterable[str]]) -> set[str]:
        """The terms of a record."""
        held = self._terms.get(record.id)
        if held is None:
            held = self._terms[record.id] = set(find(record))
            self._bound(self._terms)
        return held

    def record(self, pos: int, find: Callable[[int], Record | None]) -> Record | None:
        """The record at a position: one more memory changes a list, not those that were in it."""
        held = self._records.get(pos)
        if held is None:
            held = find(pos)
            if held is not None:
                self._records[pos] = held
                self._bound(self._records)
        return held

    def news(self, tags: Iterable[str]) -> None:
        """A record with these keys stands in the log now."""
        for tag in tags:
            self._found.pop(tag, None)
            self._known.pop(tag, None)

    def forget(self) -> None:
        """Nothing of what is held is sure any more."""
        self._found.clear()
        self._known.clear()
        self._terms.clear()
        self._records.clear()

    @staticmethod
    def _bound(held: dict[Any, Any]) -> None:
        if len(held) > _MAX_ENTRIES:
            held.pop(next(iter(held)))
