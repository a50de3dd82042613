"""The command line asks nobody but this user's resident, in a folder of this user alone."""

import fcntl
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore import config
from hooklore.config import StoreLocation
from hooklore.errors import ResidentUnreachable
from hooklore.resident import call
from hooklore.resident.wire import socket_address


@pytest.fixture
def listening(
    store: StoreLocation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    """A socket inside a store, where it lies while a file has the name of the user's own folder."""
    shared = tmp_path / "taken"
    shared.write_bytes(b"")
    monkeypatch.setattr(config, "runtime_directory", lambda: shared)
    store.runtime.mkdir(mode=0o700, parents=True)
    with socket_address(store.socket) as address, socket.socket(socket.AF_UNIX) as found:
        found.bind(address)
        found.listen()
        found.setblocking(False)
        yield found


def was_reached(listening: socket.socket) -> bool:
    """Return whether somebody connected and sent something."""
    try:
        with listening.accept()[0] as connection:
            return bool(connection.recv(1))
    except BlockingIOError:
        return False


def test_a_folder_that_others_may_enter_is_not_asked(
    store: StoreLocation, listening: socket.socket
) -> None:
    store.runtime.chmod(0o755)

    with pytest.raises(ResidentUnreachable, match="not yours alone"):
        call.request_status(store)

    assert not was_reached(listening)


def test_a_socket_of_another_user_is_told_nothing(
    store: StoreLocation, listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "peer_of", lambda _uid, _connection: None)

    with pytest.raises(ResidentUnreachable, match="another user"):
        call.request_status(store)

    assert not was_reached(listening)


def test_a_stop_asks_again_where_the_first_question_was_not_answered(
    store: StoreLocation, listening: socket.socket
) -> None:
    listening.setblocking(True)
    lock = store.socket.with_suffix(".lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)

    def serve() -> None:
        listening.accept()[0].close()
        connection = listening.accept()[0]
        connection.recv(1 << 16)
        connection.sendall(b'stored 9\n{"pid":1}')
        connection.close()
        lock.close()

    resident = threading.Thread(target=serve)
    resident.start()
    stopped = call.stop_resident(store, seconds=30)
    resident.join(timeout=30)

    assert stopped


def test_a_stop_of_a_resident_that_leaves_unasked_is_no_error(
    store: StoreLocation, listening: socket.socket
) -> None:
    listening.setblocking(True)

    def leave() -> None:
        listening.accept()[0].close()

    resident = threading.Thread(target=leave)
    resident.start()

    assert call.stop_resident(store, seconds=30)
    resident.join(timeout=30)


def test_a_stop_waits_for_a_resident_that_does_not_listen_yet(
    store: StoreLocation, listening: socket.socket
) -> None:
    """It holds the lock while it executes itself anew: one that was missed would make its store again."""
    aside = store.socket.with_suffix(".aside")
    store.socket.rename(aside)
    lock = store.socket.with_suffix(".lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    listening.setblocking(True)

    def begin() -> None:
        aside.rename(store.socket)
        with listening.accept()[0] as connection:
            connection.recv(1 << 16)
            connection.sendall(b'stored 9\n{"pid":1}')
        lock.close()

    resident = threading.Timer(0.2, begin)
    resident.daemon = True
    resident.start()
    stopped = call.stop_resident(store, seconds=30)
    resident.join(timeout=30)

    assert stopped
    assert lock.closed
