"""Base64 and percent signs of short readable texts, decoded once."""

import base64
import binascii
import re
from collections.abc import Iterator

from hooklore.redaction.pattern import ByteSpan, Pattern
from hooklore.redaction.rules.vendor_tokens import holds_token

_PIECE = Pattern(r"\b(?:[A-Za-f][A-Za-z0-9+/_-]{3}){5}[A-Za-z0-9+/_-]*={0,2}")
_ESCAPED = Pattern(r"[\w.=&+-]*%(?:25)?[2-7][0-9A-Fa-f][\w.=&%+~-]{8}[\w.=&%+~-]*")
"""A word with percent signs. In one pattern with the pieces each would multiply the other's states."""

_LONGEST = 4096
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_SIGNS = b"=:@"
_NAMED = Pattern(r"(?i)(?:pass|pwd|secret|token|api_?key)[\w-]*[\"']?[=:]")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")


def decoded_pieces(raw: bytes) -> Iterator[tuple[ByteSpan, bytes]]:
    """Yield the span and the text of each encoded piece that is readable and may hold a secret."""
    for pattern, decode in ((_PIECE, _from_base64), (_ESCAPED, _from_percent)):
        for ((first, last),) in (
            pattern.each(raw, 0, len(raw)) if pattern is _PIECE or b"%" in raw else ()
        ):
            decoded = decode(raw[first:last]) if last - first <= _LONGEST else None
            if decoded is not None:
                yield (first, last), decoded


def _from_percent(piece: bytes) -> bytes | None:
    said = _PERCENT.sub(_character, _PERCENT.sub(_character, piece))
    return said if _NAMED.occurs_in(said) or holds_token(said) else None


def _character(found: re.Match[bytes]) -> bytes:
    return bytes((int(found[1], 16),))


def _from_base64(piece: bytes) -> bytes | None:
    """Return what a piece says, or None if that is not readable, or has neither a sign that assigns nor a token."""
    if (_decoded(piece[:24]) or b"\0").translate(None, _PRINTABLE):
        return None  # by its beginning, which costs less
    text = _decoded(piece)
    if not text or text.translate(None, _PRINTABLE):
        return None
    return text if any(sign in text for sign in _SIGNS) or holds_token(text) else None


def _decoded(piece: bytes) -> bytes | None:
    body = piece.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return base64.b64decode(body + b"=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return None
