"""Base64 and hexadecimal digits of short readable texts, decoded once."""

import base64
import binascii
from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Pattern

_PIECE = Pattern(
    r"[A-Za-z0-9]{20}[A-Za-z0-9+/_-]*={0,2}|(?:[0-9a-fA-F]{2}[ ]){8}(?:[0-9a-fA-F]{2}[ ])*[0-9a-fA-F]{2}"
)
_LONGEST = 4096
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_HEX = b"0123456789abcdefABCDEF "
_SIGNS = b"=:@"
_FIRST_OF_FOUR = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"
"""The digits of base64 that begin three bytes of ASCII text."""


def decoded_pieces(raw: bytes) -> Iterator[tuple[ByteSpan, bytes]]:
    """Yield the span and the text of each encoded piece that is readable and may hold a name with a value."""
    for ((first, last),) in _PIECE.each(raw, 0, len(raw)):
        decoded = _decoded(raw, first, last) if last - first <= _LONGEST else None
        if decoded is not None:
            yield (first, last), decoded


def _decoded(raw: bytes, first: int, last: int) -> bytes | None:
    """Return what the piece says, or None if its beginning is not readable."""
    head = raw[first : min(last, first + 24)]
    is_hex = not head.translate(None, _HEX)
    if not is_hex and head[:20:4].translate(None, _FIRST_OF_FOUR):
        return None
    for decode in (_from_hex,) if is_hex else (_from_base64,):
        start = decode(head)
        if start and not start.translate(None, _PRINTABLE):
            text = decode(raw[first:last])
            if text and not text.translate(None, _PRINTABLE) and any(s in text for s in _SIGNS):
                return text
    return None


def _from_hex(piece: bytes) -> bytes | None:
    if piece.translate(None, _HEX):
        return None
    digits = piece.replace(b" ", b"")
    try:
        return binascii.unhexlify(digits[: len(digits) // 2 * 2])
    except ValueError:
        return None


def _from_base64(piece: bytes) -> bytes | None:
    body = piece.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return base64.b64decode(body + b"=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return None
