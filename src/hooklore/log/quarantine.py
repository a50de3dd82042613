"""Damaged bytes of the log, set aside: never deleted, never read as records again."""

import os
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.log import files


def quarantine_directory(place: StoreLocation) -> Path:
    """Where damaged bytes are kept."""
    return place.directory / "quarantine"


def quarantine_bytes(place: StoreLocation, pos: int, raw: bytes) -> Path:
    """Keep these damaged bytes from that position; the same bytes are kept once. Raises OSError, LogError."""
    directory = quarantine_directory(place)
    files.make_directory(directory)
    segment, offset = files.split_position(pos)
    path = directory / f"{segment:06d}-{offset:010d}-{len(raw)}.bin"
    fd = files.open_regular(path, os.O_WRONLY | os.O_CREAT)
    try:
        if os.fstat(fd).st_size != len(raw):  # a new file, or one that was not finished
            os.ftruncate(fd, 0)
            files.write_all(fd, raw)
            os.fsync(fd)
    finally:
        os.close(fd)
    return path


def quarantine_file(place: StoreLocation, path: Path) -> None:
    """Keep a copy of a file that holds something damaged. Raises OSError, LogError."""
    files.make_directory(quarantine_directory(place))
    fd = files.open_regular(quarantine_directory(place) / path.name, os.O_WRONLY | os.O_CREAT)
    try:
        os.ftruncate(fd, 0)
        files.write_all(fd, path.read_bytes())
        os.fsync(fd)
    finally:
        os.close(fd)


def count_quarantined(place: StoreLocation) -> int:
    """How many pieces lie in quarantine."""
    try:
        return len(os.listdir(quarantine_directory(place)))
    except OSError:
        return 0
