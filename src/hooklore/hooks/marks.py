"""Marks of a session beside the socket, which the client writes and reads, too.

A `said` mark: the session was told a notice that is told once. An `owed` mark: the brief of its start
did not reach it, and comes with its next prompt.
"""

import contextlib
import hashlib
import os
import time
from pathlib import Path

from hooklore.config import StoreLocation, make_private_directory, root_digest

_OLD_SECONDS = 7 * 86_400
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


def claim_notice(place: StoreLocation, session_id: str | None) -> bool:
    """Mark that a session was told that memory is unreadable. Return False when it was told before."""
    try:
        _write(_path(place, "said", session_id))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def owe_brief(place: StoreLocation, session_id: str | None) -> None:
    """Mark that the brief of a session did not reach it."""
    with contextlib.suppress(OSError):
        _write(_path(place, "owed", session_id))


def owes_brief(place: StoreLocation, session_id: str | None) -> bool:
    """Return whether the brief of a session has still to reach it."""
    return os.path.lexists(_path(place, "owed", session_id))


def settle_brief(place: StoreLocation, session_id: str | None) -> None:
    """Remove the mark of a brief that has reached its session, or is empty."""
    with contextlib.suppress(OSError):
        os.unlink(_path(place, "owed", session_id))


def _path(place: StoreLocation, kind: str, session_id: str | None) -> str:
    name = hashlib.blake2b((session_id or "").encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{place.runtime}/{root_digest(place.root)}.{kind}-{name}"


def _write(path: str) -> None:
    make_private_directory(Path(path).parent)
    os.close(os.open(path, _FLAGS, 0o600))


def remove_old_marks(place: StoreLocation) -> None:
    """Remove the marks of sessions that ended a week ago."""
    directory = place.socket.parent
    try:
        names = [n for n in os.listdir(directory) if ".said-" in n or ".owed-" in n]
    except OSError:
        return
    for name in names:
        path = directory / name
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _OLD_SECONDS:
                path.unlink()
