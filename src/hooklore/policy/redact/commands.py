"""Secrets on command lines, in HTTP headers, SQL and credential files."""

from collections.abc import Iterator

from hooklore.policy.redact import checks
from hooklore.policy.redact.assigned import bare_end, is_bare_secret, is_secret, quoted_end
from hooklore.policy.redact.names import KEYWORD, Kind, kind_of
from hooklore.policy.redact.pattern import Candidate, Pattern, Rule

_DECLARES = r"\b(?:ENV|ARG|setx|setenv|set -[gUx]+)[ \t]+"
_FLAG = Pattern(
    rf"""(?i)(?:(?:^|[\s"'`\[(,])--?|{_DECLARES})([\w.-]*?)({KEYWORD})([\w-]{{0,32}})"""
    r"""((?:["'],[ \t]*|[ \t])(["']?))[^\s"'`<>\[-][^"'`\s]{3}"""
)
_IN_QUOTES = Pattern(r"""[^"'\r\n\\]+""")
_END_OF_COMMAND = Pattern(r"""(?:["'`]|[ \t]*(?:[\r\n\\;|&>]|-|\z))""")


def _find_flags(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while groups := _FLAG.search(raw, position, end):
        _, before, word, after, (_, place), quote = groups
        quoted = quote[0] < quote[1]
        kind = kind_of(raw[slice(*word)], b"-" + raw[slice(*before)], raw[slice(*after)])
        last = quoted_end(_IN_QUOTES, raw, place) if quoted else bare_end(raw, place)
        found = kind is not None and _is_argument(raw, kind, place, last, quoted=quoted)
        yield "assigned", place, last if found else place
        # the next flag may begin at the blank that ended this one
        position = last if found else after[1]


def _is_argument(raw: bytes, kind: Kind, place: int, last: int, *, quoted: bool) -> bool:
    """Whether a flag's value is a secret, not the next flag, nor what a help text calls the value."""
    value = raw[place:last]
    if kind is Kind.VAGUE or (value.isupper() and value.isalpha()):
        return False
    if quoted:
        return is_secret(kind, value)
    certain = _END_OF_COMMAND.match(raw, last, min(len(raw), last + 64)) is not None
    return is_bare_secret(kind, value, certain=certain)


_COMMAND = Pattern(
    r"""(?:\b(?:mysql\w*|mariadb[\w-]*)\b[^\r\n|;]*?\s-p|\bsshpass\s+-p\s*"""
    r"""|\bredis-cli\b[^\r\n|;]*?\s-a\s+"""
    r"""|\b(?:docker|podman|helm|az|buildah|skopeo)\s+(?:registry\s+)?login\b[^\r\n|;]*?\s-p\s+"""
    r"""|\bpass(?:in|out)[ =]pass:|\bsmbclient\b[^\r\n|;]*?\s-U\s+[^\s%]+%"""
    r"""|\b(?:curl|http|xh)\b[^\r\n|;]*?\s(?:-u|--user|--proxy-user|-a)[ =]?["']?[^\s:"'/]+:"""
    r"""|(?i:\bmachine[ \t]+\S+\s+login[ \t]+\S+\s+password[ \t]+)"""
    r"""|(?i:\bidentified\s+(?:with\s+\S+\s+)?by\s+|\bpassword\s+)['"]"""
    r"""|(?m:^[\w.*-]+:543\d:[^:\s]+:[^:\s]+:))["']?([^\s"'`\[][^\s"'`]{3,})"""
)
_COMMAND_GATE = (
    r"(?:mysql|mariadb).*-p|sshpass|redis-cli|login.*-p|pass:|smbclient|\b(?:curl|http|xh)\b.* -|(?i:machine)"
    r"""|(?i:identified\s|password\s+['"])|:543\d:"""
)


def _find_commands(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _COMMAND.each(raw, start, end):
        value = raw[first:last]
        found = not checks.is_placeholder(value) and not checks.names_something(value)
        yield "assigned", first, last if found else first


_SCHEME = Pattern(r"(?i)\b(?:bearer|(basic))[ \t]+([A-Za-z0-9+/=._~-]{8,})")


def _find_schemes(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """`Bearer …`, `Basic …`, in a header or not."""
    for _, basic, (first, last) in _SCHEME.each(raw, start, end):
        value = raw[first:last].rstrip(b".")
        found = checks.is_random(value, 16)
        found = found or (basic[0] >= 0 and checks.is_basic_credential(value))
        found = found and not checks.is_placeholder(value)
        yield "assigned", first, first + len(value) if found else first


_COOKIE = Pattern(
    r"""(?i)\b(?:set-)?cookie["']?[ \t]*[:=][ \t]*["'`]?([^\r\n"'`=;:\s\\]+=[^\r\n"'`\\]{4,})"""
)


def _find_cookies(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _COOKIE.each(raw, start, end):
        pairs = [pair.strip().partition(b"=") for pair in raw[first:last].split(b";", 16)]
        found = any(
            checks.is_mixed(value, 8) and not checks.is_placeholder(value) for _, _, value in pairs
        )
        yield "assigned", first, last if found else first


FLAGS = Rule(rf"(?i)(?:-|{_DECLARES})[\w.-]*?(?:{KEYWORD})", _find_flags)
COMMANDS = Rule(_COMMAND_GATE, _find_commands)
SCHEMES = Rule(r"(?i)\b(?:bearer|basic)[ \t]", _find_schemes)
COOKIES = Rule("(?i)cookie", _find_cookies)
