"""Asking a running resident, from the command line."""

import os
import socket
import time
from typing import Any

import orjson

from hooklore.config import Place
from hooklore.errors import ResidentUnreachable
from hooklore.hooks.delivery import Delivery
from hooklore.resident.wire import CONTROL, encode_frame

_SECONDS = 5.0


def status(place: Place) -> dict[str, Any] | None:
    """What the resident says of itself; None when none runs. Raises ResidentUnreachable when it hangs."""
    return _ask(place, "Status")


def stop(place: Place, seconds: float = 30.0) -> bool:
    """Tell the resident to leave and wait until it has; False when none runs. Raises ResidentUnreachable."""
    told = _ask(place, "Stop")
    if told is None:
        return False
    end = time.monotonic() + seconds
    while _is_alive(int(told["pid"])):
        if time.monotonic() > end:
            raise ResidentUnreachable(str(place.socket), f"pid {told['pid']} does not leave")
        time.sleep(0.01)
    return True


def deliver(place: Place, delivery: Delivery) -> tuple[str, bytes] | None:
    """(status, what to print) of a delivery; None when no resident runs. Raises ResidentUnreachable."""
    return _exchange(place, encode_frame(delivery))


def _ask(place: Place, event: str) -> dict[str, Any] | None:
    found = _exchange(place, encode_frame(Delivery(CONTROL, event, os.urandom(16).hex(), b"")))
    return None if found is None else orjson.loads(found[1])


def _exchange(place: Place, frame: bytes) -> tuple[str, bytes] | None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(_SECONDS)
    with connection:
        try:
            connection.connect(str(place.socket))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except OSError as error:
            raise ResidentUnreachable(str(place.socket), str(error)) from None
        try:
            connection.sendall(frame)
            return _answer(connection)
        except OSError as error:
            raise ResidentUnreachable(str(place.socket), str(error)) from None


def _answer(connection: socket.socket) -> tuple[str, bytes]:
    received = b""
    while b"\n" not in received:
        received += _part(connection)
    header, _, body = received.partition(b"\n")
    status, _, length = header.decode().partition(" ")
    while len(body) < int(length):
        body += _part(connection)
    return status, body


def _part(connection: socket.socket) -> bytes:
    part = connection.recv(65536)
    if not part:
        raise ConnectionResetError(104, "it closed the connection")
    return part


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
