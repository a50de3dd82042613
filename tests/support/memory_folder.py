"""Temporary folders in memory, for stores that are made by the hundred and are not about the disk."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = "/dev/shm"  # a file system in memory, on Linux alone
_ATTEMPTS = 50


@contextmanager
def memory_folder() -> Iterator[Path]:
    """Yield an empty folder, in memory where the system has such a place; it is gone afterwards."""
    has_memory = os.access(_MEMORY, os.W_OK)
    folder = Path(tempfile.mkdtemp(dir=_MEMORY if has_memory else None))
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder. A thread of tantivy may put its lock file there meanwhile: then try again."""
    for _ in range(_ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)
    raise OSError(f"{folder} cannot be removed: {list(folder.rglob('*'))}")
