"""The files of the log: their paths, their modes, and positions in them.

A position is `segment number << 32 | byte offset`. Closed segments are `segments/000001.jsonl` and so on.
The open segment is `events.jsonl`, with the number after the last closed one. A segment is closed by
renaming its file, so a position stays valid.
"""

import contextlib
import os
import stat
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import LogError, StoreUnreadable

SEGMENT_BYTES = 32 * 1024 * 1024
"""The size from which a segment is closed."""

_OFFSET_BITS = 32


def make_position(segment: int, offset: int) -> int:
    """Return the position of a byte."""
    return segment << _OFFSET_BITS | offset


def split_position(pos: int) -> tuple[int, int]:
    """Return (segment, offset) of a position."""
    return pos >> _OFFSET_BITS, pos & ((1 << _OFFSET_BITS) - 1)


def segment_directory(place: StoreLocation) -> Path:
    """Return the directory of the closed segments."""
    return place.directory / "segments"


def closed_segments(place: StoreLocation) -> list[int]:
    """Return the numbers of the closed segments, in ascending order."""
    try:
        names = os.listdir(segment_directory(place))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreUnreadable(str(segment_directory(place)), error.strerror or "") from None
    return sorted(int(n[:-6]) for n in names if n.endswith(".jsonl") and n[:-6].isdecimal())


def closed_path(place: StoreLocation, segment: int) -> Path:
    """Return the path of a closed segment."""
    return segment_directory(place) / f"{segment:06d}.jsonl"


def make_directory(path: Path) -> None:
    """Create `path` and its missing parents with mode 0700, and flush them. Existing ones keep their mode."""
    if os.path.isdir(path) or path == path.parent:
        return
    make_directory(path.parent)
    try:
        os.mkdir(path, 0o700)
        with contextlib.suppress(PermissionError):  # a directory may be writable and not readable
            sync_directory(path.parent)
    except FileExistsError:
        if not os.path.isdir(path):
            raise LogError(str(path), "it is not a directory") from None
    except OSError as error:
        raise LogError(str(path), error.strerror or str(error)) from None


def open_regular(path: Path, flags: int) -> int:
    """Return a descriptor of a regular file. Raise `OSError` for a link, a FIFO or a device in its place."""
    fd = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(22, "it is not a regular file")
    return fd


def read_regular(path: Path, most: int = -1) -> bytes:
    """Return the content of a regular file, or its first `most` bytes. Raise `OSError`."""
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as content:
        return content.read(most)


def replace_file(path: Path, content: bytes, suffix: str = ".tmp") -> None:
    """Write a file under a temporary name, flushed, and rename it: a reader has the old or the new one, whole.

    Raise `OSError`, with the temporary file removed.
    """
    temporary = path.with_suffix(suffix)
    temporary.unlink(missing_ok=True)
    fd = open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        write_all(fd, content)
        os.fsync(fd)
        os.rename(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.close(fd)


def write_all(fd: int, content: bytes) -> None:
    """Write all of `content`, in as many steps as the system needs. Raise `OSError` on failure."""
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


def sync_directory(path: Path) -> None:
    """Flush the entries of a directory: only then does a new or renamed file survive a power cut."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
