"""The name under which a record counts for the hook that made it."""

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.records.record import Record

PREFIX = "hook:"


def hook_name(record: Record) -> str | None:
    """Return `hook:<event>`, with the agent's id before the event of any but the default agent, or None.

    The events of several clients share their names.
    """
    detail = record.source_detail
    if not isinstance(detail, str) or not detail.startswith(PREFIX):
        return None
    if record.agent_id == DEFAULT_AGENT_ID:
        return detail
    return f"{PREFIX}{record.agent_id} {detail.removeprefix(PREFIX)}"
