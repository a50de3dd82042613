"""Find, list and open the entries of a shelf (seed 004)."""

from collections.abc import Sequence

from hooklore.broker.leading import lead
from hooklore.memories.entries import get_entry
from hooklore.records.record import Record
from hooklore.requests.arguments import FindArguments, KeyArguments, ListArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.shelf import Shelf, has_tags
from hooklore.requests.told_memory import as_fields, list_memories, quote_whole
from hooklore.retrieval.browse import search_memories_at

NO_ENTRIES = "no entries"


def search_entries(shelf: Shelf, asked: Asked, given: FindArguments) -> Response:
    """Return the entries that share words with the query, the best match first."""
    found = search_memories_at(
        asked.reader,
        given.query,
        shelf.place(asked),
        given.limit,
        lambda record: has_tags(record, given.tags),
    )
    led = lead(asked.reader, found)
    return respond_listed(asked, led[: given.limit], len(led))


def list_entries(shelf: Shelf, asked: Asked, given: ListArguments) -> Response:
    """Return the newest entries, and how many there are."""
    found = shelf.entries(asked, given.tags)
    return respond_listed(asked, found[: given.limit], len(found))


def open_entry(shelf: Shelf, asked: Asked, given: KeyArguments) -> Response:
    """Return the whole entry with a key. Raise HookloreError for a key without one."""
    entry = get_entry(asked.reader, given.key, [shelf.place(asked)])
    asked.record_use([entry.record.id], "get")
    led = lead(asked.reader, [entry.record])
    fields = as_fields(led[-1])
    content = {**fields, "created_at": entry.created_at, "updated_at": entry.updated_at}
    return Response(success=True, text=quote_whole(led), content=content)


def respond_listed(asked: Asked, records: Sequence[Record], count: int) -> Response:
    """Return the response that tells of records, of `count` in all."""
    text, told = list_memories(records, f"{count} {'entry' if count == 1 else 'entries'}:")
    asked.record_listing(told)
    content = {"count": count, "entries": [as_fields(record) for record in told]}
    return Response(success=True, text=text or NO_ENTRIES, content=content)
