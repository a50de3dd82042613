"""Appending to the log in whole batches, flushed before they are acknowledged."""

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
from hooklore.log.line import Line
from hooklore.log.lock import LogLock

RESERVE_BYTES = 1024 * 1024
"""Space released on a full disk, so that records that could not be appended fit into the spool."""

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class LogWriter:
    """Appends to one store's log. Several processes may write, ordered by the lock."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._lock = LogLock(place.directory)
        self._fd: int | None = None
        self._segment = 0
        self._prepared = False

    def close(self) -> None:
        """Close the descriptors."""
        self._close_log()
        self._lock.close()

    @contextmanager
    def appending(self, wait: float | None) -> Iterator["LogWriter"]:
        """Hold the log for one batch, its tail repaired, so that appended lines start on lines of their own.

        Wait at most `wait` seconds, or without limit for None. Raise `LogLockTimeout` or `LogError`.
        """
        self._prepare()
        with self._lock.held(wait):
            self._open_current()
            self._repair_tail()
            yield self

    @property
    def end(self) -> int:
        """The position after the last byte, valid only inside `appending`."""
        return files.make_position(self._segment, os.fstat(self._descriptor).st_size)

    @property
    def is_at_start(self) -> bool:
        """True while the log is empty, valid only inside `appending`."""
        return self.end == files.make_position(1, 0)

    def append(self, lines: list[Line]) -> list[int]:
        """Write and flush these lines, and return their positions.

        Raise `LogWriteFailed` on failure, with none of the lines written.
        """
        if os.fstat(self._descriptor).st_size >= files.SEGMENT_BYTES:
            self._rotate()
        start = os.fstat(self._descriptor).st_size
        try:
            files.write_all(self._descriptor, b"".join(line.content for line in lines))
            flush_to_disk(self._descriptor)
        except OSError as error:
            self._undo_append(start)
            raise LogWriteFailed(str(self._place.log), error) from error
        positions = []
        for line in lines:
            positions.append(files.make_position(self._segment, start))
            start += len(line.content)
        return positions

    def flush(self) -> None:
        """Flush other writers' lines before they are reported as stored. Raise `LogWriteFailed` on failure."""
        try:
            flush_to_disk(self._descriptor)
        except OSError as error:
            self._close_log()
            raise LogWriteFailed(str(self._place.log), error) from error

    def give_up_reserve(self) -> None:
        """Release the reserve's space on a full disk."""
        with contextlib.suppress(OSError):
            self._reserve.unlink(missing_ok=True)

    def restore_reserve(self) -> None:
        """Allocate the reserve again. A disk without enough space is left alone."""
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
        """Open the log's open segment, because another process may have closed the one that was open here."""
        try:
            named = os.stat(self._place.log, follow_symlinks=False)
        except FileNotFoundError:
            named = None
        except OSError as error:
            raise LogError(str(self._place.log), error.strerror or str(error)) from None
        if self._fd is not None and named is not None:
            opened = os.fstat(self._fd)
            if os.path.samestat(opened, named):
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
                # The process that made or renamed the file may have died before these flushes.
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
        """Quarantine the half line of a writer that died, so that the next line is not joined to that half."""
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

    def _undo_append(self, start: int) -> None:
        """Truncate the log to `start` after a failed write or flush, so that nobody reads half a batch.

        If truncation fails too, the next writer repairs the tail. Delivery ids then prevent a second copy of the
        lines that were written whole.
        """
        try:
            os.ftruncate(self._descriptor, start)
        except OSError:
            pass
        self._close_log()

    def _rotate(self) -> None:
        """Close the open segment by renaming its file. A crash at any step leaves a log that reads whole."""
        files.make_directory(files.segment_directory(self._place))
        target = files.closed_path(self._place, self._segment)
        try:
            flush_to_disk(self._descriptor)  # a closed segment is never flushed again
            os.rename(self._place.log, target)
            self._sync_directories()
        except OSError as error:
            raise LogWriteFailed(str(self._place.log), error) from error
        self._close_log()
        self._open_log(is_new=True)


def is_disk_full(error: OSError) -> bool:
    """Return whether `error` reports a full disk."""
    return error.errno in _DISK_FULL


def flush_to_disk(fd: int) -> None:
    """Flush a file to the disk itself. On macOS, `fsync` stops at the drive's cache."""
    if sys.platform == "darwin":
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(fd)
