"""The mark beside the launcher: for which agents, and where, the MCP server is registered.

A line is an agent's id, a blank, and the place: `user`, or a project's absolute path. The installer writes
the file, and a brief reads it to name the tool that an agent has.
"""

from pathlib import Path

from hooklore.agents.registration import LAUNCHER_PATH

USER = "user"
"""The place of a registration for all projects."""


def server_marks_path(home: Path) -> Path:
    """Return the file of the marks."""
    return home / LAUNCHER_PATH / "servers"


def has_server(home: Path, agent_id: str, project_dir: str | None) -> bool:
    """Return whether the server is registered with an agent for a session in `project_dir`."""
    try:
        lines = server_marks_path(home).read_bytes().split(b"\n")
    except OSError:
        return False
    places = (USER, project_dir) if project_dir else (USER,)
    return any(f"{agent_id} {place}".encode(errors="surrogateescape") in lines for place in places)
