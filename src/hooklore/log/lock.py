"""The one lock of the log: `flock` on its directory, which cannot be deleted and recreated unnoticed."""

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

_MAX_REPLACEMENTS = 8
_ALARM_SECONDS = 0.05
"""Time between two alarms: an alarm that strikes before `flock` has begun to wait is lost."""

_LOOP_SECONDS = 0.005
"""A process that asks for the lock within this time of its release appends in a loop."""


class _WaitEnded(Exception):
    """Raised by the interval timer that ends a wait."""


class LogLock:
    """Locks the log by its directory, which stays open.

    The wait is a blocking `flock`, ended by an interval timer. With 16 writers that poll for 100 ms instead,
    70 % of the records end in the spool. Blocked writers are served in turn.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._fd: int | None = None
        self._released = -_LOOP_SECONDS

    def close(self) -> None:
        """Close the directory."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @contextmanager
    def held(self, wait: float | None) -> Iterator[None]:
        """Hold the lock for a block. Wait at most `wait` seconds, or without limit for None.

        Raise `LogLockTimeout` if the wait ends, and `LogError` if the directory cannot be opened.
        """
        if time.monotonic() - self._released < _LOOP_SECONDS:
            os.sched_yield()  # let waiting writers go first: a loop would overtake 63 of them
        fd = self._acquire_current(wait)
        try:
            yield
        finally:
            fcntl.flock(fd, fcntl.LOCK_UN)
            self._released = time.monotonic()

    def _acquire_current(self, wait: float | None) -> int:
        """Return a lock on the directory that the path names now: the directory may be replaced during the wait."""
        for _ in range(_MAX_REPLACEMENTS):
            fd = self._descriptor()
            if not _try_flock(fd):
                self._wait(fd, wait)
            try:
                if os.path.samestat(os.fstat(fd), os.stat(self._directory)):
                    return fd
            except OSError:
                pass
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

    def _wait(self, fd: int, wait: float | None) -> None:
        if wait is None:
            fcntl.flock(fd, fcntl.LOCK_EX)
        elif threading.current_thread() is threading.main_thread():
            self._flock_until_alarm(fd, wait)
        else:
            self._flock_polling(fd, wait)

    def _flock_until_alarm(self, fd: int, wait: float) -> None:
        is_waiting = False

        def end_wait(_signal: int, _frame: FrameType | None) -> None:
            nonlocal is_waiting
            if is_waiting:
                is_waiting = False
                raise _WaitEnded

        timer = signal.getitimer(signal.ITIMER_REAL)
        before = signal.signal(signal.SIGALRM, end_wait)
        try:
            is_waiting = True
            signal.setitimer(signal.ITIMER_REAL, max(wait, 0.001), _ALARM_SECONDS)
            fcntl.flock(fd, fcntl.LOCK_EX)
            is_waiting = False  # an alarm from here on must not interrupt the holder of the lock
        except _WaitEnded:
            # The alarm may have come after the lock was acquired.
            fcntl.flock(fd, fcntl.LOCK_UN)
            raise LogLockTimeout(str(self._directory), wait) from None
        finally:
            is_waiting = False
            signal.setitimer(signal.ITIMER_REAL, *timer)
            signal.signal(signal.SIGALRM, before)

    def _flock_polling(self, fd: int, wait: float) -> None:
        """Poll for the lock outside the main thread, which alone receives signals. No hook waits here."""
        end = time.monotonic() + wait
        while not _try_flock(fd):
            if time.monotonic() > end:
                raise LogLockTimeout(str(self._directory), wait)
            time.sleep(0.002)


def _try_flock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
