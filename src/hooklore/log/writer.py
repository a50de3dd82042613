"""Appending to the log: whole batches, flushed before anybody is told."""

import contextlib
import errno
import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hooklore.config import StoreLocation, is_foreign_log
from hooklore.errors import LogError, LogWriteFailed
from hooklore.log import files, quarantine
from hooklore.log.lock import LogLock

RESERVE_BYTES = 1024 * 1024
"""Given up on a full disk, so that there is room to spool what could not be appended."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class LogWriter:
    """Appends to one store's log. Any number of processes may have one; the lock orders them."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._lock = LogLock(place.directory)
        self._fd: int | None = None
        self._segment = 0
        self._prepared = False

    def close(self) -> None:
        """Give the descriptors back."""
        self._close_log()
        self._lock.close()

    @contextmanager
    def appending(self, wait: float | None) -> Iterator["LogWriter"]:
        """Hold the log for one batch: its tail is repaired, so what is appended stands on a line of its own.

        `wait` in seconds, None for ever. Raises LogLockTimeout, LogError.
        """
        self._prepare()
        with self._lock.held(wait):
            self._open_current()
            self._repair_tail()
            yield self

    @property
    def end(self) -> int:
        """The position after the last byte; only good while `appending`."""
        return files.make_position(self._segment, os.fstat(self._descriptor).st_size)

    @property
    def is_at_start(self) -> bool:
        """Whether the log holds nothing at all yet; only good while `appending`."""
        return self.end == files.make_position(1, 0)

    def append(self, lines: list[bytes]) -> list[int]:
        """Write these lines and flush them; their positions. Raises LogWriteFailed: then none is there."""
        if os.fstat(self._descriptor).st_size >= files.SEGMENT_BYTES:
            self._rotate()
        start = os.fstat(self._descriptor).st_size
        try:
            self._write(b"".join(lines))
        except OSError as error:
            self._take_back(start)
            raise LogWriteFailed(str(self._place.log), error) from error
        return self._positions(start, lines)

    def flush(self) -> None:
        """Flush what others wrote, before it is said to be there. Raises LogWriteFailed."""
        try:
            flush_to_disk(self._descriptor)
        except OSError as error:
            self._close_log()
            raise LogWriteFailed(str(self._place.log), error) from error

    def give_up_reserve(self) -> None:
        """Free the reserve's room on a full disk."""
        with contextlib.suppress(OSError):
            self._reserve.unlink(missing_ok=True)

    def restore_reserve(self) -> None:
        """Take the reserve again once there is room; a disk that has none yet is left alone."""
        try:
            fd = files.open_regular(self._reserve, os.O_WRONLY | os.O_CREAT)
        except OSError:
            return
        try:
            if os.fstat(fd).st_size < RESERVE_BYTES:
                os.posix_fallocate(fd, 0, RESERVE_BYTES)
        except (OSError, AttributeError):
            self.give_up_reserve()
        finally:
            os.close(fd)

    @property
    def _reserve(self) -> Path:
        return self._place.directory / "reserve"

    @property
    def _descriptor(self) -> int:
        if self._fd is None:
            raise LogError(str(self._place.log), "it is not open")
        return self._fd

    def _prepare(self) -> None:
        if self._prepared and os.path.isdir(self._place.directory):
            return
        files.make_directory(self._place.directory)
        files.make_directory(self._place.log.parent)
        self._prepared = True
        self.restore_reserve()

    def _open_current(self) -> None:
        """Open the log's open segment; another process may have closed the one we had."""
        try:
            named = os.stat(self._place.log, follow_symlinks=False)
        except FileNotFoundError:
            named = None
        except OSError as error:
            raise LogError(str(self._place.log), error.strerror or str(error)) from None
        if self._fd is not None and named is not None:
            mine = os.fstat(self._fd)
            if os.path.samestat(mine, named):
                return
        self._close_log()
        self._open_log(is_new=named is None)

    def _open_log(self, *, is_new: bool) -> None:
        if not is_new and is_foreign_log(self._place.log):
            raise LogError(
                str(self._place.log), "another program writes it", fix="run `hooklore where`"
            )
        closed = files.closed_segments(self._place)
        self._segment = closed[-1] + 1 if closed else 1
        try:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
            self._fd = files.open_regular(self._place.log, flags)
            if is_new or os.fstat(self._fd).st_size == 0:
                # Whoever made or renamed it may have died before these flushes.
                self._sync_directories()
        except OSError as error:
            self._close_log()
            raise LogWriteFailed(str(self._place.log), error) from error

    def _sync_directories(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            files.sync_directory(files.segment_directory(self._place))
        files.sync_directory(self._place.log.parent)

    def _close_log(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _repair_tail(self) -> None:
        """A writer that died left half a line: set it aside, so that the next line is not glued to it."""
        try:
            size = os.fstat(self._descriptor).st_size
            if size == 0 or os.pread(self._descriptor, 1, size - 1) == b"\n":
                return
            start = self._last_line_start(size)
            torn = os.pread(self._descriptor, size - start, start)
            quarantine.quarantine_bytes(
                self._place, files.make_position(self._segment, start), torn
            )
            os.ftruncate(self._descriptor, start)
        except OSError as error:
            raise LogWriteFailed(str(self._place.log), error) from error

    def _last_line_start(self, size: int) -> int:
        while size > 0:
            start = max(0, size - 65536)
            cut = os.pread(self._descriptor, size - start, start).rfind(b"\n")
            if cut >= 0:
                return start + cut + 1
            size = start
        return 0

    def _write(self, content: bytes) -> None:
        files.write_all(self._descriptor, content)
        flush_to_disk(self._descriptor)

    def _take_back(self, start: int) -> None:
        """The old state: after a failed write or flush nobody may find half of a batch, or be told of it.

        If even this fails, the next writer repairs the tail, and ids of deliveries keep what was
        written whole from being written twice.
        """
        try:
            os.ftruncate(self._descriptor, start)
        except OSError:
            pass
        self._close_log()

    def _positions(self, start: int, lines: list[bytes]) -> list[int]:
        positions = []
        for line in lines:
            positions.append(files.make_position(self._segment, start))
            start += len(line)
        return positions

    def _rotate(self) -> None:
        """Close the open segment by renaming it. A crash at any step leaves a log that reads whole."""
        files.make_directory(files.segment_directory(self._place))
        target = files.closed_path(self._place, self._segment)
        try:
            flush_to_disk(self._descriptor)  # nobody flushes a closed segment again
            os.rename(self._place.log, target)
            self._sync_directories()
        except OSError as error:
            raise LogWriteFailed(str(self._place.log), error) from error
        self._close_log()
        self._open_log(is_new=True)


def is_disk_full(error: OSError) -> bool:
    """Whether this error says that there is no room."""
    return error.errno in _FULL


def flush_to_disk(fd: int) -> None:
    """Bytes to the disk itself; macOS's fsync stops at the drive's cache."""
    if sys.platform == "darwin":
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(fd)
