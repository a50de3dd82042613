"""Tell a part of a memory to a model: its title, or its beginning, unless the memory gives orders."""

from hooklore.prompt.frame import BLOCKED_NOTICE, is_blocked, sanitize_for_prompt
from hooklore.prompt.title import title_of
from hooklore.records.ids import short_id
from hooklore.records.record import Record


def gives_orders(record: Record) -> bool:
    """Return whether a memory is kept from a model: its title or its text gives orders to an agent."""
    return is_blocked(record, f"{title_of(record)}\n{record.body.content_md or ''}")


def tell_part(record: Record, part: str) -> str:
    """Return a part of a memory, sanitized, or a notice in its place where the memory gives orders."""
    if gives_orders(record):
        return BLOCKED_NOTICE.format(id=short_id(record.id))
    return sanitize_for_prompt(part)
