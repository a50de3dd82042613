"""The files in which clients keep their sessions: only a regular file is read, and no link."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
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


def last_lines(path: str, most: int, longest: int) -> Iterator[bytes]:
    """Yield the lines of a regular file, cut at `longest`, of a large one those of its last `most` bytes.

    A file may grow while it is read: no more than was there at the start is.
    """
    file = open_transcript(path)
    if file is None:
        return
    with file, suppress(OSError):
        left = os.fstat(file.fileno()).st_size
        if left > most:
            file.seek(left - most)
            left = most - len(file.readline(longest))
        while left > 0 and (line := file.readline(longest)):
            left -= len(line)
            yield line


def token_count(value: object) -> int:
    """Return a number of tokens, 0 for any other value."""
    return value if type(value) is int and 0 <= value < 1 << 53 else 0
