"""One connection of a client, until its delivery is whole: never waited for, and within limits."""

import socket
from dataclasses import replace

from hooklore.hooks.delivery import Delivery
from hooklore.resident.wire import FrameBuffer, InvalidFrame

_FIRST_BYTES = 64 * 1024
"""Bytes of the first reading, which is the only one of most deliveries: a block of more is mapped for each."""

_PART_BYTES = 1 << 20
_MOST_READS = 256
_BYTES_PER_READ = 4096
"""A client sends all at once. A reading of less than this, again and again, is a connection that dribbles."""


class ConnectionLost(Exception):
    """The connection brings no delivery: it ended, broke off, dribbles, or sends another format."""


class Connection:
    """A connection that has not brought its delivery yet. `since` is when it was accepted, `process` the peer's."""

    def __init__(self, peer: socket.socket, since: float, process: int = 0) -> None:
        # With a timeout instead, Python would wait for bytes before each `recv`.
        peer.setblocking(False)
        self.peer = peer
        self.since = since
        self._process = process
        self._frame = FrameBuffer(bytearray())
        self._reads = 0

    @property
    def buffered(self) -> int:
        """Bytes that wait for the others of their delivery."""
        return len(self._frame.buffer)

    def read(self) -> Delivery | None:
        """Return the delivery once it is whole, and None while bytes are missing. Raise `ConnectionLost`."""
        try:
            part = self.peer.recv(_PART_BYTES if self._reads else _FIRST_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            raise ConnectionLost from None
        self._reads += 1
        if not part or self._reads > _MOST_READS + self._frame.need // _BYTES_PER_READ:
            raise ConnectionLost
        try:
            delivery = self._frame.feed(part)
        except InvalidFrame:
            raise ConnectionLost from None
        return replace(delivery, process=self._process) if delivery else None
