"""Keys without a mark of their own, told by the name of their service: `mistral key = …`.

Such a key is of hexadecimal digits, a UUID, or short. Beside `key` alone it could be a cache's or a database's.
"""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule, TextPattern
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    LETTERS,
    UUID,
    WORDLIKE,
    is_placeholder,
    is_random,
    remove_bytes,
)
from hooklore.redaction.rules.names import SecretKind, classify_secret_name
from hooklore.redaction.rules.service_names import BETWEEN, SERVICES

_LABELLED = Pattern(
    r"(?i)(?:(?:key|token|secret|api|pat|auth|creds?|credentials?|passw(?:or)?d|reporter_id|appid|subscription)s?"
    r"(?:[_ -]?(?:[0-9]{1,2}|prod|production|live|test|dev|staging|value|default|backup|old|new))?"
    r"""[\\"'`\])*]{0,4}"""
    r"(?:[ \t]*(?::=|=>|->|[:=,|(>])[ \t]*|([ \t]+)(?:(?:is|was|now|to)[ \t]+)*)"
    r"""(?:[\\("'`\[*]{0,4})"""
    r"""|[A-Za-z](\()["'`])"""  # Mistral("…
    r"([A-Za-z0-9][A-Za-z0-9_+-]{15,}(?::[0-9a-f]{32,64})?={0,2})"
)
_LONGEST_NAME = 48
_MOST_WORDS = 4
_WORD = TextPattern(rb"[A-Z]?[a-z]+[0-9]*|[A-Z]+(?![a-z])[0-9]*|[0-9]+[a-z]*")
_ENDINGS = (
    b"api",
    b"app",
    b"access",
    b"auth",
    b"secret",
    b"client",
    b"account",
    b"cloud",
    b"ai",
    b"io",
)
_MAKES = BETWEEN | frozenset(
    b"new init initialize configure connect setup create builder login open with".split()
)
"""Words of a function that makes a client of a service."""

_HEXADECIMAL = b"0123456789abcdefABCDEF"
_WORDS = Pattern("(?:^|[_+-])(?:[A-Z]?[a-z]{4,}|[A-Z]{5,})(?:[_+-]|$)")
"""A word between separators: `rate-limit-4999`."""

_WORD_BYTES = LETTERS + DIGITS
_NO_WORD = bytes(byte for byte in range(128) if byte not in _WORD_BYTES)
_LAST = SERVICES | _MAKES | frozenset((b"relic", b"face", b"japan", b"jp", b"biases"))
"""Words that may stand last before a key, in small letters: of a service's name, or after it."""

_SHORTEST_HEX = 20
_CONTINUES = (b"/", b".", b"~", b"@", b":", b"%", b"(", b"$", b"{")
"""Signs after a value that is the beginning of a path, a name or an expression."""


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for (first, _), (spaced, _), (call, _), (place, last) in _LABELLED.each(raw, start, end):
        value = raw[place:last]
        found = (
            (_may_name_service(raw, max(first, call)) or _is_own_name(raw, first))
            and raw[last : last + 1] not in _CONTINUES
            and _looks_drawn(value.partition(b":")[0], 16 if spaced == call else 20)
            and (_is_named(raw, first, spaced, value) if call < 0 else calls_service(raw, call))
            and not is_placeholder(value)
        )
        yield "service", place, last if found else place


def _is_named(raw: bytes, first: int, spaced: int, value: bytes) -> bool:
    """Return whether the name that ends behind `first` is of a service's key, or says by itself what it holds."""
    if _names_service(raw, first):
        return True
    if spaced >= 0:
        return _is_setting(raw, first, spaced)
    return _is_own_name(raw, first) and _DIGEST.occurs_in(value)


def _is_own_name(raw: bytes, first: int) -> bool:
    """Return whether a name at `first` is one under which vendors hand out keys of hexadecimal digits.

    A UUID under such a name is the id of an account.
    """
    return raw[first : first + 5].lower() in _OWN_NAMES


_OWN_NAMES = (b"repor", b"appid", b"subsc")
"""Beginnings of `reporter_id`, `appid` and `subscription`."""

_DIGEST = Pattern("^[0-9a-f]{32}[0-9a-f]*$")


def _is_setting(raw: bytes, first: int, last: int) -> bool:
    """Return whether a name from before `first` to `last` is a setting's, of one case, that holds a secret."""
    before = raw[max(0, first - _LONGEST_NAME) : first]
    name = before[len(before.rstrip(WORDLIKE)) :] + raw[first:last]
    if b"_" not in name or not _OF_ONE_CASE.occurs_in(name):
        return False
    return (classify_secret_name(name.decode()) or SecretKind.VAGUE) >= SecretKind.SECRET


_OF_ONE_CASE = Pattern("^(?:[A-Z][A-Z0-9_]*|[a-z][a-z0-9]*_[a-z0-9_]*)$")


def _may_name_service(raw: bytes, first: int) -> bool:
    """Return whether the word before `first` may be of a service's name. Most candidates fail here."""
    before = raw[max(0, first - _LONGEST_NAME) : first].rstrip(_NO_WORD)
    word = before[len(before.rstrip(_WORD_BYTES)) :]
    if not word or not (word.islower() or word.isdigit()):
        return True
    return word in _LAST or word.endswith(_ENDINGS)


def _looks_drawn(value: bytes, shortest: int) -> bool:
    """Return whether the value has a key's form: hexadecimal digits, a UUID, or letters mixed with digits."""
    digits = len(value) - len(remove_bytes(value, DIGITS))
    if digits < 2 or len(value) < shortest:
        return False
    if not remove_bytes(value, _HEXADECIMAL):
        return len(value) >= _SHORTEST_HEX and digits < len(value)
    if value[8:9] == b"-" and UUID.occurs_in(value):
        return True
    return not _WORDS.occurs_in(value) and len(set(value)) >= 8 and is_random(value, shortest)


def _names_service(raw: bytes, first: int) -> bool:
    """Return whether a service's name stands before `first`, with nothing but words like `api` between."""
    before = raw[max(0, first - _LONGEST_NAME) : first]
    line = before[max(before.rfind(b"\n"), before.rfind(b";")) + 1 :]
    if line is not before and not line.strip(b" \t-\"'"):
        line = _line_above(before[: len(before) - len(line)])
    return _lead_to_service([found[0].lower() for found in _WORD.finditer(line)], BETWEEN)


def _lead_to_service(words: list[bytes], between: frozenset[bytes]) -> bool:
    """Return whether the last of `words` are of `between`, and those before them name a service."""
    for last in range(len(words), max(0, len(words) - _MOST_WORDS), -1):
        if _is_service(words[last - 1]) or b"".join(words[max(0, last - 2) : last]) in SERVICES:
            return True
        if words[last - 1] not in between:
            return False
    return False


def calls_service(raw: bytes, place: int) -> bool:
    """Return whether the function that is called at `place` makes a client: `new Mistral(`, `datadog.Client(`."""
    before = raw[max(0, place - _LONGEST_NAME) : place]
    name = before[len(before.rstrip(WORDLIKE + b":")) :]
    return _lead_to_service([found[0].lower() for found in _WORD.finditer(name)], _MAKES)


def _is_service(word: bytes) -> bool:
    if word in SERVICES:
        return True
    if not word.endswith(_ENDINGS):
        return False
    return any(
        word.endswith(ending) and _is_service(word[: -len(ending)])
        for ending in _ENDINGS
        if word != ending
    )


def _line_above(before: bytes) -> bytes:
    """Return the line above if it opens a section: `datadog:`, `[datadog]`, `"datadog": {`."""
    line = before.rstrip()
    line = line[line.rfind(b"\n") + 1 :]
    opens = line.rstrip(b"{ ").endswith((b":", b"]", b"=")) or line.endswith(b"{")
    return line if opens and len(remove_bytes(line, LETTERS + DIGITS)) < 12 else b""


SERVICE_KEYS = Rule(
    "(?i)key|token|secret|api|pat[^h]|pats|auth|cred|passwo?r?d|reporter_id|appid|subscription"
    "|[a-z]\\([\"'`]",
    _find,
    max_candidates=4000,
)
"""A window has fewer candidates: most of them are dismissed by the form of their value, or by the word before."""
