"""Tell a part of a memory to a model: its title, its beginning or its tags, unless the memory gives orders."""

from hooklore.prompt.frame import BLOCKED_NOTICE, is_blocked, sanitize_for_prompt
from hooklore.prompt.title import title_of
from hooklore.records.ids import short_id
from hooklore.records.record import Record


def gives_orders(record: Record) -> bool:
    """Return whether a memory is kept from a model: its title, text, emotion or a tag gives orders."""
    body = record.body
    parts = (title_of(record), body.content_md or "", body.emotion or "", *map(str, body.tags))
    return is_blocked(record, "\n".join(parts))


def tell_part(record: Record, part: str) -> str:
    """Return a part of a memory, sanitized, or a notice in its place where the memory gives orders."""
    if gives_orders(record):
        return BLOCKED_NOTICE.format(id=short_id(record.id))
    return sanitize_for_prompt(part)


def tell_tags(record: Record) -> list[str]:
    """Return the tags of a memory, sanitized, or none where the memory gives orders."""
    return [] if gives_orders(record) else [sanitize_for_prompt(str(t)) for t in record.body.tags]
