"""HL1: what goes in comes out, whatever the cuts; what is no frame is refused."""

import pytest

from hooklore.hooks.delivery import Delivery, DeliveryResult
from hooklore.resident.wire import FrameBuffer, InvalidFrame, encode_answer, encode_frame

_DELIVERY = Delivery(
    "claude",
    "PreToolUse",
    "0a" * 16,
    b'{"prompt": "\xe8\xa8\x98\xe6\x86\xb6\n\x00"}',
    {"CLAUDE_PROJECT_DIR": "/home/me/\u8a18", "HOOKLORE_DEPTH": ""},
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_a_frame_comes_whole_however_it_is_cut(size: int) -> None:
    frame, incoming = encode_frame(_DELIVERY), FrameBuffer(bytearray())

    found = [incoming.feed(frame[at : at + size]) for at in range(0, len(frame), size)]

    assert found[-1] == _DELIVERY
    assert set(found[:-1]) <= {None} if len(found) > 1 else True


@pytest.mark.parametrize("payload", [b"", b"\n", b"HL1 a b c 0 0\n", bytes(range(256)) * 4096])
def test_a_payload_is_bytes_and_nothing_else(payload: bytes) -> None:
    delivery = Delivery("a", "b", "c", payload)

    assert FrameBuffer(bytearray()).feed(encode_frame(delivery)) == delivery


@pytest.mark.parametrize(
    "raw",
    [
        b"\n", b"HL2 a b c 0 0\n", b"HL1 a b c 0\n", b"HL1 a b c 0 0 0\n", b"HL1 a b c x 0\n",
        b"HL1 a b c -1 0\n", b"HL1 a b c 0 99999999999\n", b"x" * 600, b"GET / HTTP/1.1\r\n\r\n",
        b"\x00" * 600,
    ],
)  # fmt: skip
def test_what_is_no_frame_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidFrame):
        FrameBuffer(bytearray()).feed(raw)


@pytest.mark.parametrize("facts", [b"", b"\0\0", b"A", b"A=1\0B", b"=\xff\0\xff=1"])
def test_odd_facts_are_taken_as_they_are(facts: bytes) -> None:
    raw = b"HL1 a b c %d 0\n" % len(facts) + facts

    found = FrameBuffer(bytearray()).feed(raw)

    assert found is not None
    assert all(isinstance(value, str) for pair in found.facts.items() for value in pair)


def test_an_answer_states_its_length() -> None:
    assert encode_answer(DeliveryResult("stored", "記".encode())) == b"stored 3\n\xe8\xa8\x98"
