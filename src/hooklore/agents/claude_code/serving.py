"""The registration of the MCP server with Claude Code, for the user and for a project.

The user's servers stand in a file that the client itself rewrites at any time. `claude mcp add` would write
it too, but is not there where only the desktop application is, and adds keys of its own that no uninstall
takes out. So the file is edited like the settings, while the client's own lock is held.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hooklore.agents.registration import (
    LAUNCHER_PATH,
    Entry,
    Places,
    Scope,
    ServerRegistration,
    server_words,
)
from hooklore.agents.server_settings import ServerSettings

_LAUNCHER = f"${{HOME}}/{LAUNCHER_PATH}"
"""The launcher's folder. The client expands the variable, so a project's file fits every machine."""

_USER_FILE = ".claude.json"

PROJECT_FILE = ".mcp.json"

TO_DO_IN_PROJECT = (
    "start `claude` in this folder, and choose `Use this MCP server` where it asks about `hooklore`"
)
"""The step that only the user can do. Without it the client starts no server of this name there."""

_STALE_SECONDS = 10.0
"""The age at which the client takes a lock for forgotten."""

_MARK = 600_700_800
"""The nanoseconds of a lock of ours. The installer runs once at a time, so such a lock is of a killed one."""

_WAIT_SECONDS = 3.0
_PAUSE_SECONDS = 0.02


def server_entry(_home: Path | None = None) -> Entry:
    """Return the settings of the server: the same text on every machine."""
    program, *arguments = server_words(_LAUNCHER, "claude")
    return {"type": "stdio", "command": program, "args": arguments}


def server_path(scope: Scope, places: Places) -> Path | None:
    """Return the file of a scope. What is local to a user and a project has no file of its own."""
    if scope == "user":
        return Path(os.path.abspath(places.config_dir or places.home)) / _USER_FILE
    if scope == "project":
        return Path(os.path.realpath(places.project_dir)) / PROJECT_FILE
    return None


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Hold the client's own lock of the user's file: a folder beside it.

    A lock that nobody renews is taken over, as the client does. After three seconds the file is written
    without the lock: a write looks at the file's bytes first.
    """
    lock = Path(f"{path}.lock")
    is_ours = path.name == _USER_FILE and _take(lock)
    try:
        yield
    finally:
        if is_ours:
            with suppress(OSError):
                lock.rmdir()


def _take(lock: Path) -> bool:
    deadline = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            lock.mkdir()
            _mark(lock)
        except FileExistsError:
            _remove_stale(lock)
            time.sleep(_PAUSE_SECONDS)
        except OSError:
            return False
        else:
            return True
    return False


def _mark(lock: Path) -> None:
    now = time.time_ns()
    os.utime(lock, ns=(now, now - now % 10**9 + _MARK))


def _remove_stale(lock: Path) -> None:
    with suppress(OSError):
        found = lock.stat()
        is_left_behind = found.st_mtime_ns % 10**9 == _MARK
        if is_left_behind or time.time() - found.st_mtime > _STALE_SECONDS:
            lock.rmdir()


SERVER = ServerRegistration(
    format=ServerSettings("Claude Code starts without its servers"),
    settings_path=server_path,
    entry=server_entry,
    hold=hold,
    to_do={"project": TO_DO_IN_PROJECT},
)
