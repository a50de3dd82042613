"""Rewriting of segments, the one way in which bytes leave the log.

A copy is written beside the segment, flushed and renamed to the segment's name. A crash therefore leaves
the old segment or the new one, whole. Positions in the segment change, so the index is then rebuilt.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import LogWriteFailed
from hooklore.log import files
from hooklore.log.reader import Line
from hooklore.log.writer import flush_to_disk

LineRewriter = Callable[[Line], bytes | None]
"""A function that returns the new bytes of a line without its newline, or None to leave the line unchanged."""

_CHUNK = 1 << 20
_SUFFIX = ".rewrite"


@dataclass(frozen=True, slots=True)
class SegmentCopy:
    """A rewritten segment, flushed and not yet in place. `inode` is the original segment's."""

    segment: int
    temporary: Path
    inode: int


def segment_path(place: StoreLocation, segment: int) -> Path:
    """Return the present path of a segment. Only the append lock keeps an open segment from being closed."""
    closed = files.closed_path(place, segment)
    return closed if closed.exists() else place.log


def segment_inode(place: StoreLocation, segment: int) -> int:
    """Return the inode of a segment, or 0 if there is none."""
    try:
        return os.stat(segment_path(place, segment), follow_symlinks=False).st_ino
    except FileNotFoundError:
        return 0


def write_segment_copy(place: StoreLocation, segment: int, rewrite: LineRewriter) -> SegmentCopy:
    """Write a copy of the segment with lines replaced by `rewrite`. Every other byte is the same.

    The open segment needs the append lock. Raise `LogWriteFailed` on failure, with nothing changed.
    """
    temporary = _temporary(place, segment)
    try:
        source = files.open_regular(segment_path(place, segment), os.O_RDONLY)
        try:
            _copy(source, temporary, _rewritten(source, segment, rewrite))
            return SegmentCopy(segment, temporary, os.fstat(source).st_ino)
        finally:
            os.close(source)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise LogWriteFailed(str(temporary), error) from error


def activate_copies(place: StoreLocation, copies: Iterable[SegmentCopy]) -> None:
    """Rename copies to the segments that they replace. The caller holds the append lock.

    Raise `LogWriteFailed` on failure, with the remaining copies deleted.
    """
    waiting = list(copies)
    try:
        while waiting:
            os.rename(waiting[0].temporary, segment_path(place, waiting[0].segment))
            del waiting[0]
        _sync(place)
    except OSError as error:
        discard_copies(waiting)
        raise LogWriteFailed(str(error.filename or place.log), error) from error


def discard_copies(copies: Iterable[SegmentCopy]) -> None:
    """Delete copies that are not wanted."""
    for copy in copies:
        copy.temporary.unlink(missing_ok=True)


def remove_leftover_copies(place: StoreLocation) -> None:
    """Remove copies that a killed process left beside their segments. Raise `OSError` on failure."""
    for directory, stem in (
        (files.segment_directory(place), ""),
        (place.log.parent, place.log.name),
    ):
        try:
            names = os.listdir(directory)
        except FileNotFoundError:
            continue
        for name in names:
            if name.endswith(_SUFFIX) and name.startswith(stem):
                (directory / name).unlink(missing_ok=True)


def _temporary(place: StoreLocation, segment: int) -> Path:
    path = segment_path(place, segment)
    return path.with_name(path.name + _SUFFIX)


def _rewritten(source: int, segment: int, rewrite: LineRewriter) -> Iterator[bytes]:
    """Yield the segment's bytes in pieces, lines replaced, the bytes after the last newline unchanged."""
    rest, offset = b"", 0
    while chunk := os.pread(source, _CHUNK, offset + len(rest)):
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        piece = bytearray()
        for raw in lines:
            new = rewrite(Line(files.make_position(segment, offset), raw))
            piece += raw if new is None else new
            piece += b"\n"
            offset += len(raw) + 1
        yield bytes(piece)
    yield rest


def _copy(source: int, target: Path, pieces: Iterable[bytes]) -> None:
    target.unlink(missing_ok=True)
    fd = files.open_regular(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        os.fchmod(fd, os.fstat(source).st_mode & 0o777)
        for piece in pieces:
            files.write_all(fd, piece)
        flush_to_disk(fd)
    finally:
        os.close(fd)


def _sync(place: StoreLocation) -> None:
    for directory in (files.segment_directory(place), place.log.parent):
        if directory.is_dir():
            files.sync_directory(directory)
