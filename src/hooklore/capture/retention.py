"""Decide who may read what a hook records, and until when."""

from datetime import datetime, timedelta

from hooklore.agents.event import HookEvent
from hooklore.records.draft import Draft
from hooklore.records.privacy import parse_flag
from hooklore.shell.command import is_private_memory_command


def is_private_event(event: HookEvent) -> bool:
    """Return whether an event says that its text is private: a tool's argument, or an option of `hooklore`."""
    commands = [event.command] if event.command is not None else []
    if event.slash and event.slash.name.startswith("hooklore:"):
        commands.append(f"hooklore {event.slash.arguments}")
    return parse_flag(event.call.stated_privacy) or any(map(is_private_memory_command, commands))


def with_expiry(draft: Draft, days: int) -> Draft:
    """Return the draft of an observation that expires after `days`; 0 days mean that it never does."""
    if not days:
        return draft
    end = datetime.fromisoformat(draft.record.ts) + timedelta(days=days)
    return draft.with_fields(
        expires_at=end.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )
