"""The resident's socket, which turns connections into deliveries."""

import contextlib
import functools
import os
import resource
import selectors
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from hooklore.agents.ancestry import find_process, tells_of_processes
from hooklore.agents.registry import known_agents
from hooklore.config import is_private_directory, make_private_directory
from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.resident.connection import Connection, ConnectionLost
from hooklore.resident.wire import encode_answer, socket_address

_BACKLOG = 1024
_ACCEPTED_AT_ONCE = 64
_MOST_SECONDS = 10.0
"""Seconds in which a connection must bring its delivery. A client that is cut off tries again."""

_MOST_BUFFERED = 64 * 1024 * 1024
"""Bytes of all deliveries that are not whole."""

_MOST_CONNECTIONS = 256
_WORD_SECONDS = 5.0
"""Seconds in which a client must say that it has printed its answer."""

_TWIN_SECONDS = 0.05
"""Seconds that a prompt whose hook has ended waits for the same one from the process that hands it in again."""

_WORD = b"\x06"
_ANSWER_BYTES = 256 * 1024


@dataclass(slots=True)
class WaitingDelivery:
    """A delivery, and the connection for its answer."""

    delivery: Delivery
    connection: socket.socket

    def reply(self, answer: DeliveryResult) -> bool:
        """Send the answer and close the connection. Return whether the socket took all of the answer."""
        try:
            return self.send(answer)
        finally:
            self.connection.close()

    def reply_slowly(self, answer: DeliveryResult) -> None:
        """Send a long answer as fast as its reader takes it, for some seconds, and close the connection."""
        self.connection.settimeout(_WORD_SECONDS)
        with self.connection, contextlib.suppress(OSError):
            self.connection.sendall(encode_answer(answer))

    def send(self, answer: DeliveryResult) -> bool:
        """Send the answer. Return whether the socket took all of it."""
        raw = encode_answer(answer)
        try:
            return self.connection.send(raw) == len(raw)
        except OSError:
            return False


def bind_socket(path: Path) -> socket.socket:
    """Return the listening socket at `path`. The caller holds the start lock, so an old file is a leftover."""
    make_private_directory(path.parent)
    if not is_private_directory(path.parent):
        raise PermissionError(1, f"{path.parent} is not ours alone")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with socket_address(path) as address:
        listening.bind(address)
        os.chmod(address, 0o600)
    listening.listen(_BACKLOG)
    return listening


class Listener:
    """Accepts connections, reads frames, and holds whole deliveries until they are taken.

    Only a connection that has bytes is read, so that idle ones and slow ones hold up nobody. The listener
    has no thread of its own: a hand-over between threads took twice as long as reading a delivery. Before
    the first `take`, and while deliveries are served, clients wait in the socket's backlog.
    """

    def __init__(
        self,
        listening: socket.socket,
        served_uid: int | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Listen for processes of the user `served_uid`, by default this user."""
        self._uid = os.getuid() if served_uid is None else served_uid
        self._now = now
        self._most = min(_MOST_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 4)
        self._listening = listening
        self._listening.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._incoming: dict[socket.socket, Connection] = {}
        self._waiting: deque[WaitingDelivery] = deque()
        self._answered: dict[socket.socket, tuple[float, Callable[[bool], None]]] = {}
        self._heard = 0

    def fileno(self) -> int:
        """Return the descriptor of the listening socket."""
        return self._listening.fileno()

    def take(self, most: int, seconds: float) -> list[WaitingDelivery]:
        """Return at most `most` deliveries, after a wait of at most `seconds` for the first.

        The wait ends as well when a client has said whether its answer arrived.
        """
        end, heard = time.monotonic() + seconds, self._heard
        left = seconds
        while not self._waiting and self._heard == heard and left >= 0:
            self._poll(left)
            left = end - time.monotonic()
        while 0 < (before := len(self._waiting)) < most:
            self._poll(0.0)
            if (
                len(self._waiting) == before
            ):  # bytes of an unfinished one do not count: they may dribble
                break
        if any(map(_lost_its_sender, self._waiting)):
            # A prompt whose hook has ended stands behind the same one from the process that hands it in again.
            # That one is on its way when the first hook gives up. Only a process that lives tells who started it.
            self._poll(_TWIN_SECONDS)
            self._waiting = deque(sorted(self._waiting, key=_lost_its_sender))
        return [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]

    def is_quiet(self) -> bool:
        """Return whether no delivery is waiting."""
        self._poll(0.0)
        return not self._waiting

    @property
    def is_busy(self) -> bool:
        """True while any connection is open."""
        return bool(self._incoming or self._answered or self._waiting)

    @property
    def awaits_word(self) -> bool:
        """True while a client has still to say that it has printed its answer."""
        return bool(self._answered)

    def hear_words(self, seconds: float) -> None:
        """Wait for clients that have still to say that they have printed their answers, for at most `seconds`."""
        end = time.monotonic() + seconds
        while self._answered and (left := end - time.monotonic()) > 0:
            self._poll(left)

    def turn_away(self, deliveries: Iterable[WaitingDelivery]) -> None:
        """End the connections of these and of all that wait, unless they have an answer."""
        for waiting in (*deliveries, *self._waiting):
            if waiting.connection not in self._answered:
                waiting.connection.close()

    def reply_and_wait(
        self, waiting: WaitingDelivery, answer: DeliveryResult, settle: Callable[[bool], None]
    ) -> None:
        """Send the answer, and call `settle` with True when the client says that it has printed the answer.

        `settle` is called with False when the client ends without a word, or says none in time.
        """
        if not waiting.send(answer):
            waiting.connection.close()
            settle(False)
            return
        self._answered[waiting.connection] = (self._now(), settle)
        self._selector.register(waiting.connection, selectors.EVENT_READ)

    def _hear(self, connection: socket.socket) -> None:
        try:
            word = connection.recv(1)
        except BlockingIOError:
            return
        except OSError:
            word = b""
        self._end_wait(connection, has_arrived=word == _WORD)

    def _end_wait(self, connection: socket.socket, *, has_arrived: bool) -> None:
        _, settle = self._answered.pop(connection)
        self._selector.unregister(connection)
        connection.close()
        self._heard += 1
        settle(has_arrived)

    def _poll(self, seconds: float) -> None:
        """Read from all ready connections after a wait of at most `seconds`."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._listening:
                self._accept()
            elif isinstance(key.fileobj, socket.socket) and key.fileobj in self._incoming:
                self._read_on(self._incoming[key.fileobj])
            elif isinstance(key.fileobj, socket.socket) and key.fileobj in self._answered:
                self._hear(key.fileobj)
        self._drop_overdue()

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                peer, _ = self._listening.accept()
            except OSError:
                return
            process = peer_of(self._uid, peer)
            if process is None:
                peer.close()
                continue
            if (
                sys.platform == "darwin"
            ):  # room for a whole answer; Linux has it for 200 KB by itself
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ANSWER_BYTES)
            self._begin(Connection(peer, self._now(), process))

    def _begin(self, connection: Connection) -> None:
        """Read a new connection, and keep it when it has not sent all: seldom, because a client sends at once."""
        try:
            delivery = connection.read()
        except ConnectionLost:
            connection.peer.close()
            return
        if delivery is not None:
            self._waiting.append(WaitingDelivery(delivery, connection.peer))
            return
        if len(self._incoming) >= self._most:
            self._drop(next(iter(self._incoming.values())))
        self._incoming[connection.peer] = connection
        self._selector.register(connection.peer, selectors.EVENT_READ)
        self._bound_buffers(connection)

    def _read_on(self, connection: Connection) -> None:
        try:
            delivery = connection.read()
        except ConnectionLost:
            self._drop(connection)
            return
        if delivery is not None:
            self._forget(connection)
            self._waiting.append(WaitingDelivery(delivery, connection.peer))
        else:
            self._bound_buffers(connection)

    def _bound_buffers(self, grown: Connection) -> None:
        """Drop the connection that has most bytes, while all together have too many after `grown` got some."""
        if grown.buffered < _MOST_BUFFERED // _MOST_CONNECTIONS:
            return
        while sum(each.buffered for each in self._incoming.values()) > _MOST_BUFFERED:
            self._drop(max(self._incoming.values(), key=lambda each: each.buffered))

    def _drop_overdue(self) -> None:
        while self._answered:
            waiting, (since, _) = next(iter(self._answered.items()))
            if self._now() - since < _WORD_SECONDS:
                break
            self._end_wait(waiting, has_arrived=False)
        while self._incoming:
            oldest = next(iter(self._incoming.values()))
            if self._now() - oldest.since < _MOST_SECONDS:
                return
            self._drop(oldest)

    def _forget(self, connection: Connection) -> None:
        self._selector.unregister(connection.peer)
        del self._incoming[connection.peer]

    def _drop(self, connection: Connection) -> None:
        """Close a connection. Its client, if it is one of ours, connects again."""
        self._forget(connection)
        connection.peer.close()


@functools.cache
def _prompts() -> frozenset[str]:
    """Return the agents' names for the event of a prompt."""
    return frozenset(name for agent in known_agents() for name in agent.wire_events("prompt"))


def _lost_its_sender(waiting: WaitingDelivery) -> bool:
    """Return whether a prompt waited for so long that the process which sent it has ended."""
    delivery = waiting.delivery
    if delivery.event not in _prompts() or not delivery.process:
        return False
    return tells_of_processes() and find_process(delivery.process) is None


def peer_of(uid: int, connection: socket.socket) -> int | None:
    """Return the peer's process; 0 where the system does not tell, None for a process of another user.

    The directory's mode also ensures whose process it is.
    """
    if not hasattr(socket, "SO_PEERCRED"):
        return 0
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    process, owner, _ = struct.unpack("3i", raw)
    return int(process) if owner == uid else None
