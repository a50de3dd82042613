"""Find, list, open and sum up the entries of a shelf, and those of its archive (seed 004)."""

from collections import Counter
from collections.abc import Sequence

from hooklore.broker.leading import lead
from hooklore.memories.archive import ArchivedMemory
from hooklore.memories.entries import get_entry
from hooklore.prompt.memory_part import tell_tags
from hooklore.records.record import Record
from hooklore.requests.memory_response import as_fields, list_memories, quote_whole
from hooklore.requests.request_context import RequestContext
from hooklore.requests.response import Response
from hooklore.requests.shelf import (
    EntryArguments,
    FindArguments,
    KeyArguments,
    ListArguments,
    Shelf,
    has_tags,
)
from hooklore.retrieval.browse import search_memories_at
from hooklore.text.similarity import comparison_terms

NO_ENTRIES = "no entries"
_MAX_TAGS = 50


def search_entries(shelf: Shelf, asked: RequestContext, given: FindArguments) -> Response:
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


def list_entries(shelf: Shelf, asked: RequestContext, given: ListArguments) -> Response:
    """Return the newest entries, and how many there are."""
    found = shelf.entries(asked, given.tags)
    return respond_listed(asked, found[: given.limit], len(found))


def open_entry(shelf: Shelf, asked: RequestContext, given: KeyArguments) -> Response:
    """Return the whole entry with a key. Raise HookloreError for a key without one."""
    entry = get_entry(asked.reader, given.key, [shelf.place(asked)])
    asked.record_use([entry.record.id], "get")
    led = lead(asked.reader, [entry.record])
    fields = as_fields(led[-1])
    content = {**fields, "created_at": entry.created_at, "updated_at": entry.updated_at}
    return Response(success=True, text=quote_whole(led), content=content)


def respond_listed(asked: RequestContext, records: Sequence[Record], count: int) -> Response:
    """Return the response that tells of records, of `count` in all."""
    text, told = list_memories(records, f"{count} {'entry' if count == 1 else 'entries'}:")
    asked.record_listing(told)
    content = {"count": count, "entries": [as_fields(record) for record in told]}
    return Response(success=True, text=text or NO_ENTRIES, content=content)


def search_archive(shelf: Shelf, asked: RequestContext, given: FindArguments) -> Response:
    """Return the archived entries that share words with the query, those that share most first."""
    wanted = comparison_terms(given.query)
    scored = [(len(wanted & _terms(each)), each) for each in shelf.archived(asked, given.tags)]
    found = [each for score, each in sorted(scored, key=lambda item: -item[0]) if score]
    return respond_listed(asked, [each.record for each in found[: given.limit]], len(found))


def list_archive(shelf: Shelf, asked: RequestContext, given: ListArguments) -> Response:
    """Return the archived entries, the one archived last first, and how many there are."""
    found = shelf.archived(asked, given.tags)
    return respond_listed(asked, [each.record for each in found[: given.limit]], len(found))


def _terms(archived: ArchivedMemory) -> frozenset[str]:
    body, key = archived.record.body, archived.record.dedupe_key or ""
    words = (key.replace("-", " ").replace("_", " ").replace(":", " "), *map(str, body.tags))
    return comparison_terms(" ".join((body.title or "", body.content_md, *words)))


def summarize_entries(shelf: Shelf, asked: RequestContext, _given: EntryArguments) -> Response:
    """Return what the shelf holds that the agent may read."""
    return _summary(asked, shelf.entries(asked))


def summarize_archive(shelf: Shelf, asked: RequestContext, _given: EntryArguments) -> Response:
    """Return what the shelf's archive holds that the agent may read."""
    return _summary(asked, [each.record for each in shelf.archived(asked)])


def _summary(asked: RequestContext, records: Sequence[Record]) -> Response:
    days = sorted(str(record.created_at or record.ts) for record in records)
    counts = Counter(tag for record in records for tag in tell_tags(record))
    tags = dict(counts.most_common(_MAX_TAGS))
    curated = asked.broker.settings.curated
    limits = {
        "content": curated.content_limit,
        "run": curated.run_limit,
        "unused_days": curated.unused_days,
    }
    content = {
        "count": len(records),
        "tags": tags,
        "oldest": days[0] if days else None,
        "newest": days[-1] if days else None,
        "limits": limits,
    }
    return Response(success=True, text=_in_words(content, tags, limits), content=content)


def _in_words(content: dict[str, object], tags: dict[str, int], limits: dict[str, int]) -> str:
    lines = [f"entries: {content['count']}"]
    if content["count"]:
        lines.append(f"oldest: {content['oldest']}, newest: {content['newest']}")
    if tags:
        lines.append(f"tags: {', '.join(f'{name} ({count})' for name, count in tags.items())}")
    lines.append(
        f"limits: {limits['content']} characters of an entry, {limits['run']} entries at a prompt, "
        f"archived after {limits['unused_days']} days without use"
    )
    return "\n".join(lines)
