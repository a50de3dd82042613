"""Names of Unix sockets: the system takes about a hundred bytes, and a store's path may be longer."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST = 100
"""Bytes of a name that Linux (107) and macOS (103) both take."""


@contextmanager
def socket_address(path: Path) -> Iterator[str]:
    """Yield a name of the socket at `path`: relative to its folder, entered meanwhile, when the path is long."""
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.chdir(path.parent)
        yield path.name
    finally:
        os.fchdir(before)
        os.close(before)
