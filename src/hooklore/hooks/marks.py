"""Marks of notices that are shown once a session, in the socket's directory: the client reads them too."""

import hashlib
import os
import time

from hooklore.config import StoreLocation, runtime_directory

_OLD_SECONDS = 7 * 86_400


def claim_notice(place: StoreLocation, session_id: str | None) -> bool:
    """Mark that a session was told that memory is unreadable. Return False when it was told before."""
    directory = runtime_directory()
    name = hashlib.blake2b((session_id or "").encode("utf-8", "replace"), digest_size=8).hexdigest()
    try:
        os.makedirs(directory, 0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        os.close(os.open(place.socket.with_suffix(f".said-{name}"), flags, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def remove_old_marks() -> None:
    """Remove the marks of sessions that ended a week ago."""
    try:
        names = [n for n in os.listdir(runtime_directory()) if ".said-" in n]
    except OSError:
        return
    for name in names:
        path = runtime_directory() / name
        try:
            if time.time() - path.stat().st_mtime > _OLD_SECONDS:
                path.unlink()
        except OSError:
            continue
