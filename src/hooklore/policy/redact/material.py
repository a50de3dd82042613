"""Private key blocks, and credentials inside addresses and connection strings."""

from collections.abc import Iterator

from hooklore.policy.redact.checks import is_placeholder, is_random
from hooklore.policy.redact.pattern import Pattern, Rule

_MARK = Pattern(r"-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_LONGEST = 32 * 1024
_GAP = r"""(?:\s|\\[nrt]|["'+,>|#*\\])"""
_LINES = Pattern(
    rf"(?:{_GAP}*(?:[A-Za-z-]{{3,16}}: [^\r\n\\]{{1,80}}|[A-Za-z0-9+/=_]{{20,}}))+(?:{_GAP}+[A-Za-z0-9+/=]+={{0,2}})?"
)
_TAIL = Pattern(
    rf"(?:[A-Za-z0-9+/]{{20,}}{_GAP}+)+(?:[A-Za-z0-9+/]{{2,}}={{0,2}}{_GAP}+)?-----END [A-Z0-9 ]{{0,40}}PRIVATE KEY"
)
_PUTTY = Pattern(r"Private-Lines: \d{1,3}\s+((?:[A-Za-z0-9+/=]{4,}\s*)+)")


def _find_blocks(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Blocks from BEGIN to END; without END (a cut text) the lines of base64 that follow."""
    marks = [match.span() + (match.span(1)[1] - match.span(1)[0] == 5,) for match in
             _MARK.compiled.finditer(raw, start, end)]
    closed = start
    for place, (first, last, begins) in enumerate(marks):
        following = marks[place + 1] if place + 1 < len(marks) else (end, end, True)
        if not begins:
            yield from _tail(raw, closed, last)
            closed = last
        elif not following[2] and following[0] - last <= _LONGEST:
            if _LINES.compiled.match(raw, last, following[0]):
                yield "pem", first, following[1]
        elif lines := _LINES.compiled.match(raw, last, min(following[0], last + _LONGEST)):
            yield "pem", first, lines.end()
    for match in _PUTTY.compiled.finditer(raw, start, end):
        yield "pem", *match.span(1)


def _tail(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """A block whose BEGIN was cut off."""
    if match := _TAIL.compiled.search(raw, max(start, end - 4096), end):
        yield "pem", match.start(), end


_ADDRESS = Pattern(
    r"""://([^\s:/@"'<>`]*):([^\s/"'<>`]+)@|://([^\s:/@"'<>`]{20,})@"""
    r"""|[\w.-]:([^\s:/@"'<>`]+)@(?:tcp|unix)\(|:thin:[\w$]+/([^\s/@"'<>`]+)@"""
)


def _find_addresses(raw: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for match in _ADDRESS.compiled.finditer(raw, start, end):
        spans = [match.span(group) for group in (2, 3, 4, 5)]
        place = next(index for index, span in enumerate(spans) if span[0] >= 0)
        first, last = spans[place]
        value = raw[first:last]
        if is_random(value, 20) if place == 1 else not (is_placeholder(value) or b"[^" in value):
            yield "url", first, last


PRIVATE_KEYS = Rule("PRIVATE KEY|Private-Lines", _find_blocks, whole=True)
ADDRESSES = Rule(r"://|@(?:tcp|unix)\(|:thin:", _find_addresses)
