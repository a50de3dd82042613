"""The user's answer to Claude Code's question about the server in a project's `.mcp.json`.

The client asks a person who starts a session there, and keeps the answer in a settings file. It is read here
and never written. A server that the user refuses in a project hides the user's own one of the same name.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hooklore.agents.call_input import object_at
from hooklore.agents.registration import SERVER_NAME

_FILES = (".claude/settings.json", ".claude/settings.local.json")
_LONGEST = 1 << 20


def read_answer(documents: Iterable[Mapping[str, Any]]) -> bool | None:
    """Return whether the user lets the client start our server by the settings of a session, None for no word."""
    loaded = list(documents)
    if any(_names(each, "disabledMcpjsonServers") for each in loaded):
        return False
    if any(_names(each, "enabledMcpjsonServers") for each in loaded):
        return True
    return any(each.get("enableAllProjectMcpServers") is True for each in loaded) or None


def may_start(home: Path, project_dir: str) -> bool:
    """Return whether the client starts our server in a session with a person in that project."""
    paths = (home / _FILES[0], *(Path(project_dir) / name for name in _FILES))
    return read_answer(map(_document, paths)) is True


def _names(document: Mapping[str, Any], setting: str) -> bool:
    named = document.get(setting)
    return isinstance(named, list) and SERVER_NAME in named


def _document(path: Path) -> Mapping[str, Any]:
    """Return a settings file; an empty one where it is not there or cannot be read."""
    with suppress(OSError, ValueError, RecursionError), path.open("rb") as file:
        return object_at(json.loads(file.read(_LONGEST)), ())
    return {}
