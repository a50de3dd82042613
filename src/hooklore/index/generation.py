"""Generations of the index: a rebuild creates a new one beside the old, and one rename activates the new."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable
from hooklore.log import files


def index_directory(place: StoreLocation) -> Path:
    """Return the directory of all derived data."""
    return place.directory / "index"


def current_generation(place: StoreLocation) -> Path | None:
    """Return the directory of the active generation, or None if nothing is indexed."""
    try:
        name = (index_directory(place) / "current").read_text("ascii").strip()
    except (OSError, ValueError):
        return None
    found = index_directory(place) / name
    return found if name.startswith("g") and name[1:].isdecimal() and found.is_dir() else None


def create_generation(place: StoreLocation) -> Path:
    """Create a new, empty, inactive generation. Only the holder of the writer lock may call this."""
    numbers = [int(p.name[1:]) for p in list_generations(place)]
    directory = index_directory(place) / f"g{max(numbers, default=0) + 1}"
    files.make_directory(directory)
    return directory


def activate_generation(place: StoreLocation, directory: Path) -> None:
    """Make `directory` the generation that readers open, and remove the others."""
    pointer = index_directory(place) / "current"
    temporary = pointer.with_suffix(".tmp")
    temporary.unlink(missing_ok=True)
    fd = files.open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        os.write(fd, directory.name.encode())
        os.fsync(fd)
    finally:
        os.close(fd)
    os.rename(temporary, pointer)
    discard_old_generations(place)


def discard_old_generations(place: StoreLocation) -> None:
    """Remove inactive generations: old ones and interrupted rebuilds."""
    keep = current_generation(place)
    for directory in list_generations(place):
        if directory != keep:
            import shutil  # with the archive formats it takes .4 MB of every resident

            shutil.rmtree(directory, ignore_errors=True)


def list_generations(place: StoreLocation) -> list[Path]:
    """Return the directories of all generations, active or not."""
    try:
        return [
            p
            for p in index_directory(place).iterdir()
            if p.name.startswith("g") and p.name[1:].isdecimal()
        ]
    except OSError:
        return []


class WriterLock:
    """The lock `index/writer.lock`, whose holder alone may index."""

    def __init__(self, place: StoreLocation) -> None:
        self._path = index_directory(place) / "writer.lock"
        self._fd: int | None = None

    def take(self) -> bool:
        """Try to take the lock, and return whether this process holds the lock now.

        Raise `IndexUnusable` if the lock file cannot be opened.
        """
        if self._fd is not None:
            if self._is_in_place(self._fd):
                return True
            self.give_back()
        try:
            files.make_directory(self._path.parent)
            fd = files.open_regular(self._path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise IndexUnusable(str(self._path), error.strerror or str(error)) from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        os.ftruncate(fd, 0)
        os.pwrite(fd, str(os.getpid()).encode(), 0)
        self._fd = fd
        return True

    def _is_in_place(self, fd: int) -> bool:
        """Return whether our lock is on the file that others would lock: the index may have been deleted."""
        try:
            return os.path.samestat(os.fstat(fd), os.lstat(self._path))
        except OSError:
            return False

    def holder(self) -> int | None:
        """Return the pid that last took the lock, for a message."""
        try:
            return int(self._path.read_text("ascii") or 0) or None
        except (OSError, ValueError):
            return None

    def give_back(self) -> None:
        """Release the lock for another process."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Try to take the lock for a block, and yield whether this process holds the lock."""
        is_holder = self.take()
        try:
            yield is_holder
        finally:
            self.give_back()
