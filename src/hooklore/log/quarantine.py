"""Damaged bytes of the log, moved aside: never deleted, and never read as records again."""

import os
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.log import files


def quarantine_directory(place: StoreLocation) -> Path:
    """Return the directory of damaged bytes."""
    return place.directory / "quarantine"


def quarantine_bytes(place: StoreLocation, pos: int, raw: bytes) -> Path:
    """Store damaged bytes from position `pos`, the same bytes only once. Raise `OSError` or `LogError`."""
    directory = quarantine_directory(place)
    files.make_directory(directory)
    segment, offset = files.split_position(pos)
    path = directory / f"{segment:06d}-{offset:010d}-{len(raw)}.bin"
    fd = files.open_regular(path, os.O_WRONLY | os.O_CREAT)
    try:
        if os.fstat(fd).st_size != len(raw):  # a new file, or an unfinished one
            os.ftruncate(fd, 0)
            files.write_all(fd, raw)
            os.fsync(fd)
    finally:
        os.close(fd)
    return path


def quarantine_file(place: StoreLocation, path: Path) -> None:
    """Store a copy of a file with damaged content. Raise `OSError` or `LogError`."""
    files.make_directory(quarantine_directory(place))
    fd = files.open_regular(quarantine_directory(place) / path.name, os.O_WRONLY | os.O_CREAT)
    try:
        os.ftruncate(fd, 0)
        files.write_all(fd, path.read_bytes())
        os.fsync(fd)
    finally:
        os.close(fd)


def count_quarantined(place: StoreLocation) -> int:
    """Return the number of files in quarantine."""
    try:
        return len(os.listdir(quarantine_directory(place)))
    except OSError:
        return 0
