"""The line of a record: one line for any text, and none for a damaged line."""

import pytest

from hooklore.log import line as lines
from hooklore.log.line import decode_line, encode_line
from hooklore.records.record import Record

_RECORD = Record({
    "v": 1, "id": "01900000-0000-7000-8000-000000000000", "ts": "2024-06-10T00:00:00.000Z",
    "stream": "observation", "kind": "prompt", "scope": "global", "body": {"text": "hello"},
})  # fmt: skip

_ODD = {
    "NUL": "a\x00b",
    "line and paragraph separators": "a\u2028b\u2029c\u0085d",
    "CRLF": "a\r\nb\rc\nd",
    "a BOM": "\ufeffa",
    "beyond the BMP": "𠮷野家 🦊",
    "Japanese": "共有記憶は、一行である。",
    "control characters": "".join(map(chr, range(32))) + "\x7f",
    "quotes and escapes": '\\"\\\\u0000\\n',
    "our own hash": ',"hash":"00000000000000000000000000000000"}',
    "long": "x" * 3_000_000,
}


@pytest.mark.parametrize("text", _ODD.values(), ids=_ODD.keys())
def test_a_record_is_one_line_and_decodes_to_the_same_record(text: str) -> None:
    record = _RECORD.with_fields(body={"text": text, text[:50]: [text]})

    line = encode_line(record)
    found = decode_line(line[:-1])

    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert found is not None
    assert found.without("hash") == record


def test_a_line_begins_with_its_schema_version() -> None:
    assert encode_line(_RECORD).startswith(b'{"v":1,')


def test_a_flipped_bit_anywhere_is_noticed() -> None:
    line = bytearray(encode_line(_RECORD))
    named_hash = range(line.rindex(b'"hash"') + 1, line.rindex(b'"hash"') + 5)

    for place in range(len(line) - 1):
        for bit in range(8):
            flipped = line.copy()
            flipped[place] ^= 1 << bit
            found = decode_line(bytes(flipped[:-1]))
            if place in named_hash:
                # It then reads as a line of a writer that makes no hashes: the content is whole.
                found = found and Record(found.pick(*_RECORD))
                assert found in (None, _RECORD)
            else:
                assert found is None, (place, bit)


@pytest.mark.parametrize(
    "line",
    [
        b"", b" ", b"{}", b"[]", b"null", b"1", b'"v"', b"\xff\xfe", b"\x00" * 40, b'{"v":1',
        b'{"v":"1","id":"x","stream":"memory","kind":"fact","body":{}}',
        b'{"v":1,"id":7,"stream":"memory","kind":"fact","body":{}}',
        b'{"v":1,"id":"x","stream":"memory","kind":"fact","body":[]}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_line_that_is_no_record_of_ours_decodes_to_none(line: bytes) -> None:
    assert decode_line(line) is None


def test_a_line_without_a_hash_is_accepted() -> None:
    line = encode_line(_RECORD).split(b',"hash":')[0] + b"}"

    assert decode_line(line) is not None


@pytest.mark.req("EV-29")
def test_fields_that_a_reader_does_not_know_survive() -> None:
    record = _RECORD.with_fields(
        v=9, x_future={"deep": [1, {"er": None}]}, body={"text": "a", "x_body": True}
    )

    found = decode_line(encode_line(record)[:-1])

    assert found is not None
    assert found.extra("x_future") == {"deep": [1, {"er": None}]}
    assert found.body.extra("x_body") is True
    assert found.extra("v") == 9


def test_an_old_record_is_upcast_to_the_current_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "SCHEMA_VERSION", 3)
    monkeypatch.setitem(lines.UPCASTS, 1, lambda r: r | {"v": 2, "steps": "a"})
    monkeypatch.setitem(lines.UPCASTS, 2, lambda r: r | {"v": 3, "steps": r["steps"] + "b"})

    found = decode_line(encode_line(_RECORD)[:-1])

    assert found is not None
    assert (found.extra("v"), found.extra("steps")) == (3, "ab")
