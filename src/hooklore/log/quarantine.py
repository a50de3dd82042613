"""Damaged bytes of the log, set aside: never deleted, never read as records again."""

import os
from pathlib import Path

from hooklore.config import Place
from hooklore.log import files


def quarantine_directory(place: Place) -> Path:
    """Where damaged bytes are kept."""
    return place.directory / "quarantine"


def set_aside(place: Place, pos: int, raw: bytes) -> Path:
    """Keep these damaged bytes from that position; the same bytes are kept once. Raises OSError."""
    directory = quarantine_directory(place)
    files.make_directory(directory)
    segment, offset = files.split(pos)
    path = directory / f"{segment:06d}-{offset:010d}-{len(raw)}.bin"
    try:
        fd = files.open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        return path
    try:
        os.write(fd, raw)
        os.fsync(fd)
    finally:
        os.close(fd)
    return path


def count(place: Place) -> int:
    """How many pieces lie in quarantine."""
    try:
        return len(os.listdir(quarantine_directory(place)))
    except OSError:
        return 0
