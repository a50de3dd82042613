"""Drawn values that are no secrets: digests, public keys, ids, encrypted values, told by form or surroundings."""

from hooklore.redaction.pattern import Pattern

SSH_KEY = r"AAAA[A-Z]\w?Nza"
"""The beginning of a public key of SSH."""

_PUBLIC = Pattern(
    rf"^(?:{SSH_KEY}|ssh-[a-z]"
    r"|(?i:sha-?\d+|md5|blake\w+|h1|nonce|sum)[-_]|pk_(?:live|test)_|sb_publishable_|phc_|sq0idp-"
    r"|Ag[A-D][A-Za-z0-9+/]{60}|_Z|_R[A-Z]|RW[QRST]|MI[IGH]|MFk|MCow|AAAA"
    r"|iVBOR|LS0tLS1CRUdJTiBD|R0lGOD|/9j/|UklGR|d09G|AAEAAAA|JVBER|UEsD|H4sI|AGFzbQ|T2dnUw|Qm[1-9A-Za-z]{44}$"
    r"|z9hG4bK|UGFzc3dvcmQ6$|VXNlcm5hbWU6$|bafy[a-z2-7]{20}|age1[a-z0-9]{20}|00-[0-9a-f]{32}-[0-9a-f]{16}-0"
    r"|(?:evt|we|pi|prod|price|cus|sub|ch|in|acct|pm|si|txn|req)_[A-Za-z0-9]{14})"
)
"""Digests with their name, publishable keys, mangled symbols, certificates, public keys, pictures, other files;
content ids, branches of SIP, recipients of age, traces (W3C Trace Context), and the ids of a payment service."""

_PUBLIC_LABEL = Pattern(
    r"(?i)(?:sha-?\d{1,3}|md5|hash|\bh1|digest|integrity|ray|slug|cursor|rev|commit|version|build|accessor"
    r"|checksum|\bsum|finger_?print|etag|\bcid|nonce"
    r"|base64|pub(?:lic)?[ _-]?key\w*|challenge|site-?(?:verification|key)|boundary"
    r"""|\bpeer|["'][xyn]|ssh-\w+|ecdsa-[\w-]+|\bid(?:-2)?"""
    r"|_id|(?-i:[a-z]I[dD])"
    r"|[?&][\w.%\[\]-]+|\bDNSKEY [0-9 ]+|\bsecure: v1:[\w+/:]*|\bkid|\bsha|\btag|\btx|match)"
    r"""(?:\\?["'])?[ \t]{0,2}[:=,(-]?[ \t]{0,24}(?:W/)?(?:\\?["'])?$"""
)
"""Text before a value that is a digest, public, an id, or a part of a URL."""

_FILE = Pattern(r"\.[A-Za-z0-9]{1,12}(?:[^\w-]|$)|\.[\w-]+\.|\(")


def begins_as_published(value: bytes) -> bool:
    """Return whether the value begins as public data does: a certificate, a picture, a publishable key."""
    return _PUBLIC.occurs_in(value)


def is_called_public(raw: bytes, first: int, last: int) -> bool:
    """Return whether the surroundings show another meaning of the value: a path, a digest, an id."""
    before = raw[max(0, first - 32) : first]
    if before[-1:] in (b".", b"@", b"%", b"~", b"#") or (before[-1:] == b":" and raw[first] == 47):
        return True
    if _FILE.match(raw, last, min(len(raw), last + 48)):
        return True
    return _PUBLIC_LABEL.occurs_in(before)


def is_encrypted(raw: bytes, place: int) -> bool:
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
