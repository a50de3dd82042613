"""The client, in process."""

import os
import posix
import signal
import socket
import stat
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.resident import client, once
from tests.support.client_trouble import client_trouble


def test_a_deadline_that_strikes_before_the_wait_has_begun_strikes_again() -> None:
    call = client._Call("Stop", "claude", b"/store", time.monotonic() + 60.0)
    earlier = signal.getitimer(signal.ITIMER_REAL)
    try:
        call.arm()
        armed = signal.getitimer(signal.ITIMER_REAL)
        call.disarm()
        disarmed = signal.getitimer(signal.ITIMER_REAL)
    finally:
        signal.setitimer(signal.ITIMER_REAL, *earlier)

    assert armed[1] > 0
    assert disarmed == (0.0, 0.0)


def test_the_client_and_its_process_mean_the_same_status_by_no_spool() -> None:
    assert client_trouble._NO_SPOOL == once.NO_SPOOL


def test_a_deadline_that_is_swallowed_by_a_callback_strikes_again() -> None:
    call = client._Call("Stop", "claude", b"/store", time.monotonic() - 60.0)
    earlier = signal.signal(signal.SIGALRM, client._late)
    unraised: list[object] = []
    try:
        call.arm()
        _swallow(unraised)
        began = time.monotonic()
        with pytest.raises(client._Late):
            time.sleep(5.0)
    finally:
        call.disarm()
        signal.signal(signal.SIGALRM, earlier)

    assert unraised == [client._Late]
    assert time.monotonic() - began < 3.0


def _swallow(unraised: list[object]) -> None:
    """Wait for the alarm in a callback of a weak reference, as the import of a module does."""

    class Module:
        pass

    hook, sys.unraisablehook = sys.unraisablehook, lambda found: unraised.append(found.exc_type)
    module = Module()
    reference = weakref.ref(module, lambda _reference: time.sleep(5.0))
    try:
        del module
    finally:
        sys.unraisablehook = hook
    assert reference() is None


def test_hooks_that_make_the_sockets_directory_at_once_all_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = posix.mkdir

    def beaten(path: bytes, mode: int) -> None:
        make(path, mode)  # another hook, between the look and the making
        make(path, mode)

    monkeypatch.setattr(posix, "mkdir", beaten)
    call = client._Call("Stop", "claude", b"/store", 0.0)
    call.directory = os.fsencode(tmp_path / "run")

    call._check_directory()

    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700


@pytest.fixture
def call(tmp_path: Path) -> client._Call:
    """A call whose socket's folder is below `tmp_path`, with a socket that somebody listens on."""
    found = client._Call("UserPromptSubmit", "claude", b"/store", 0.0)
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    found.directory = os.fsencode(folder)
    found.base = found.directory + b"/x"
    return found


@pytest.fixture
def listening(call: client._Call) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as found:
        found.bind(call.base + b".sock")
        found.listen()
        found.setblocking(False)
        yield found


def reached(listening: socket.socket) -> bool:
    """Return whether somebody connected."""
    try:
        listening.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def test_a_folder_of_ones_own_is_used(call: client._Call, listening: socket.socket) -> None:
    connection = call.connect()

    assert connection is not None
    connection.close()
    assert reached(listening)


@pytest.mark.parametrize("mode", [0o701, 0o710, 0o704, 0o740, 0o702, 0o720, 0o755, 0o777, 0o1777])
def test_a_folder_that_others_may_enter_is_not_used(
    call: client._Call, listening: socket.socket, mode: int
) -> None:
    os.chmod(call.directory, mode)

    with pytest.raises(client._Unsafe):
        call.connect()

    assert not reached(listening)


def test_a_folder_of_another_user_is_not_used(
    call: client._Call, listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = os.getuid()
    monkeypatch.setattr(posix, "getuid", lambda: owner + 1)

    with pytest.raises(client._Unsafe):
        call.connect()

    assert not reached(listening)


def test_a_link_to_a_folder_is_not_used(
    call: client._Call, listening: socket.socket, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "run")
    call.directory = os.fsencode(tmp_path / "link")

    with pytest.raises(client._Unsafe):
        call.connect()

    assert not reached(listening)


def test_a_client_that_missed_its_deadline_asks_less_and_less_often(
    call: client._Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(client_trouble, "start_resident", lambda _call: None)
    monkeypatch.setattr(client_trouble, "_run", lambda _call, how: 0 if how == b"--spool" else 1)
    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(pauses))

    def connect() -> None:
        if sum(pauses) > 4.0:
            raise OSError(5, "enough")

    monkeypatch.setattr(call, "connect", connect)
    earlier = signal.getsignal(signal.SIGALRM)
    try:
        client_trouble._hand_in_patiently(call)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)

    assert pauses[:8] == [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.0, 1.0]
    assert max(pauses) == 1.0


@pytest.mark.parametrize("is_late", [False, True])
def test_a_client_says_that_it_acknowledges_or_that_its_hook_has_ended(
    call: client._Call, is_late: bool
) -> None:
    call.is_late = is_late

    frame = call._frame()

    assert (b"ACK=1" in frame, b"LATE=1" in frame) == (not is_late, is_late)
