"""Temporary folders in memory, for stores that are made by the hundred and are not about the disk."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = "/dev/shm"  # a file system in memory, on Linux alone


@contextmanager
def memory_folder() -> Iterator[Path]:
    """Yield an empty folder, in memory where the system has such a place; it is gone afterwards."""
    has_memory = os.access(_MEMORY, os.W_OK)
    with tempfile.TemporaryDirectory(dir=_MEMORY if has_memory else None) as name:
        yield Path(name)
