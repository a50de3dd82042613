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


ServerPlace = Literal["project", "user", "plugin"]
"""The settings of a project, those of the user, or the agent's plugin."""


def server_marks_path(home: Path) -> Path:
    """Return the file of the marks."""
    return home / LAUNCHER_PATH / "servers"


def find_servers(home: Path, agent_id: str, project_dir: str | None) -> tuple[ServerPlace, ...]:
    """Return where the server is registered with an agent for a session in `project_dir`."""
    try:
        lines = server_marks_path(home).read_bytes().split(b"\n")
    except OSError:
        return ()
    named: dict[ServerPlace, str | None] = {"project": project_dir, "user": USER, "plugin": PLUGIN}
    return tuple(place for place, line in named.items() if line and _mark(agent_id, line) in lines)


def _mark(agent_id: str, place: str) -> bytes:
    return f"{agent_id} {place}".encode(errors="surrogateescape")
