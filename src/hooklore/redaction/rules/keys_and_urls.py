"""Private key blocks, hashes of passwords, and credentials inside URLs and connection strings."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.assignments import is_drawn_key
from hooklore.redaction.rules.candidate_checks import (
    has_letters_and_digits,
    has_mixed_characters,
    is_placeholder,
    is_random,
)
from hooklore.redaction.rules.high_entropy import is_drawn_word
from hooklore.redaction.rules.value_forms import is_drawn

_MARK = Pattern(
    r"-{4,5} ?(BEGIN|END) (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
)
_LONGEST = 32 * 1024
_GAP = r"""(?:\s|\\[nrt]|["'+,>|#*\\])"""
_LINES = Pattern(
    rf"(?:{_GAP}*(?:[A-Za-z-]{{3,16}}: [^\r\n\\]{{1,80}}|[A-Za-z0-9+/=_]{{20,}}))+"
    rf"(?:{_GAP}+[A-Za-z0-9+/]+={{1,2}})?"
)
_TAIL = Pattern(
    rf"(?:[A-Za-z0-9+/]{{20,}}{_GAP}+)+(?:[A-Za-z0-9+/]{{2,}}={{0,2}}{_GAP}+)?-----END [A-Z0-9 ]{{0,40}}PRIVATE KEY"
)
_PUTTY = Pattern(
    r"Private-Lines: \d{1,3}\s+((?:[A-Za-z0-9+/=]{4,}[ \t]*(?:\r?\n|\z))+"
    r"(?:Private-(?:MAC|Hash): [0-9a-f]{20,128})?)"
)


def _find_blocks(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield blocks from BEGIN to END. In a truncated text without END, yield the base64 lines that follow."""
    marks = list(_MARK.each(raw, start, end))
    for place, ((first, last), (word, word_end)) in enumerate(marks):
        closing = marks[place + 1] if place + 1 < len(marks) else ((end, end), (end, end))
        if raw[word:word_end] == b"END":
            begin = marks[place - 1][0][1] if place else start
            cut = _TAIL.search(raw, max(begin, last - _LONGEST), last)
            if cut and (not place or raw[slice(*marks[place - 1][1])] == b"END"):
                yield "pem", cut[0][0], last  # of a block whose BEGIN was cut off
        elif lines := _LINES.match(raw, last, min(closing[0][0], last + _LONGEST)):
            closes = raw[slice(*closing[1])] == b"END" and closing[0][0] - last <= _LONGEST
            yield "pem", first, closing[0][1] if closes else lines[0][1]
    for _, (first, last) in _PUTTY.each(raw, start, end):
        yield "pem", first, last


_ADDRESS = Pattern(
    r"""://([^\s:/@"'<>`]*):([^\s/"'<>`\[][^\s/"'<>`]*)@|://([^\s:/@"'<>`]{6,}):?@"""
    r"""|[\w.-]:([^\s:/@"'<>`]+)@(?:tcp|unix)\(|:thin:[\w$.-]+/([^\s/@"'<>`]+)@"""
)


def _find_addresses(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, user, *groups in _ADDRESS.each(raw, start, end):
        place = next(index for index, span in enumerate(groups) if span[0] >= 0)
        if place == 0 and _is_drawn_user(raw[slice(*user)]):
            yield "url", *user
        first, last = groups[place]
        value = raw[first:last]
        found = _is_password(value) if place != _ALONE else _is_lone_token(raw, first, value)
        yield "url", first, last if found else first


_ALONE = 1
"""The group of a user without a password."""


def _is_lone_token(raw: bytes, first: int, user: bytes) -> bool:
    """Return whether a user without a password is a token by form, or mixed as no user's name of the web is."""
    return _is_drawn_user(user) or (
        has_mixed_characters(user, 6)
        and raw[max(0, first - 8) : first].lower().endswith((b"http://", b"https://"))
    )


def _is_drawn_user(user: bytes) -> bool:
    """Return whether a program drew the text in the place of a user."""
    return len(user) >= 16 and (is_drawn_key(user) or is_drawn(user)) and not is_placeholder(user)


def _is_password(value: bytes) -> bool:
    """Return whether `value` is neither a placeholder nor a part of a pattern for such URLs."""
    return value != b"" and not is_placeholder(value) and b"[^" not in value


_QUERY = Pattern(
    r"(?i)(?:[?&#]|&amp;|%26|\\u0026)((?:x-(?:amz|goog|oss|cos|tos|ms|obs)-(?:signature|security-token)"
    r"|sign(?:ature)?|sig|hmac|auth|appid|code|policy|jwt|sas"
    r"|credential|ticket|otp|(?:[\w.-]{0,24}[_.-])?(?:secret|signature)|(?:[\w-]{0,24}[_-])?(?:api)?(?:key|token)))"
    r"""=([^\s&#"'`<>\\\x00-\x1f]{12}[^\s&#"'`<>\\\x00-\x1f]*)"""
)
_DIGEST = Pattern(r"^[0-9a-f]{32}[0-9a-f]*$")
_LONG = Pattern(r"^[A-Za-z0-9%+/=_~.-]{20}[A-Za-z0-9%+/=_~.-]*$")
_CERTAIN = (b"sig", b"signature", b"sign", b"hmac", b"token", b"secret", b"auth")


_SHARED_SECRET = Pattern(r"(?i)otpauth://[^\s\"'`<>]*?[?&]secret=([A-Z0-9]{8}[A-Z0-9]*)")
"""The seed of one-time codes in an address that an app reads as a picture."""


def _find_queries(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield signatures and tokens in the query of a URL, where a digest is a signature and no id."""
    for _, (first, last) in _SHARED_SECRET.each(raw, start, end):
        yield "url", first, last
    for _, (name, name_end), (first, last) in _QUERY.each(raw, start, end):
        value = raw[first:last].rstrip(b",;:.)]}")
        found = is_random(value.replace(b"%", b"+"), 16)
        if not found and raw[name:name_end].lower().endswith(_CERTAIN):
            found = is_drawn_word(value) or (
                _LONG.occurs_in(value) and has_letters_and_digits(value)
            )
        elif not found:
            found = _DIGEST.occurs_in(value)
        found = found and _is_password(value)
        yield "url", first, first + len(value) if found else first


# ---- hashes of passwords, against which anyone can try passwords offline without limit

_SALT = r"[./A-Za-z0-9]"
_B64 = r"[A-Za-z0-9+/._-]"
_HASH = Pattern(
    rf"(?:\$2[abxy]?\$\d\d\${_SALT}{{53}}"
    rf"|\$(?:1|apr1)\${_SALT}{{1,16}}\${_SALT}{{22}}"
    rf"|\$(?:5|6|sha1)\$(?:rounds=\d{{1,9}}\$)?(?:\d{{1,9}}\$)?{_SALT}{{1,}}\${_SALT}{{28,}}"
    rf"|\$(?:y|gy|7|8|9|14)\${_SALT}{{0,16}}\$?{_SALT}{{1,}}\${_SALT}{{28,}}"
    rf"|\$[PHS]\${_SALT}{{31,}}"
    rf"|\$argon2(?:id|i|d)\$(?:v=\d+\$)?[a-z]=\d+(?:,[a-z]=\d+)*\${_B64}{{8,}}\${_B64}{{16,}}"
    rf"|\$(?:scrypt|pbkdf2(?:-sha\d+)?|bcrypt-sha256)\$[\w=,.-]{{1,}}\${_B64}{{4,}}\${_B64}{{16,}}"
    rf"|(?:pbkdf2_sha\d+|bcrypt_sha256|argon2|scrypt)\$[\w=,$]{{1,}}\${_B64}{{4,}}\$?{_B64}{{16,}}=?"
    r"|(?:pbkdf2:sha\d+|scrypt)(?::\d+){0,3}\$[A-Za-z0-9]{4,}\$[0-9a-f]{32,}"
    rf"|\{{(?:S?SHA\d*|S?MD5|CRYPT|PBKDF2\S{{0,12}})\}}[A-Za-z0-9+/$.]{{20,}}={{0,2}}"
    rf"|SCRAM-SHA-\d+\$\d+:{_B64}{{8,}}=*\${_B64}{{20,}}=*:{_B64}{{20,}}=*"
    r"|\b[0-9a-f]{32}:[0-9a-f]{32}:::)"
)


def _find_hashes(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _HASH.each(raw, start, end):
        yield "hash", first, last


PRIVATE_KEYS = Rule(
    "PRIVATE KEY|Private-Lines|OpenVPN Static key", _find_blocks, needs_whole_text=True
)
URL_CREDENTIALS = Rule(r"://[^\s/\"'<>`]*@|@(?:tcp|unix)\(|:thin:", _find_addresses)
URL_QUERIES = Rule(r"[?&#][A-Za-z]|%26|u0026", _find_queries)
HASHES = Rule(
    r"\$(?:2[abxy]?|1|apr1|5|6|sha1|y|gy|7|8|9|14|[PHS]|argon2|scrypt|pbkdf2|bcrypt)"
    r"|(?:sha\d+|argon2|scrypt)[:\d]*\$"
    r"|\{(?:S?SHA|S?MD5|CRYPT|PBKDF2)|SCRAM-SHA-|:::",
    _find_hashes,
)
