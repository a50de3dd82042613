"""The files in which clients keep their sessions: only a regular file is read, and no link."""

import os
import stat
from typing import BinaryIO


def open_transcript(path: str) -> BinaryIO | None:
    """Return a regular file, opened; None for any other path."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        return None
    return os.fdopen(fd, "rb")


def token_count(value: object) -> int:
    """Return a number of tokens, 0 for any other value."""
    return value if type(value) is int and 0 <= value < 1 << 53 else 0
