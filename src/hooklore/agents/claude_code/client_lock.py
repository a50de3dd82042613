"""The lock of Claude Code's file of the user's servers, which the client itself rewrites at any time.

`claude mcp add` would write that file too, but is not there where only the desktop application is, and adds
keys of its own that no uninstall takes out. So the file is edited like the settings, while the client's own
lock is held.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOCKED_FILE = ".claude.json"

_STALE_SECONDS = 10.0
"""The age at which the client takes a lock for forgotten."""

_MARK = 600_700_800
"""The nanoseconds of a lock of ours. The installer runs once at a time, so such a lock is of a killed one."""

_WAIT_SECONDS = 3.0
_PAUSE_SECONDS = 0.02


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Hold the client's own lock of the user's file: a folder beside it.

    A lock that nobody renews is taken over, as the client does. After three seconds the file is written
    without the lock: a write looks at the file's bytes first.
    """
    lock = Path(f"{path}.lock")
    is_ours = path.name == _LOCKED_FILE and _take(lock)
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
            now = time.time_ns()
            os.utime(lock, ns=(now, now - now % 10**9 + _MARK))
        except FileExistsError:
            _remove_stale(lock)
            time.sleep(_PAUSE_SECONDS)
        except OSError:
            return False
        else:
            return True
    return False


def _remove_stale(lock: Path) -> None:
    with suppress(OSError):
        found = lock.stat()
        is_left_behind = found.st_mtime_ns % 10**9 == _MARK
        if is_left_behind or time.time() - found.st_mtime > _STALE_SECONDS:
            lock.rmdir()
