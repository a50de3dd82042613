"""The one lock of the log: `flock` on its directory, which no one can delete and recreate unseen."""

import fcntl
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from hooklore.errors import LogError, LogLockTimeout

_REPLACED_TIMES = 8
_AT_ONCE = 0.005
"""Whoever asks again within so many seconds of giving the lock back is in a loop."""


class _WaitEnded(Exception):
    """The interval timer ended the wait."""


class LogLock:
    """Holds the log's directory open and locks it.

    A blocking `flock`, not polling: with 16 writers that poll for 100 ms, 70 % of the records end
    in the spool; blocked writers are served in turn. An interval timer ends the wait.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._fd: int | None = None
        self._released = -_AT_ONCE

    def close(self) -> None:
        """Let the directory go."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @contextmanager
    def held(self, wait: float | None) -> Iterator[None]:
        """Hold the lock. `wait` in seconds, None for ever. Raises LogLockTimeout, LogError."""
        if time.monotonic() - self._released < _AT_ONCE:
            os.sched_yield()  # who waits goes first: one that appends in a loop would overtake 63 others
        fd = self._acquire_current(wait)
        try:
            yield
        finally:
            fcntl.flock(fd, fcntl.LOCK_UN)
            self._released = time.monotonic()

    def _acquire_current(self, wait: float | None) -> int:
        """The lock on the directory that the path names now: it may have been replaced meanwhile."""
        for _ in range(_REPLACED_TIMES):
            fd = self._descriptor()
            self._flock(fd, wait)
            if self._still_there(fd):
                return fd
            fcntl.flock(fd, fcntl.LOCK_UN)
            self.close()
        raise LogError(str(self._directory), "it is being replaced")

    def _descriptor(self) -> int:
        if self._fd is None:
            try:
                self._fd = os.open(self._directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError as error:
                raise LogError(str(self._directory), error.strerror or str(error)) from None
        return self._fd

    def _still_there(self, fd: int) -> bool:
        try:
            return os.path.samestat(os.fstat(fd), os.stat(self._directory))
        except OSError:
            return False

    def _flock(self, fd: int, wait: float | None) -> None:
        if _try(fd):
            return
        if wait is None:
            fcntl.flock(fd, fcntl.LOCK_EX)
        elif threading.current_thread() is threading.main_thread():
            self._flock_until_alarm(fd, wait)
        else:
            self._flock_polling(fd, wait)

    def _flock_until_alarm(self, fd: int, wait: float) -> None:
        is_waiting = True

        def late(_signal: int, _frame: FrameType | None) -> None:
            if is_waiting:
                raise _WaitEnded

        before = signal.signal(signal.SIGALRM, late)
        timer = signal.setitimer(signal.ITIMER_REAL, max(wait, 0.001))
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            is_waiting = False  # an alarm that comes now must not end what holds the lock
        except _WaitEnded:
            # The alarm may have come after the lock was ours.
            fcntl.flock(fd, fcntl.LOCK_UN)
            raise LogLockTimeout(str(self._directory), wait) from None
        finally:
            is_waiting = False
            signal.setitimer(signal.ITIMER_REAL, *timer)
            signal.signal(signal.SIGALRM, before)

    def _flock_polling(self, fd: int, wait: float) -> None:
        """Signals reach the main thread only; other threads are never on a hook's path."""
        end = time.monotonic() + wait
        while not _try(fd):
            if time.monotonic() > end:
                raise LogLockTimeout(str(self._directory), wait)
            time.sleep(0.002)


def _try(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
