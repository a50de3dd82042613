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
from hooklore.redaction.rules.published import begins_as_published, is_called_public, is_encrypted

_SHORTEST, _LONGEST = 30, 128
"""Lengths of a token. Service ids have up to 28 random characters behind their prefix. A run beyond the
second length is a picture, a font or a program."""

_RUN = Pattern(r"[A-Za-z0-9_+/-]{30,}={0,2}")
_MAILGUN = Pattern(r"(?:^|[^0-9a-f-])([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?:$|[^0-9a-f-])")
"""A key of Mailgun's, which has no letters of the other case."""

_MAILGUN_LENGTH = 50
_PREFIX = Pattern(r"^[A-Za-z][a-z]{0,11}[_-]")
_WRAPPED = 60
"""The shortest line of wrapped base64."""

_BASE64 = LETTERS + DIGITS + b"+/"
_MASK = b"[REDACTED:bare]"
_AROUND = b" \t>\"'+,"
"""Characters that may surround a line of a quoted block."""


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
        if raw[first - 1] == _DOT and (bot := _start_of_bot_token(raw, first)):
            yield "discord", bot, last
            continue
        if last - first > _LONGEST or _repeats(raw[first:last]) or _is_wrapped(raw, first, last):
            continue
        if not _is_key(raw, first, last):
            first = raw.rfind(b"/", first, last) + 1
            if not first or last - first < _SHORTEST or not _ends_url(raw, first, last):
                continue
            if not _is_key(raw, first, last):
                continue
        is_open = _is_public(raw[first:last]) or is_encrypted(raw, first)
        yield "bare", first, first if is_open else last
    for name, first, last in find_drawn_words(raw, start, end):
        is_open = is_called_public(raw, first, last) or is_encrypted(raw, first)
        is_open = is_open or begins_as_published(raw[first:last])
        yield name, first, first if is_open else last


def _start_of_bot_token(raw: bytes, first: int) -> int:
    """Return where a token of a bot of Discord begins whose last part begins at `first`, or 0."""
    before = raw[max(0, first - 36) : first]
    found = _DISCORD.search(before, 0, len(before))
    return first - len(before) + found[1][0] if found else 0


_DOT = 0x2E
_DISCORD = Pattern(r"(?:^|[^\w-])([A-Za-z][\w-]{23,25}\.[\w-]{6}\.)$")
"""The first two parts of a token of three. A third part of fewer than 30 characters is a row of vendor formats."""


def _is_key(raw: bytes, first: int, last: int) -> bool:
    """Return whether a value looks random and its surroundings show no other meaning of it."""
    if is_called_public(raw, first, last):
        return False
    return is_high_entropy(raw[first:last], _SHORTEST)


def _ends_url(raw: bytes, first: int, last: int) -> bool:
    """Return whether a value is the last segment of a URL's path, where keys stand, and none of a page to show."""
    if raw[last : last + 1].isalnum():
        return False
    before = raw[max(0, first - _LONGEST_PATH) : first]
    path = _PATH.search(before, 0, len(before))
    return path is not None and not _SHOWN.search(before, *path[0])


_PATH = Pattern(r"""://[^\s"'<>`?#]+/$""")
_LONGEST_PATH = 160
_SHOWN = Pattern(
    r"(?i)://[\w.-]*(?:google(?:usercontent)?|gstatic|sharepoint|youtube|gravatar|githubusercontent)\."
    r"|/(?:tx|address|account|token|wallet|ipfs|ipns|blob|files?|folders?|image|images|img|assets?|static|media|share|d)/"
)
"""Addresses of pages, files and transactions, whose ids are as random as keys."""


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
    return begins_as_published(value)


HIGH_ENTROPY = Rule("", _find)
