"""The mark beside the launcher: for which agents, and where, the MCP server is registered.

A line is an agent's id, a blank, and the place: `user`, `plugin`, or a project's absolute path. The installer
writes the file, and a brief reads it to name the tool that an agent has.
"""

from pathlib import Path
from typing import Literal

from hooklore.agents.registration import LAUNCHER_PATH

USER = "user"
"""The place of a registration for all projects."""


PLUGIN = "plugin"
"""The place of a server that the agent's plugin brings."""


def server_marks_path(home: Path) -> Path:
    """Return the file of the marks."""
    return home / LAUNCHER_PATH / "servers"


def find_server(
    home: Path, agent_id: str, project_dir: str | None
) -> Literal["settings", "plugin"] | None:
    """Return what registers the server with an agent for a session in `project_dir`, None for nothing.

    Where both do, the client starts the server of its settings.
    """
    try:
        lines = server_marks_path(home).read_bytes().split(b"\n")
    except OSError:
        return None
    places = (USER, project_dir) if project_dir else (USER,)
    if any(_mark(agent_id, place) in lines for place in places):
        return "settings"
    return "plugin" if _mark(agent_id, PLUGIN) in lines else None


def _mark(agent_id: str, place: str) -> bytes:
    return f"{agent_id} {place}".encode(errors="surrogateescape")
