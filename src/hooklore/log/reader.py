"""Reading the log while other processes append to it and close segments."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hooklore.config import StoreLocation
from hooklore.errors import StoreUnreadable
from hooklore.log import files
from hooklore.log.line import decode_id, decode_line
from hooklore.records.record import Record

_CHUNK = 1 << 20
_FIRST_READ = 4096
_NEAR = 4 * _FIRST_READ
"""Bytes that are read where a binary search has ended: the lines around the one that is looked for."""

_HEAD = 64
"""Bytes in which a line of ours has its version and its id."""


class Line(NamedTuple):
    """One line of the log: its position, and its bytes without the newline."""

    pos: int
    raw: bytes

    @property
    def end(self) -> int:
        """The position after the line."""
        return self.pos + len(self.raw) + 1


class _OpenSegment(NamedTuple):
    """An open segment: its descriptor, its inode, its name once closed, and whether the segment is closed."""

    fd: int
    inode: int
    closed: str
    is_closed: bool = False


class LogReader:
    """Reads one store's log without a lock: a line counts once its newline is written."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._open: dict[int, _OpenSegment] = {}

    def close(self) -> None:
        """Close the descriptors."""
        for segment in self._open.values():
            os.close(segment.fd)
        self._open.clear()

    def lines(self, start: int = 0) -> Iterator[Line]:
        """Yield every whole line from the position `start` on, in order, up to the present end.

        Raise `StoreUnreadable` if an existing file cannot be read.
        """
        segment, offset = files.split_position(start)
        for number in self._segments():
            if number < segment:
                continue
            yield from self.lines_of(number, offset if number == segment else 0)

    def line_start(self, pos: int) -> int:
        """Return the position of the first line that begins at or after the byte at `pos`."""
        segment, offset = files.split_position(pos)
        fd = self._descriptor(segment)
        return pos if fd is None else files.make_position(segment, self._next_line(fd, offset))

    def record_at(self, pos: int) -> Record | None:
        """Return the record at a position, or None for a missing or damaged one."""
        return decode_line(self._line_at(pos))

    def records_at(self, positions: Iterable[int]) -> dict[int, Record | None]:
        """Return the records at some positions, by one look at each of their segments."""
        opened: dict[int, int | None] = {}
        found: dict[int, Record | None] = {}
        for pos in positions:
            segment, offset = files.split_position(pos)
            if segment not in opened:
                opened[segment] = self._descriptor(segment)
            found[pos] = decode_line(self._line_in(opened[segment], offset))
        return found

    def id_at(self, pos: int) -> str:
        """Return the id of the record at a position, or "" for a missing or damaged one."""
        return decode_id(self._line_at(pos))

    def holds(self, pos: int, id_: str) -> bool:
        """Return whether the line at a position is that of the record `id_`, by its first bytes if they tell."""
        segment, offset = files.split_position(pos)
        fd = self._descriptor(segment)
        head = b"" if fd is None else self._pread(fd, _HEAD, offset)
        begins = head.startswith(b'{"v":') and b',"id":"%b"' % id_.encode() in head
        return begins or self.id_at(pos) == id_

    def _line_at(self, pos: int) -> bytes:
        """Return the line at a position without its newline, or b"" for a missing one."""
        segment, offset = files.split_position(pos)
        return self._line_in(self._descriptor(segment), offset)

    def _line_in(self, fd: int | None, offset: int) -> bytes:
        """Return the line at an offset of an open segment without its newline, or b"" for a missing one."""
        raw, want = b"", _FIRST_READ
        while fd is not None and b"\n" not in raw:
            more = self._pread(fd, want, offset + len(raw))
            if not more:
                return b""
            raw, want = raw + more, _CHUNK
        return raw.partition(b"\n")[0]

    def find(self, prefix: str, limit: int = 2) -> list[Record]:
        """Return records whose id begins with `prefix`, oldest first, by binary search: ids ascend in the log."""
        found: list[Record] = []
        for number in self._segments_for(prefix):
            for line in self.lines_of(number, self._lower_bound(number, prefix), _NEAR):
                record = decode_line(line.raw)
                if record is None:
                    continue
                if not record.id.startswith(prefix):
                    if record.id > prefix:
                        break
                    continue
                found.append(record)
                if len(found) >= limit:
                    return found
        return found

    def end(self) -> int:
        """Return the position after the last whole line."""
        last = self._last_segment()
        fd = self._descriptor(last)
        if fd is None:
            return files.make_position(last, 0)
        size = os.fstat(fd).st_size
        while size > 0:
            start = max(0, size - _CHUNK)
            chunk = self._pread(fd, size - start, start)
            cut = chunk.rfind(b"\n")
            if cut >= 0:
                return files.make_position(last, start + cut + 1)
            size = start
        return files.make_position(last, 0)

    def size(self) -> int:
        """Return the bytes of all segments."""
        return sum(map(self.segment_size, self._segments()))

    def segment_size(self, segment: int) -> int:
        """Return the bytes of one segment."""
        fd = self._descriptor(segment)
        return os.fstat(fd).st_size if fd is not None else 0

    def _segments(self) -> range:
        """Return the numbers of the segments: those from the first closed one on, and the open one."""
        closed = files.closed_segments(self._place) or [1, 0]
        return range(closed[0], closed[-1] + 2)

    def _last_segment(self) -> int:
        return self._segments()[-1]

    def _segments_for(self, prefix: str) -> list[int]:
        """Return the last segment that starts before `prefix`, and later ones that may contain the prefix."""
        numbers, low = self._segments(), 0
        for place, number in enumerate(numbers):
            first = self._first_id(number, 0)
            if not first or first > prefix:
                break
            low = place
        return [
            n for n in numbers[low:] if n == numbers[low] or self._first_id(n, 0).startswith(prefix)
        ]

    def _lower_bound(self, segment: int, prefix: str) -> int:
        """Return the offset of a line start at or before the first id that is >= `prefix`."""
        fd = self._descriptor(segment)
        if fd is None:
            return 0
        low, high = 0, os.fstat(fd).st_size
        while high - low > _FIRST_READ:
            middle = (low + high) // 2
            start = self._next_line(fd, middle)
            first = self._first_id(segment, start)
            if not first or first >= prefix:
                high = middle
            else:
                low = start
        return low

    def _first_id(self, segment: int, offset: int) -> str:
        """Return the id of the first record from `offset` on, or an empty text."""
        ids = (decode_id(line.raw) for line in self.lines_of(segment, offset, _FIRST_READ))
        return next(filter(None, ids), "")

    def _next_line(self, fd: int, offset: int) -> int:
        want = _FIRST_READ
        while True:
            chunk = self._pread(fd, want, offset)
            cut = chunk.find(b"\n")
            if cut >= 0 or not chunk:
                return offset + cut + 1 if cut >= 0 else offset
            offset, want = offset + len(chunk), _CHUNK

    def lines_of(self, segment: int, offset: int = 0, want: int = _CHUNK) -> Iterator[Line]:
        """Yield the whole lines of a segment from an offset on. `want` is how much is read at first, in bytes."""
        fd = self._descriptor(segment)
        if fd is None:
            return
        rest = b""
        while True:
            chunk = self._pread(fd, want, offset + len(rest))
            if not chunk:
                return
            want = _CHUNK
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            for raw in lines:
                yield Line(files.make_position(segment, offset), raw)
                offset += len(raw) + 1

    def _pread(self, fd: int, count: int, offset: int) -> bytes:
        try:
            return os.pread(fd, count, offset)
        except OSError as error:
            raise StoreUnreadable(str(self._place.log), error.strerror or str(error)) from None

    def _descriptor(self, segment: int) -> int | None:
        """Return a descriptor of a segment, reused while the name leads to the same file."""
        opened = self._open.get(segment)
        try:
            if opened is not None:
                # The order matters: a rotation between the two checks moves the file to the second path.
                if not opened.is_closed and opened.inode == _inode(self._place.log):
                    return opened.fd
                if opened.inode == _inode(opened.closed):
                    self._open[segment] = opened._replace(is_closed=True)
                    return opened.fd
                os.close(self._open.pop(segment).fd)
            return self._reopen(segment)
        except OSError as error:
            raise StoreUnreadable(str(self._place.log), error.strerror or str(error)) from None

    def _reopen(self, segment: int) -> int | None:
        for _ in range(8):
            closed = files.closed_path(self._place, segment)
            try:
                fd: int | None
                fd = files.open_regular(closed, os.O_RDONLY)
            except FileNotFoundError:
                fd = None
                with contextlib.suppress(FileNotFoundError):
                    if segment >= self._last_segment():
                        fd = files.open_regular(self._place.log, os.O_RDONLY)
                # A rotation between the two opens would return the segment after the requested one.
                if closed.exists() and (fd is None or os.fstat(fd).st_ino != _inode(closed)):
                    if fd is not None:
                        os.close(fd)
                    continue
            if fd is not None:
                self._open[segment] = _OpenSegment(fd, os.fstat(fd).st_ino, str(closed))
            return fd
        raise StoreUnreadable(str(self._place.log), "its segments are being replaced")


def _inode(path: os.PathLike[str] | str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_ino
    except FileNotFoundError:
        return -1
