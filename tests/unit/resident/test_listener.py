"""Connections become deliveries; none is dropped, and none holds up the others."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.resident.listener import Listener, WaitingDelivery, bind_socket
from hooklore.resident.wire import encode_frame


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    folder.chmod(0o700)
    return folder / "x.sock"


@pytest.fixture
def listener(path: Path) -> Iterator[Listener]:
    listening = bind_socket(path)
    found = Listener(listening)
    yield found
    _close(found, listening)


def _close(listener: Listener, listening: socket.socket) -> None:
    for connection in (*listener._incoming, listening):
        connection.close()


@pytest.fixture
def clients() -> Iterator[list[socket.socket]]:
    opened: list[socket.socket] = []
    yield opened
    for client in opened:
        client.close()


def _connect(path: Path, clients: list[socket.socket]) -> socket.socket:
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    clients.append(client)
    client.settimeout(60)
    client.connect(str(path))
    return client


def _frame(number: int) -> bytes:
    return encode_frame(Delivery("claude", "Stop", f"{number:032x}", b"x" * number))


def _all(listener: Listener, most: int, count: int) -> list[WaitingDelivery]:
    found: list[WaitingDelivery] = []
    while len(found) < count:
        taken = listener.take(most, 60.0)
        assert taken
        assert len(taken) <= most
        found += taken
    return found


@pytest.mark.parametrize("count", [1, 63, 64, 65, 66, 129, 200])
def test_no_delivery_is_dropped_however_many_wait(
    listener: Listener, path: Path, clients: list[socket.socket], count: int
) -> None:
    for number in range(count):
        _connect(path, clients).sendall(_frame(number))

    found = _all(listener, 64, count)

    assert sorted(r.delivery.id for r in found) == [f"{n:032x}" for n in range(count)]
    for waiting in found:
        assert waiting.reply(DeliveryResult("stored"))
        waiting.connection.close()
    assert all(client.recv(100) == b"stored 0\n" for client in clients)


def test_a_slow_client_holds_nobody_up(
    listener: Listener, path: Path, clients: list[socket.socket]
) -> None:
    slow = _connect(path, clients)
    slow.sendall(_frame(9)[:-3])
    _connect(path, clients).sendall(_frame(1))

    first = _all(listener, 64, 1)
    slow.sendall(b"xxx")
    second = _all(listener, 64, 1)

    assert [r.delivery.id for r in first + second] == [f"{n:032x}" for n in (1, 9)]
    for waiting in first + second:
        waiting.connection.close()


@pytest.mark.parametrize("raw", [b"", b"HL1 a", b"garbage\n", b"\x00" * 5000, _frame(50)[:-1]])
def test_a_client_that_breaks_off_leaves_nothing_behind(
    listener: Listener, path: Path, clients: list[socket.socket], raw: bytes
) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        broken = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        broken.connect(str(path))
        broken.sendall(raw)
        broken.close()
    _connect(path, clients).sendall(_frame(3))

    found = _all(listener, 64, 1)
    assert listener.is_quiet()

    assert [len(r.delivery.payload) for r in found] == [3]
    found[0].connection.close()
    clients[0].close()
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_an_answer_to_a_client_that_has_gone_is_not_said_to_be_given(
    listener: Listener, path: Path, clients: list[socket.socket]
) -> None:
    client = _connect(path, clients)
    client.sendall(_frame(1))
    waiting = _all(listener, 1, 1)[0]
    client.close()

    assert not waiting.reply(DeliveryResult("stored", b"context"))
    waiting.connection.close()


def test_a_directory_that_is_not_ours_alone_is_refused(path: Path) -> None:
    path.parent.chmod(0o755)

    with pytest.raises(PermissionError):
        bind_socket(path)


def test_a_dead_ones_socket_is_replaced(path: Path) -> None:
    bind_socket(path).close()

    listening = bind_socket(path)

    assert path.is_socket()
    assert path.stat().st_mode & 0o777 == 0o600
    listening.close()


# ---- connections that bring nothing


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _is_closed(client: socket.socket) -> bool:
    """Return whether the other end has closed a connection on which nothing was sent back."""
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def _waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the list of the seconds that sockets may wait for bytes, filled as they are read."""
    found: list[float] = []
    receive = socket.socket.recv

    def noted(self: socket.socket, *arguments: int) -> bytes:
        timeout = self.gettimeout()
        found.append(float("inf") if timeout is None else timeout)
        return receive(self, *arguments)

    monkeypatch.setattr(socket.socket, "recv", noted)
    return found


def test_no_reading_of_a_connection_waits(
    listener: Listener,
    path: Path,
    clients: list[socket.socket],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for _ in range(5):
        _connect(path, clients)
    _connect(path, clients).sendall(_frame(9)[:-3])
    _connect(path, clients).sendall(_frame(1))
    waits = _waits(monkeypatch)

    found = _all(listener, 64, 1)

    assert waits
    assert set(waits) == {0.0}
    found[0].connection.close()


def test_bytes_that_make_no_delivery_do_not_put_off_one_that_is_there(
    listener: Listener, path: Path, clients: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is read, another byte of the slow connection is there at once."""
    slow = _connect(path, clients)
    slow.sendall(b"HL1")
    assert listener.take(64, 0.0) == []
    _connect(path, clients).sendall(_frame(1))
    receive = socket.socket.recv

    def dribble(self: socket.socket, *arguments: int) -> bytes:
        part = receive(self, *arguments)
        slow.sendall(b" ")
        return part

    monkeypatch.setattr(socket.socket, "recv", dribble)

    found = listener.take(64, 60.0)

    assert [r.delivery.id for r in found] == [f"{1:032x}"]
    found[0].connection.close()


def test_a_connection_that_dribbles_is_closed(
    listener: Listener, path: Path, clients: list[socket.socket]
) -> None:
    slow = _connect(path, clients)
    frame = _frame(5000)
    sent = 0
    for at in range(len(frame)):
        try:
            slow.sendall(frame[at : at + 1])
        except BrokenPipeError:
            break
        sent += 1
        assert listener.take(64, 0.0) == []

    assert sent < 1000
    assert _is_closed(slow)


def test_a_connection_that_brings_nothing_in_ten_seconds_is_closed(
    path: Path, clients: list[socket.socket]
) -> None:
    clock = Clock()
    listening = bind_socket(path)
    listener = Listener(listening, now=clock)
    early = [_connect(path, clients) for _ in range(3)]
    early[2].sendall(b"HL1 claude")
    listener.take(64, 0.0)
    clock.now += 9.0
    late = _connect(path, clients)
    listener.take(64, 0.0)
    are_closed_early = [_is_closed(each) for each in early]

    clock.now += 1.5
    listener.take(64, 0.0)

    are_closed = [_is_closed(each) for each in (*early, late)]
    _close(listener, listening)
    assert are_closed_early == [False] * 3
    assert are_closed == [True, True, True, False]


def test_open_connections_are_bounded_and_the_oldest_goes_first(
    listener: Listener, path: Path, clients: list[socket.socket]
) -> None:
    idle = [_connect(path, clients) for _ in range(300)]
    while len(listener._incoming) < 256:
        listener.take(64, 0.0)
    listener.take(64, 0.0)
    _connect(path, clients).sendall(_frame(1))

    found = _all(listener, 64, 1)

    assert len(listener._incoming) == 256
    assert _is_closed(idle[0])
    assert not _is_closed(idle[-1])
    found[0].connection.close()


def test_buffered_bytes_are_bounded_and_the_largest_goes_first(
    listener: Listener, path: Path, clients: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hooklore.resident.listener._MOST_BUFFERED", 100_000)
    frame = _frame(90_000)
    large, small = _connect(path, clients), _connect(path, clients)
    large.sendall(frame[:-1])
    small.sendall(frame[:60_000])

    listener.take(64, 0.0)

    assert _is_closed(large)
    assert not _is_closed(small)


@pytest.mark.parametrize(("facts", "payload"), [(1 << 21, 0), (0, (1 << 24) + 1)])
def test_a_delivery_that_is_larger_than_a_client_sends_is_refused(
    listener: Listener, path: Path, clients: list[socket.socket], facts: int, payload: int
) -> None:
    client = _connect(path, clients)
    client.sendall(b"HL1 claude Stop %s %d %d\n" % (b"0" * 32, facts, payload))

    listener.take(64, 0.0)

    assert _is_closed(client)
