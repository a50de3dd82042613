"""Secrets on command lines, in HTTP headers, SQL and credential files."""

from collections.abc import Iterator

from hooklore.policy.redact import checks
from hooklore.policy.redact.assigned import bare_end, is_bare_secret, is_secret, quoted_end
from hooklore.policy.redact.names import KEYWORD, Kind, kind_of
from hooklore.policy.redact.pattern import Pattern, Rule

_FLAG = Pattern(
    rf"""(?i)(?:^|[\s"'`\[(,])--?([\w-]*?)({KEYWORD})([\w-]{{0,32}})(?:["'],[ \t]*|[ \t])(["']?)"""
)
_IN_QUOTES = Pattern(r"""[^"'\r\n\\]*""")
_END_OF_COMMAND = Pattern(r"""(?:["'`]|[ \t]*(?:[\r\n\\;|&>]|-|\z))""")


def _find_flags(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    position = start
    while match := _FLAG.compiled.search(raw, position, end):
        # the next flag may begin at the blank that ended this one
        position = match.end(3)
        word, after = match.span(2), match.span(3)
        before = raw[slice(*match.span(1))]
        kind = kind_of(raw[slice(*word)], before, raw[slice(*after)])
        place = match.end()
        if kind is None or kind is Kind.VAGUE:
            continue
        quoted = match.span(4)[0] < match.span(4)[1]
        last = (quoted_end(_IN_QUOTES, raw, place, len(raw)) if quoted else bare_end(raw, place, len(raw)))
        value = raw[place:last]
        if value[:1] == b"-" or (value.isupper() and value.isalpha()):
            continue
        certain = _END_OF_COMMAND.compiled.match(raw, last, min(end, last + 64)) is not None
        if is_secret(kind, value) if quoted else is_bare_secret(kind, value, certain):
            yield "assigned", place, last
            position = last


_COMMAND = Pattern(
    r"""(?:\b(?:mysql\w*|mariadb[\w-]*)\b[^\r\n|;]*?\s-p|\bsshpass\s+-p\s*|\bredis-cli\b[^\r\n|;]*?\s-a\s+"""
    r"""|\b(?:docker|podman|helm|az|buildah|skopeo)\s+(?:registry\s+)?login\b[^\r\n|;]*?\s-p\s+"""
    r"""|\bpass(?:in|out)[ =]pass:|\bsmbclient\b[^\r\n|;]*?\s-U\s+[^\s%]+%"""
    r"""|\b(?:curl|http|xh)\b[^\r\n|;]*?\s(?:-u|--user|--proxy-user|-a)[ =]?["']?[^\s:"'/]+:"""
    r"""|(?i:\bmachine[ \t]+\S+\s+login[ \t]+\S+\s+password[ \t]+)|(?i:\bidentified\s+(?:with\s+\S+\s+)?by\s+|\bpassword\s+)['"]"""
    r"""|(?m:^[\w.*-]+:543\d:[^:\s]+:[^:\s]+:))(?:["'])?([^\s"'`]+)"""
)
_GATE = r"mysql|mariadb|sshpass|redis-cli|login|(?i:machine)|pass:|smbclient|curl|\bhttp |\bxh |(?i:identified|password\s+['\"])|:543\d:"


def _find_commands(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for match in _COMMAND.compiled.finditer(raw, start, end):
        first, last = match.span(1)
        value = raw[first:last]
        if len(value) >= 4 and not checks.is_placeholder(value) and not checks.names_something(value):
            yield "assigned", first, last


_SCHEME = Pattern(r"(?i)\b(bearer|basic)[ \t]+([A-Za-z0-9+/=._~-]{8,})")
_COOKIE = Pattern(r"""(?i)\b(?:set-)?cookie["']?[ \t]*[:=][ \t]*["'`]?([^\r\n"'`=;:\s]+=[^\r\n"'`\\]{4,})""")


def _find_headers(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for match in _SCHEME.compiled.finditer(raw, start, end):
        first, last = match.span(2)
        value = raw[first:last].rstrip(b".")
        basic = raw[slice(*match.span(1))].lower() == b"basic"
        if checks.is_random(value, 16) or (basic and checks.is_basic_credential(value)):
            if not checks.is_placeholder(value):
                yield "assigned", first, first + len(value)
    for match in _COOKIE.compiled.finditer(raw, start, end):
        first, last = match.span(1)
        for pair in raw[first:last].split(b";")[:64]:
            name, _, value = pair.strip().partition(b"=")
            if checks.is_mixed(value, 8) and not checks.is_placeholder(value):
                yield "assigned", first, last
                break


FLAGS = Rule(f"(?i)-[\\w-]*?(?:{KEYWORD})", _find_flags)
COMMANDS = Rule(_GATE, _find_commands)
HEADERS = Rule("(?i)bearer|basic|cookie", _find_headers)
