"""The files of the log: where they lie, their modes, and positions in them.

A position is `segment number << 32 | byte offset`. Closed segments are `segments/000001.jsonl` and so
on; the open one is `events.jsonl` and has the number after the last. A segment is closed by renaming
it, so a position stays good for ever.
"""

import contextlib
import os
import stat
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import LogError, StoreUnreadable

SEGMENT_BYTES = 32 * 1024 * 1024
"""A segment is closed when it has grown past this."""

_OFFSET_BITS = 32


def make_position(segment: int, offset: int) -> int:
    """The position of a byte."""
    return segment << _OFFSET_BITS | offset


def split_position(pos: int) -> tuple[int, int]:
    """(segment, offset) of a position."""
    return pos >> _OFFSET_BITS, pos & ((1 << _OFFSET_BITS) - 1)


def segment_directory(place: StoreLocation) -> Path:
    """Where closed segments lie."""
    return place.directory / "segments"


def closed_segments(place: StoreLocation) -> list[int]:
    """The numbers of the closed segments, ascending."""
    try:
        names = os.listdir(segment_directory(place))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreUnreadable(str(segment_directory(place)), error.strerror or "") from None
    return sorted(int(n[:-6]) for n in names if n.endswith(".jsonl") and n[:-6].isdecimal())


def closed_path(place: StoreLocation, segment: int) -> Path:
    """The path of a closed segment."""
    return segment_directory(place) / f"{segment:06d}.jsonl"


def make_directory(path: Path) -> None:
    """Make this directory and what lies above it, 0700, flushed. Only what we create gets a mode of ours."""
    if os.path.isdir(path) or path == path.parent:
        return
    make_directory(path.parent)
    try:
        os.mkdir(path, 0o700)
        with contextlib.suppress(PermissionError):  # one may make entries where one may not list
            sync_directory(path.parent)
    except FileExistsError:
        if not os.path.isdir(path):
            raise LogError(str(path), "it is not a directory") from None
    except OSError as error:
        raise LogError(str(path), error.strerror or str(error)) from None


def open_regular(path: Path, flags: int, mode: int = 0o600) -> int:
    """A descriptor of a regular file; a link, a FIFO or a device in its place is refused (OSError)."""
    fd = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(22, "it is not a regular file")
    return fd


def write_all(fd: int, content: bytes) -> None:
    """Write these bytes, however few the system takes at a time. Raises OSError."""
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


def sync_directory(path: Path) -> None:
    """Flush a directory's entries: a new or renamed file survives a power cut only after this."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
