"""Hashes of passwords, against which anyone can try passwords offline without limit."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule

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


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for ((first, last),) in _HASH.each(raw, start, end):
        yield "hash", first, last


HASHES = Rule(
    r"\$(?:2[abxy]?|1|apr1|5|6|sha1|y|gy|7|8|9|14|[PHS]|argon2|scrypt|pbkdf2|bcrypt)"
    r"|(?:sha\d+|argon2|scrypt)[:\d]*\$"
    r"|\{(?:S?SHA|S?MD5|CRYPT|PBKDF2)|SCRAM-SHA-|:::",
    _find,
)
