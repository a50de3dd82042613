"""The frame between client and resident. HL1 never changes, and another format gets another name."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hooklore.hooks.delivery import Delivery, DeliveryResult

CONTROL = "hooklore"
"""The agent's name in a frame from our own command line: `Status`, `Stop`, `Canary`, `Get`, `Recall`."""

_HEADER_LIMIT = 512
MOST_PAYLOAD = 16 * 1024 * 1024
"""Bytes of a payload. Of a larger one a hook's client sends the beginning."""

_MOST_FACTS = 1024 * 1024


class InvalidFrame(Exception):
    """The received bytes are not a frame, and the connection is closed."""


@dataclass(slots=True)
class FrameBuffer:
    """Bytes of one connection, until they form a delivery."""

    buffer: bytearray
    need: int = 0
    header: tuple[str, str, str, int, int] | None = None

    def feed(self, part: bytes) -> Delivery | None:
        """Add bytes, and return the delivery once it is whole. Raise `InvalidFrame` for other bytes."""
        self.buffer += part
        if self.header is None and not self._read_header():
            return None
        if self.header is None or len(self.buffer) < self.need:
            return None
        return self._delivery(self.header)

    def _read_header(self) -> bool:
        end = self.buffer.find(b"\n", 0, _HEADER_LIMIT)
        if end < 0:
            if len(self.buffer) >= _HEADER_LIMIT:
                raise InvalidFrame("no header")
            return False
        parts = bytes(self.buffer[:end]).decode("utf-8", "replace").split(" ")
        if len(parts) != 6 or parts[0] != "HL1":
            raise InvalidFrame("not HL1")
        try:
            facts, payload = int(parts[4]), int(parts[5])
        except ValueError:
            raise InvalidFrame("no lengths") from None
        if not (0 <= facts <= _MOST_FACTS and 0 <= payload <= MOST_PAYLOAD):
            raise InvalidFrame("too large")
        del self.buffer[: end + 1]
        self.header = (parts[1], parts[2], parts[3], facts, payload)
        self.need = facts + payload
        return True

    def _delivery(self, header: tuple[str, str, str, int, int]) -> Delivery:
        agent, event, delivery_id, facts, payload = header
        pairs = (each.partition(b"=") for each in bytes(self.buffer[:facts]).split(b"\0") if each)
        named = {
            name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
            for name, _, value in pairs
        }
        content = bytes(self.buffer[facts : facts + payload])
        del self.buffer[: self.need]
        self.header, self.need = None, 0
        return Delivery(agent, event, delivery_id, content, named)


def encode_frame(delivery: Delivery) -> bytes:
    """Return a delivery as bytes."""
    facts = b"\0".join(f"{n}={v}".encode("utf-8", "replace") for n, v in delivery.facts.items())
    header = f"HL1 {delivery.agent} {delivery.event} {delivery.id} {len(facts)} {len(delivery.payload)}\n"
    return header.encode("utf-8", "replace") + facts + delivery.payload


def encode_answer(answer: DeliveryResult) -> bytes:
    """Return an answer as bytes: `<status> <bytes>`, a newline, the output."""
    return f"{answer.status} {len(answer.stdout)}\n".encode() + answer.stdout


_LONGEST = 100
"""Bytes of a name that Linux (107) and macOS (103) both take."""


@contextmanager
def socket_address(path: Path) -> Iterator[str]:
    """Yield a name of the socket at `path`: relative to its folder, entered meanwhile, when the path is long."""
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.chdir(path.parent)
        yield path.name
    finally:
        os.fchdir(before)
        os.close(before)
