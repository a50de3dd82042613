"""Credentials in HTTP headers and cookies."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import (
    UUID,
    has_mixed_characters,
    is_basic_credential,
    is_placeholder,
    is_random,
)
from hooklore.redaction.rules.value_forms import count_in_words

SCHEMES = ("bearer", "ssws", "geniekey", "splunk", "klaviyo-api-key")
"""Authentication schemes behind which a credential stands, in a header or not, in small letters."""

_NAMES = "|".join(SCHEMES)
_SCHEME = Pattern(
    r"(?i)(?:(\bauthorization(?::|[\"'][ \t]*[,:=][ \t]*[\"']))[ \t]*[a-z][\w-]*"
    rf"|\b(?:{_NAMES}|(basic|auth(?:enticate)?[ \t]+(?:plain|login|xoauth2))))"
    r"""(?:[ \t]+|["']?[ \t]*[:=][ \t]*["'])([A-Za-z0-9+/=._~-]{8,})"""
)
_DIGEST = Pattern("^[0-9a-f]{32}[0-9a-f]*$")


def _find_schemes(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield credentials behind any scheme in a header, behind those of `SCHEMES` and `Basic` anywhere."""
    for _, header, basic, (first, last) in _SCHEME.each(raw, start, end):
        value = raw[first:last].rstrip(b".")
        found = is_random(value, 16) or _DIGEST.occurs_in(value)
        found = found or (basic[0] >= 0 and is_basic_credential(value))
        ends = header[0] >= 0 and _ENDS_HEADER.match(raw, last, min(len(raw), last + 8)) is not None
        found = found or (ends and _is_sent(value))
        yield (
            "assigned",
            first,
            first + len(value) if found and not is_placeholder(value) else first,
        )


_ENDS_HEADER = Pattern(r"""["'`\\,;)}\]]|[ \t]*(?:\r?\n|\z)""")
"""The end of a header: a quote, a sign or the end of the line. In a sentence of a log a word follows."""


def _is_sent(value: bytes) -> bool:
    """Return whether a value behind the scheme of a header is a credential, which may be a UUID or of one class."""
    if UUID.occurs_in(value):
        return True
    return len(value) >= 16 and value.isalnum() and count_in_words(value) * 2 <= len(value)


_COOKIE = Pattern(
    r"""(?i)\b(?:set-)?cookie["']?[ \t]*[:=][ \t]*["'`]?([^\r\n"'`=;:\s\\]+=[^\r\n"'`\\]{4,})"""
)


def _find_cookies(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _COOKIE.each(raw, start, end):
        values = [pair.partition(b"=")[2] for pair in raw[first:last].split(b";", 16)]
        found = any(
            has_mixed_characters(value, 8) and not is_placeholder(value) for value in values
        )
        yield "assigned", first, last if found else first


AUTH_SCHEMES = Rule(
    r"(?i)\bauthorization(?::|[\"'][ \t]*[,:=][ \t]*[\"'])[ \t]*[a-z][\w-]*[ \t]"
    rf"|\b(?:basic|{_NAMES}|auth(?:enticate)?[ \t]+(?:plain|login|xoauth2))[ \t\"':=]",
    _find_schemes,
)
COOKIES = Rule("(?i)cookie", _find_cookies)
