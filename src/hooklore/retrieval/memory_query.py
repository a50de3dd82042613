"""List memories by their scope, kind, tags, time and status, in pages, the newest first (seed 000 §5)."""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.errors import ArgumentInvalid
from hooklore.memories.pins import reader_places
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record
from hooklore.records.visible_prefix import take_visible

Status = Literal["active", "deprecated"]

_DIGEST_LENGTH = 8
_MANY = 2_000


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Conditions on memories, none for an empty field. `since` and `until` are RFC 3339 in UTC.

    `deprecated` memories are those that a later one replaced, and those that have expired.
    """

    scope: str = ""
    scope_prefix: str = ""
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    status: Status = "active"
    since: str = ""
    until: str = ""

    def matches(self, record: Record) -> bool:
        """Return whether a memory meets every condition but that of its status."""
        scope = str(record.scope)
        return (
            (not self.scope or scope == self.scope)
            and scope.startswith(self.scope_prefix)
            and (not self.kinds or record.kind in self.kinds)
            and {*self.tags} <= {str(tag) for tag in record.body.tags}
            and (not self.since or record.ts >= self.since)
            and (not self.until or record.ts < self.until)
        )

    @property
    def digest(self) -> str:
        """A short hash of the conditions: a cursor continues the list that it is from, and no other."""
        # Without the times: `7d` is another moment at each page.
        fields = (self.scope, self.scope_prefix, self.kinds, self.tags, self.status)
        raw = repr(fields).encode("utf-8", "replace")
        return hashlib.blake2b(raw, digest_size=_DIGEST_LENGTH).hexdigest()


@dataclass(frozen=True, slots=True)
class Page:
    """The memories of one page, and the cursor of the next one where there is one."""

    records: tuple[Record, ...]
    next_cursor: str | None


def list_page(
    broker: Broker, reader: Reader, wanted: MemoryFilter, limit: int, cursor: str
) -> Page:
    """Return the page behind `cursor`, the first one for an empty cursor.

    A memory that is written meanwhile changes no later page. Raise ArgumentInvalid for a foreign cursor.
    """
    before = _read_cursor(cursor, wanted) if cursor else "~"
    places = [keys.memories_at(place) for place in reader_places(reader.principal)]

    def is_wanted(record: Record) -> bool:
        return record.id < before and wanted.matches(record)

    if wanted.status == "active":
        lists = (take_visible(partial(reader.lookup, at), limit + 1, is_wanted) for at in places)
    else:
        owner = broker.as_reader(PERSON)
        lists = (list(filter(is_wanted, _list_replaced(reader, owner, at))) for at in places)
    found = {record.id: record for each in lists for record in each}
    newest = [found[id_] for id_ in sorted(found, reverse=True)]
    page = tuple(newest[:limit])
    more = len(newest) > limit
    return Page(page, _make_cursor(page[-1], wanted) if more else None)


def _list_replaced(reader: Reader, owner: Reader, key: str) -> Iterator[Record]:
    """Yield the memories of a place that a later one, or nothing but time, has ended."""
    for head in reader.history(key, _MANY):
        versions = reader.earlier_versions(head)
        ended = versions if reader.is_in_force(head) else [head, *versions]
        for record in ended:
            enders = owner.history(keys.end_of(record.id))
            if not record.waits and all(ender.stream == "memory" for ender in enders):
                yield record


def _make_cursor(last: Record, wanted: MemoryFilter) -> str:
    return urlsafe_b64encode(f"{last.id} {wanted.digest}".encode()).decode().rstrip("=")


def _read_cursor(cursor: str, wanted: MemoryFilter) -> str:
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (Error, ValueError):
        raise ArgumentInvalid("cursor", "it is none of ours") from None
    id_, _, digest = raw.partition(" ")
    if not is_record_id(id_) or digest != wanted.digest:
        raise ArgumentInvalid("cursor", "it belongs to another query")
    return id_
