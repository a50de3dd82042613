"""Summarize a shelf and its archive: counts, tags, the oldest and the newest entry, the limits (seed 004)."""

from collections import Counter
from collections.abc import Sequence

from hooklore.prompt.memory_part import tell_tags
from hooklore.records.record import Record
from hooklore.requests.arguments import EntryArguments
from hooklore.requests.asked import Asked
from hooklore.requests.response import Response
from hooklore.requests.shelf import Shelf

_MAX_TAGS = 50


def summarize_entries(shelf: Shelf, asked: Asked, _given: EntryArguments) -> Response:
    """Return what the shelf holds that the agent may read."""
    return _summary(asked, shelf.entries(asked))


def summarize_archive(shelf: Shelf, asked: Asked, _given: EntryArguments) -> Response:
    """Return what the shelf's archive holds that the agent may read."""
    return _summary(asked, [each.record for each in shelf.archived(asked)])


def _summary(asked: Asked, records: Sequence[Record]) -> Response:
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
