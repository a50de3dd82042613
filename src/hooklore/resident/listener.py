"""The resident's socket, which turns connections into deliveries."""

import contextlib
import os
import selectors
import socket
import struct
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.resident.wire import FrameBuffer, InvalidFrame, encode_answer

_BACKLOG = 1024
_SEND_SECONDS = 0.2


@dataclass(slots=True)
class Request:
    """A delivery, and the connection for its answer."""

    delivery: Delivery
    connection: socket.socket

    def reply(self, answer: DeliveryResult) -> bool:
        """Send the answer and close the connection. Return whether the socket was still open."""
        try:
            self.connection.sendall(encode_answer(answer))
        except OSError:
            return False
        finally:
            self.connection.close()
        return True


def bind_socket(path: Path) -> socket.socket:
    """Return the listening socket at `path`. The caller holds the start lock, so an old file is a leftover."""
    directory = path.parent
    with contextlib.suppress(FileExistsError):
        os.mkdir(directory, 0o700)
    found = os.lstat(directory)
    if found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(1, f"{directory} is not ours alone")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(str(path))
    os.chmod(path, 0o600)
    listening.listen(_BACKLOG)
    return listening


class Listener:
    """Accepts connections, reads frames, and holds whole deliveries until they are taken.

    The listener has no thread of its own: a hand-over between threads took twice as long as reading a
    delivery. Before the first `take`, and while requests are served, clients wait in the socket's backlog.
    """

    def __init__(self, listening: socket.socket, served_uid: int | None = None) -> None:
        """Listen for processes of the user `served_uid`, by default this user."""
        self._uid = os.getuid() if served_uid is None else served_uid
        self._listening = listening
        self._listening.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._incoming: dict[socket.socket, FrameBuffer] = {}
        self._requests: deque[Request] = deque()

    def take(self, most: int, seconds: float) -> list[Request]:
        """Return at most `most` requests, after a wait of at most `seconds` for the first."""
        if not self._requests:
            self._poll(seconds)
        while 0 < len(self._requests) < most and self._poll(0.0):
            continue
        return [self._requests.popleft() for _ in range(min(most, len(self._requests)))]

    def is_quiet(self) -> bool:
        """Return whether no request is waiting."""
        self._poll(0.0)
        return not self._requests

    def _poll(self, seconds: float) -> bool:
        """Read from all ready connections after a wait of at most `seconds`, and return whether there were any."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fileobj is self._listening:
                self._accept()
            elif isinstance(key.fileobj, socket.socket):
                self._read_on(key.fileobj)
        return bool(ready)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            if not _is_of(self._uid, connection):
                connection.close()
                continue
            connection.settimeout(_SEND_SECONDS)
            incoming = FrameBuffer(bytearray())
            if self._read(
                connection, incoming
            ):  # seldom: a client sends everything as soon as it is connected
                self._incoming[connection] = incoming
                self._selector.register(connection, selectors.EVENT_READ)

    def _read_on(self, connection: socket.socket) -> None:
        if not self._read(connection, self._incoming[connection]):
            self._selector.unregister(connection)
            del self._incoming[connection]

    def _read(self, connection: socket.socket, incoming: FrameBuffer) -> bool:
        """Read available bytes, and return whether more are expected. A connection brings one delivery."""
        try:
            part = connection.recv(1 << 20, socket.MSG_DONTWAIT)
            delivery = incoming.feed(part) if part else None
        except BlockingIOError:
            return True
        except (OSError, InvalidFrame):
            part, delivery = b"", None
        if delivery is not None:
            self._requests.append(Request(delivery, connection))
        elif not part:
            connection.close()
        return delivery is None and bool(part)


def _is_of(uid: int, connection: socket.socket) -> bool:
    """Return whether the peer is a process of that user, which the directory's mode also ensures."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", raw)[1]) == uid
