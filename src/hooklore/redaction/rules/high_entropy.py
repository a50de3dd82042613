"""Bare tokens: long random text that neither a name nor a vendor's prefix identifies."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    LETTERS,
    is_high_entropy,
    remove_bytes,
)
from hooklore.redaction.rules.drawn_words import find_drawn_words

_SHORTEST, _LONGEST = 30, 128
"""Lengths of a token. Service ids have up to 28 random characters behind their prefix. A run beyond the
second length is a picture, a font or a program."""

_RUN = Pattern(r"[A-Za-z0-9_+/-]{30,}={0,2}")
_MAILGUN = Pattern(r"(?:^|[^0-9a-f-])([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?:$|[^0-9a-f-])")
"""A key of Mailgun's, which has no letters of the other case."""

_MAILGUN_LENGTH = 50
_PREFIX = Pattern(r"^[A-Za-z][a-z]{0,11}[_-]")
_PUBLIC = Pattern(
    r"^(?:(?i:sha-?\d+|md5|blake\w+|h1|nonce|sum)[-_]|pk_(?:live|test)_|sb_publishable_|phc_|sq0idp-|Ag[A-D][A-Za-z0-9+/]{60}|_Z|_R[A-Z]|RW[QRST]|MI[IGH]|MFk|MCow|AAAA[A-Z]\w?Nza|AAAA"
    r"|iVBOR|R0lGOD|/9j/|UklGR|d09G|AAEAAAA|JVBER|UEsD|H4sI|AGFzbQ|T2dnUw|Qm[1-9A-Za-z]{44}$)"
)
"""Digests with their name, publishable keys, mangled symbols, certificates, public keys, pictures, other files."""

_PUBLIC_LABEL = Pattern(
    r"(?i)(?:sha-?\d{1,3}|md5|hash|\bh1|digest|integrity|ray|slug|cursor|rev|commit|version|build|accessor|checksum|\bsum|finger_?print|etag|\bcid|nonce"
    r"""|base64|pub(?:lic)?[ _-]?key\w*|challenge|site-verification|\bpeer|["'][xyn]|ssh-\w+|ecdsa-[\w-]+|\bid"""
    r"|_id|(?-i:[a-z]I[dD])"
    r"|[?&][\w.%\[\]-]+|\bDNSKEY [0-9 ]+|\bsecure: v1:[\w+/:]*|\bkid)"
    r"""(?:\\?["'])?[ \t]{0,2}[:=,(-]?[ \t]{0,24}(?:\\?["'])?$"""
)
"""Text before a value that is a digest, public, an id, or a part of a URL."""

_WRAPPED = 60
"""The shortest line of wrapped base64."""

_BASE64 = LETTERS + DIGITS + b"+/"
_MASK = b"[REDACTED:bare]"
_AROUND = b" \t>\"'+,"
"""Characters that may surround a line of a quoted block."""

_FILE = Pattern(r"\.[A-Za-z0-9]{1,12}(?:[^\w-]|$)|\.[\w-]+\.|\(")


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((place, last),) in _RUN.each(raw, start, end):
        if place == start and raw[max(0, place - 1) : place].isalnum():
            continue  # the end of a run that lies whole in the window before
        value = raw[place:last]
        is_long = last - place >= _MAILGUN_LENGTH and b"-" in value
        if is_long and (key := _MAILGUN.search(value, 0, len(value))):
            yield "mailgun", place + key[1][0], place + key[1][1]
        if value.islower() or value.isupper() or len(remove_bytes(value, DIGITS)) == len(value):
            continue  # most runs are paths and hexadecimal digits
        first = place + _is_escape(raw[max(0, place - 1) : place + 1])
        if last - first > _LONGEST or _repeats(raw[first:last]) or _is_wrapped(raw, first, last):
            continue
        if _is_known(raw, first, last):
            continue
        if is_high_entropy(raw[first:last], _SHORTEST):
            is_open = _is_public(raw[first:last]) or _is_encrypted(raw, first)
            yield "bare", first, first if is_open else last
    for name, first, last in find_drawn_words(raw, start, end):
        is_open = _is_known(raw, first, last) or _is_encrypted(raw, first)
        yield name, first, first if is_open else last


def _repeats(value: bytes) -> bool:
    """Return whether the value has too few different characters. It costs less than a look at its surroundings."""
    body = value.rstrip(b"=")
    return len(set(body)) * 2 < min(len(body), 36)


def _is_escape(pair: bytes) -> bool:
    """Return whether the run begins with the letter of an escaped line break or tab."""
    return pair in (b"\\n", b"\\r", b"\\t")


def _is_wrapped(raw: bytes, first: int, last: int) -> bool:
    """Return whether the value is a line of wrapped base64, judged by the line before the value.

    A value as long as such lines are is also judged by the line after. A masked line counts as base64, or
    each mask would remove the reason why its neighbour was dismissed.
    """
    before = _line_above(raw[max(0, first - 96) : first])
    if len(before) >= _WRAPPED and not remove_bytes(before[-_WRAPPED:], _BASE64):
        return True
    if last - first < _WRAPPED:
        return False
    after = _line_below(raw[last : last + 96])
    if before.endswith(_MASK) or after.startswith(_MASK):
        return True
    line = after[:_WRAPPED]
    rest = line.lstrip(_BASE64)
    return (len(line) == _WRAPPED and not rest) or (rest[:1] == b"=" and len(rest) < len(line))


def _line_above(before: bytes) -> bytes:
    """Return the end of the line before, empty if the value does not begin a line."""
    line = before.rstrip(_AROUND)
    if line.endswith(b"\\n"):
        return line[:-2].rstrip(_AROUND)
    return line.rstrip(b"\r\n").rstrip(_AROUND) if line.endswith(b"\n") else b""


def _line_below(after: bytes) -> bytes:
    """Return the start of the next line, empty if the value does not end a line."""
    line = after.lstrip(_AROUND)
    if line.startswith(b"\\n"):
        return line[2:].lstrip(_AROUND)
    return line.lstrip(b"\r\n").lstrip(_AROUND) if line[:1] in (b"\r", b"\n") else b""


def _is_public(value: bytes) -> bool:
    """Return whether the value begins as public data does, or is a service's id behind a prefix."""
    prefix = _PREFIX.match(value, 0, len(value))
    if prefix is not None and not is_high_entropy(value[prefix[0][1] :], _SHORTEST):
        return True
    return _PUBLIC.occurs_in(value)


def _is_known(raw: bytes, first: int, last: int) -> bool:
    """Return whether the surroundings show another meaning of the value: a path, a digest, an id."""
    before = raw[max(0, first - 32) : first]
    if before[-1:] in (b".", b"@", b"%", b"~", b"#") or (before[-1:] == b":" and raw[first] == 47):
        return True
    if _FILE.match(raw, last, min(len(raw), last + 48)):
        return True
    return _PUBLIC_LABEL.occurs_in(before)


def _is_encrypted(raw: bytes, place: int) -> bool:
    """Return whether the place lies within `ENC[…]` or `ENC(…)`, behind age's head, or in a block to publish.

    sops and jasypt write so what they encrypt. Blocks are those of RFC 7468 and of OpenPGP.
    """
    begin = max(0, place - _LONGEST_ENCRYPTED)
    before = raw[begin:place]
    for opening, closing in _ENCLOSED:
        enclosed = before.rpartition(opening)[2] if opening in before else closing
        if closing not in enclosed:
            return True
    return b"age-encryption.org/v" in before or _in_public_block(before)


_ENCLOSED = ((b"ENC[", b"]"), (b"ENC(", b")"))


def _in_public_block(before: bytes) -> bool:
    """Return whether `before` ends within a block such as `-----BEGIN PGP PUBLIC KEY BLOCK-----`."""
    block = before.rpartition(b"-----BEGIN ")[2] if b"-----BEGIN " in before else b"-----END"
    return b"-----END" not in block and b"PRIVATE" not in block[:64]


_LONGEST_ENCRYPTED = 4096

HIGH_ENTROPY = Rule("", _find)
