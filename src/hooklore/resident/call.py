"""Requests to a running resident from the command line."""

import fcntl
import os
import socket
import time
from typing import Any

import orjson

from hooklore.config import StoreLocation, is_squatted
from hooklore.errors import ResidentUnreachable
from hooklore.hooks.delivery import Delivery
from hooklore.resident.listener import peer_of
from hooklore.resident.wire import CONTROL, encode_frame, socket_address

_SECONDS = 5.0


class _NotAnswered(ResidentUnreachable):
    """The resident ended the connection without an answer."""


def request_status(place: StoreLocation) -> dict[str, Any] | None:
    """Return the resident's status, or None if none runs. Raise `ResidentUnreachable` if it hangs."""
    return _ask(place, "Status")


def stop_resident(place: StoreLocation, seconds: float = 30.0) -> bool:
    """Stop the resident and wait for its end. Return False if none runs.

    Raise `ResidentUnreachable` if the resident hangs, or runs on after `seconds`.
    """
    end = time.monotonic() + seconds
    is_there = False
    status = None
    while status is None:
        try:
            status = _ask(place, "Stop")
        except _NotAnswered:
            is_there = True
        # One that starts, leaves or executes itself anew does not listen, or ends what it has not read.
        if status is None and not _serves(place):
            return is_there
        if status is None:
            is_there = True
            _wait_until(end, place, "it does not answer")
    while _serves(place):
        _wait_until(end, place, f"pid {status['pid']} does not leave")
    return True


def _wait_until(end: float, place: StoreLocation, cause: str) -> None:
    """Wait a moment. Raise ResidentUnreachable once it is later than `end`."""
    if time.monotonic() > end:
        raise ResidentUnreachable(str(place.socket), cause)
    time.sleep(0.01)


def send_delivery(
    place: StoreLocation, delivery: Delivery, *, seconds: float = _SECONDS
) -> tuple[str, bytes] | None:
    """Return (status, output) of a delivery, or None if no resident runs.

    Raise `ResidentUnreachable` if the resident does not answer within `seconds`.
    """
    return _exchange(place, encode_frame(delivery), seconds)


def _ask(place: StoreLocation, event: str) -> dict[str, Any] | None:
    found = _exchange(place, encode_frame(Delivery(CONTROL, event, os.urandom(16).hex(), b"")))
    return None if found is None else orjson.loads(found[1])


def _exchange(
    place: StoreLocation, frame: bytes, seconds: float = _SECONDS
) -> tuple[str, bytes] | None:
    directory = place.socket.parent
    if is_squatted(directory):
        raise ResidentUnreachable(str(place.socket), f"`{directory}` is not yours alone")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(seconds)
    with connection:
        try:
            with socket_address(place.socket) as address:
                connection.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except OSError as error:
            raise ResidentUnreachable(str(place.socket), str(error)) from None
        if peer_of(os.getuid(), connection) is None:
            raise ResidentUnreachable(str(place.socket), "another user listens there")
        try:
            connection.sendall(frame)
            return _answer(connection)
        except (ConnectionResetError, BrokenPipeError) as error:
            raise _NotAnswered(str(place.socket), str(error)) from None
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


def _serves(place: StoreLocation) -> bool:
    """Return whether a resident holds the start lock. A pid would not do, because a zombie has one."""
    try:
        fd = os.open(place.socket.with_suffix(".lock"), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False
