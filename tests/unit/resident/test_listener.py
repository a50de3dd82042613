"""Connections become deliveries; none is dropped, and none holds up the others."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.resident.listener import Listener, Request, bind_socket
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
    yield Listener(listening)
    listening.close()


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


def _all(listener: Listener, most: int, count: int) -> list[Request]:
    found: list[Request] = []
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
    for request in found:
        assert request.reply(DeliveryResult("stored"))
        request.connection.close()
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
    for request in first + second:
        request.connection.close()


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
    request = _all(listener, 1, 1)[0]
    client.close()

    assert not request.reply(DeliveryResult("stored", b"context"))
    request.connection.close()


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
