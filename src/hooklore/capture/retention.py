"""Decide who may read what a hook records, and until when."""

from datetime import datetime, timedelta

from hooklore.agents.event import HookEvent
from hooklore.records.privacy import parse_flag
from hooklore.shell.command import is_private_memory_command


def is_private_event(event: HookEvent) -> bool:
    """Return whether an event says that its text is private: a tool's argument, or an option of `hooklore`."""
    commands = [event.command] if event.command is not None else []
    if event.slash and event.slash.name.startswith("hooklore:"):
        commands.append(f"hooklore {event.slash.arguments}")
    return parse_flag(event.call.stated_privacy) or any(map(is_private_memory_command, commands))


def expiry(ts: str, days: int) -> str | None:
    """Return when an observation of the moment `ts` expires, RFC 3339 in UTC; None of 0 days: never."""
    if not days:
        return None
    end = datetime.fromisoformat(ts) + timedelta(days=days)
    return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")
