"""The registration of the MCP server with Codex CLI: a table in the user's `config.toml`."""

import os
from pathlib import Path

from hooklore.agents.codex.server_table import ServerTable
from hooklore.agents.registration import (
    LAUNCHER_PATH,
    Entry,
    Places,
    Scope,
    ServerRegistration,
    server_words,
)


def server_entry(home: Path) -> Entry:
    """Return the settings of the server. The client expands no variable, so the path is written out."""
    program, *arguments = server_words(str(home / LAUNCHER_PATH), "codex")
    return {"command": program, "args": arguments}


def server_path(_scope: Scope, places: Places) -> Path | None:
    """Return the user's settings."""
    return Path(os.path.abspath(places.config_dir or places.home / ".codex")) / "config.toml"


SERVER = ServerRegistration(
    format=ServerTable(),
    settings_path=server_path,
    entry=server_entry,
    permitted={"default_tools_approval_mode": "approve"},
)
