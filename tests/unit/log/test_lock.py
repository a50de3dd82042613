"""The log's lock: waiting, giving up, and the caller's signals and timers, which stay undisturbed."""

import fcntl
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hooklore.errors import LogError, LogLockTimeout
from hooklore.log.lock import LogLock


@contextmanager
def _held_elsewhere(directory: Path) -> Iterator[int]:
    fd = os.open(directory, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        yield fd
    finally:
        os.close(fd)


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_wait_ends_in_time(tmp_path: Path, in_thread: bool) -> None:
    lock = LogLock(tmp_path)
    raised: list[BaseException] = []

    def wait() -> None:
        try:
            with lock.held(0.02):
                raised.append(AssertionError("it is not free"))
        except LogLockTimeout as error:
            raised.append(error)

    with _held_elsewhere(tmp_path):
        if in_thread:
            thread = threading.Thread(target=wait)
            thread.start()
            thread.join()
        else:
            wait()

    assert [type(error) for error in raised] == [LogLockTimeout]
    assert isinstance(raised[0], TimeoutError)
    with lock.held(0.02):
        pass
    lock.close()


def test_a_wait_ends_though_its_alarm_strikes_before_it_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock_file = fcntl.flock

    def late(fd: int, how: int) -> None:
        if how == fcntl.LOCK_EX:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            signal.sigwait({signal.SIGALRM})  # the first alarm: it finds nobody waiting
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        lock_file(fd, how)

    with _held_elsewhere(tmp_path):
        monkeypatch.setattr(fcntl, "flock", late)
        with pytest.raises(LogLockTimeout), LogLock(tmp_path).held(0.01):
            pass


def test_a_timer_and_a_handler_of_the_caller_are_given_back(tmp_path: Path) -> None:
    fired: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: fired.append(number))
    earlier = signal.setitimer(signal.ITIMER_REAL, 600.0)
    try:
        with _held_elsewhere(tmp_path), pytest.raises(LogLockTimeout), LogLock(tmp_path).held(0.01):
            pass

        assert signal.getitimer(signal.ITIMER_REAL)[0] > 20
        signal.raise_signal(signal.SIGALRM)
        assert fired == [signal.SIGALRM]
    finally:
        signal.setitimer(signal.ITIMER_REAL, *earlier)
        signal.signal(signal.SIGALRM, before)


def test_a_directory_replaced_during_the_wait_is_locked_in_its_new_place(tmp_path: Path) -> None:
    directory, gone = tmp_path / "store", tmp_path / "gone"
    directory.mkdir()
    lock = LogLock(directory)
    with lock.held(None):
        pass
    directory.rename(gone)
    directory.mkdir()

    with lock.held(None):
        other = os.open(directory, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(other)
        old = os.open(gone, os.O_RDONLY)
        fcntl.flock(old, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(old)
    lock.close()


def test_a_directory_that_cannot_be_examined_is_a_typed_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = LogLock(tmp_path)

    def fail(_path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", fail)

    with pytest.raises(LogError), lock.held(None):
        pass
    monkeypatch.undo()
    lock.close()


def test_a_missing_directory_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(LogError) as raised, LogLock(tmp_path / "none").held(0.01):
        pass

    assert raised.value.fix == "run `hooks doctor`"
