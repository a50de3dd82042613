"""Base64, base32, hexadecimal digits and percent signs of short readable texts, decoded once."""

import base64
import binascii
import re
from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Pattern
from hooklore.redaction.rules.vendor_tokens import holds_token

_PIECE = Pattern(
    r"\b(?:(?:[A-Za-f][A-Za-z0-9+/_-]{3}){5}[A-Za-z0-9+/_-]*={0,2}|(?:[2-7][0-9A-Fa-f]){10}[0-9A-Fa-f]*"
    r"|[A-Z2-7]{24}[A-Z2-7]*={0,6}|(?:[2-7][0-9A-Fa-f][ ]){8}(?:[2-7][0-9A-Fa-f][ ])*[2-7][0-9A-Fa-f])"
)
_ESCAPED = Pattern(r"[\w.=&+-]*%(?:25)?[2-7][0-9A-Fa-f][\w.=&%+~-]{8}[\w.=&%+~-]*")
"""A word with percent signs. In one pattern with the pieces each would multiply the other's states."""

_LONGEST = 4096
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_HEX = b"0123456789abcdefABCDEF "
_BASE32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567="
_SIGNS = b"=:@"


def decoded_pieces(raw: bytes) -> Iterator[tuple[ByteSpan, bytes]]:
    """Yield the span and the text of each encoded piece that is readable and may hold a secret."""
    for pattern in (_PIECE, _ESCAPED) if b"%" in raw else (_PIECE,):
        for ((first, last),) in pattern.each(raw, 0, len(raw)):
            decoded = _decoded(raw, first, last) if last - first <= _LONGEST else None
            if decoded is not None:
                yield (first, last), decoded


def _decoded(raw: bytes, first: int, last: int) -> bytes | None:
    """Return what the piece says, or None if its beginning is not readable."""
    head = raw[first : min(last, first + 24)]
    if b"%" in raw[first:last]:
        said = _PERCENT.sub(_character, _PERCENT.sub(_character, raw[first:last]))
        return said if _NAMED.occurs_in(said) or holds_token(said) else None
    is_hex = not head.translate(None, _HEX)
    is_base32 = not head.translate(None, _BASE32)
    for decode in (_from_hex,) if is_hex else (_from_base32,) if is_base32 else (_from_base64,):
        start = decode(head)
        if start and not start.translate(None, _PRINTABLE):
            text = decode(raw[first:last])
            if text and not text.translate(None, _PRINTABLE) and _may_hold_secret(text):
                return text
    return None


def _may_hold_secret(text: bytes) -> bool:
    """Return whether a readable text may hold a name with a value, or holds a token with a vendor's mark."""
    return any(sign in text for sign in _SIGNS) or holds_token(text)


_NAMED = Pattern(r"(?i)(?:pass|pwd|secret|token|api_?key)[\w-]*[\"']?[=:]")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")


def _character(found: re.Match[bytes]) -> bytes:
    return bytes((int(found[1], 16),))


def _from_hex(piece: bytes) -> bytes | None:
    if piece.translate(None, _HEX):
        return None
    digits = piece.replace(b" ", b"")
    try:
        return binascii.unhexlify(digits[: len(digits) // 2 * 2])
    except ValueError:
        return None


def _from_base32(piece: bytes) -> bytes | None:
    body = piece.rstrip(b"=")
    body = body[: len(body) - (len(body) % 8 in _NO_END_OF_BASE32)]
    try:
        return base64.b32decode(body + b"=" * (-len(body) % 8))
    except binascii.Error:
        return None


_NO_END_OF_BASE32 = (1, 3, 6)
"""Numbers of characters with which no group of base32 ends (RFC 4648, section 6)."""


def _from_base64(piece: bytes) -> bytes | None:
    body = piece.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return base64.b64decode(body + b"=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return None
