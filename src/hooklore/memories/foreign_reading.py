"""Tell whether a session read something foreign since its user last typed: a page, a fetched file, another server.

Such a text may have told the agent what to keep. A paraphrase is not recognised, so the order of events decides.
"""

from collections.abc import Collection
from typing import Final

from hooklore.agents.registry import agent_of
from hooklore.broker.principal_reader import Reader
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.shell.fetching import fetches

_MAX_RECORDS: Final = 400
_READ: Final = ("tool_result", "error")
_OWN_SERVERS: Final = ("hooklore", "plugin_hooklore_hooklore")
"""The names of our server, as registered and as the plugin brings it."""


def has_read_foreign(owner: Reader, session: str | None, trusted: Collection[str] = ()) -> bool:
    """Return whether `session` has read something foreign since its last prompt.

    `trusted` are names of MCP servers whose answers are as good as the project's own. A session of which nothing
    is recorded has read nothing that is known.
    """
    for record in owner.history(keys.in_session(session), _MAX_RECORDS) if session else ():
        if record.kind == "prompt" and not record.body.detail.get("headless"):
            return False
        if is_foreign(record, trusted):
            return True
    return False


def is_foreign(record: Record, trusted: Collection[str] = ()) -> bool:
    """Return whether a record is what a page, a command that fetches or a server that is not `trusted` told."""
    if record.kind not in _READ:
        return False
    tool = str(record.body.tool)
    tool_class = agent_of(record.agent_id).tool_class(record.body.tool)
    if tool_class == "mcp":
        return not any(_is_of(tool, server) for server in (*_OWN_SERVERS, *trusted))
    return tool_class == "web" or (tool_class == "command" and fetches(record.body.command or ""))


def _is_of(tool: str, server: str) -> bool:
    """Return whether a tool is a server's: `mcp__SERVER__TOOL`, or `mcp_SERVER_TOOL`."""
    return tool.startswith((f"mcp__{server}__", f"mcp_{server}_"))
