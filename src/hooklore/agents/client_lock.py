"""A client's own lock of a file that it rewrites at any time: a folder beside the file.

A command of the client's would write such a file too, but adds keys of its own that no uninstall takes out. So
the file is edited like the settings, while the lock is held.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_STALE_SECONDS = 10.0
"""The age at which the client takes a lock for forgotten."""

_MARK = 600_700_800
"""The nanoseconds of a lock of ours. The installer runs once at a time, so such a lock is of a killed one."""

_WAIT_SECONDS = 3.0
_PAUSE_SECONDS = 0.02


@contextmanager
def hold(path: Path, name: str) -> Iterator[None]:
    """Hold the lock of a file of this name; another file has none.

    A lock that nobody renews is taken over, as the client does. After three seconds the file is written
    without the lock: a write looks at the file's bytes first.
    """
    lock = Path(f"{path}.lock")
    is_ours = path.name == name and _take(lock)
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
