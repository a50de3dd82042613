"""Secrets on command lines, found by the shape of a flag and its value in any program."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import (
    DIGITS,
    KNOWN_ID,
    count_class_changes,
    is_placeholder,
    remove_bytes,
)
from hooklore.redaction.rules.value_forms import Form, form_of

_VALUE = r"""["']?([^\s"'`$<>|;&(){}\[\]/-][^\s"'`<>|;&(){}\[\]/]{5}[^\s"'`<>|;&(){}\[\]/]*)"""
_PASSWORD_FLAG = Pattern(rf"[ \t][-/](?:p|P|pw|pwd|pass|w|W)(?:[ \t]+|=|:)?{_VALUE}")
_USER_FLAG = Pattern(
    r"[ \t](?:-u|-U|-l|-L|-D|--user(?:name)?|--login|--uid|--account|--email|/u|/user)(?:[ \t]+"
    r"|[=:])?[\"']?[A-Za-z_]"
)
_TOKEN_FLAG = Pattern(
    rf"[ \t](?:-a|-b|-c|-k|-K|-s|-S|-t|-T|-x|--?auth|--?body|--?value)(?:[ \t]+|=){_VALUE}"
)
_VALUE_FLAG = Pattern(
    rf"[ \t]--?(?:value|data|body|content|text|string|literal)(?:[ \t]+|=){_VALUE}"
)
_PAIR_FLAG = Pattern(
    r"[ \t](?:-u|-U|-a|-A|--?[a-z-]*user(?:name|pass)?|--?[a-z-]*auth|--?creds?|--?credentials?"
    r"|--?login)(?:[ \t]+|=)"
    r"""["']?([A-Za-z_][\w.@+-]{0,63})[:%,]([^\s"'`$<>|;&(){}\[\]/:][^\s"'`<>|;&]{3}[^\s"'`<>|;&]*)"""
)
_HERE = Pattern(rf"<<<[ \t]*{_VALUE}")
_DECODED = Pattern(
    r"""(?:echo|printf"""
    r"""|<<<)[ \t]+(?:-\w+[ \t]+)*["']?([A-Za-z0-9+/]{12}[A-Za-z0-9+/]*={0,2})["']?[ \t]*\|[ \t]*(?:base64"""
    r"""|openssl base64|openssl enc -base64)"""
    r"""[ \t]+-(?:d|D|-decode)\b([^\r\n]*)"""
)
_ENCRYPTED = Pattern(
    rf"(?:--|\b)encrypt(?:_string|ion[_-]?key)?[ \t=]+{_VALUE}(?:[\"']?[ \t]+{_VALUE})?"
)
_COMMENTED = Pattern(
    r"""["'=: \t]([A-Za-z0-9_+/=.~!@#$%^&*-]{8}[^\s"'`,;()]*)(?:["';,)]+[ \t]*|[ \t]+)(?:#|//|--"""
    r"""|/\*)[ \t]*(?i:[\w -]*?"""
    r"""\b(?:passw(?:or)?d|passphrase|pwd?|secret|token|credentials?|(?:api|access|signing"""
    r"""|private)[ _-]?key)\b)[^\r\n:=]*(?:\r?\n|\z)"""
)
_NAMES_SECRET = Pattern(r"(?i)pass|pwd|secret|token|key|cred|auth|sudo\b.*-S|login|kinit|\bsu\b")


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, (first, last) in _PASSWORD_FLAG.each(raw, start, end):
        yield "assigned", first, last if _is_password(raw, start, first, last) else first
    for _, (first, last) in _TOKEN_FLAG.each(raw, start, end):
        value = raw[first:last]
        found = form_of(value) is Form.KEY and _is_token(value)
        yield "assigned", first, last if found else first
    for _, (first, last) in _VALUE_FLAG.each(raw, start, end):
        line = max(raw.rfind(b"\n", start, first) + 1, first - 256)
        found = form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
        found = found and _NAMES_SECRET.search(raw, line, first) is not None
        yield "assigned", first, last if found else first
    for _, _, (first, last) in _PAIR_FLAG.each(raw, start, end):
        value = raw[first:last]
        found = form_of(value) >= Form.WORD_AND_DIGITS and not is_placeholder(value)
        yield "assigned", first, last if found else first
    for _, (first, last) in _HERE.each(raw, start, end):
        found = form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
        found = found and raw[last : last + 2] != b"  "  # the line of a file of checksums
        yield "assigned", first, last if found else first
    for _, *places in _ENCRYPTED.each(raw, start, end):
        for first, last in places:
            yield (
                "assigned",
                first,
                last if form_of(raw[first:last]) >= Form.WORD_AND_DIGITS else first,
            )
    for _, (first, last) in _COMMENTED.each(raw, start, end):
        value = raw[first:last]
        found = form_of(value) >= Form.CHOSEN and not value.endswith(b"=")
        found = found and not KNOWN_ID.occurs_in(value)
        yield "assigned", first, last if found else first
    for _, (first, last), (rest, rest_end) in _DECODED.each(raw, start, end):
        found = _NAMES_SECRET.search(raw, rest, rest_end) is not None
        yield "encoded", first, last if found else first


def _is_password(raw: bytes, start: int, first: int, last: int) -> bool:
    """Return whether the argument of `-p` is a password, and no port, folder or package."""
    value = raw[first:last]
    form = form_of(value)
    if form < Form.WORD_AND_DIGITS or b"=" in value[:-1]:
        return False
    if form is Form.KEY and _is_token(value) and not KNOWN_ID.occurs_in(value):
        return raw[last : last + 1] != b"/"  # else the beginning of a public key in base64
    if form is Form.CHOSEN and (count_class_changes(value) >= 5 or b"!" in value or b"#" in value):
        return True
    line = raw.rfind(b"\n", start, first) + 1
    stop = raw.find(b"\n", last, last + 256)
    begin, stop = max(start, line, first - 256), stop if stop >= 0 else min(len(raw), last + 256)
    return _USER_FLAG.search(raw, begin, stop) is not None


def _is_token(value: bytes) -> bool:
    """Return whether a value has letters of both cases and digits, as ids in hexadecimal digits have not."""
    has_digits = len(remove_bytes(value, DIGITS)) < len(value)
    return has_digits and not value.islower() and not value.isupper() and b"." not in value


COMMAND_FLAGS = Rule(
    r"""[ \t][-/](?:p|P|pw|pwd|pass|w|W)(?:[ \t]+|=|:)?["']?[^\s"'`$<>|;&(){}\[\]/-]"""
    r"""[^\s"'`<>|;&(){}\[\]/]*(?:[^\sA-Za-z_./"'`<>|;&(){}\[\]-]|[a-z][A-Z])"""
    r"""|[ \t](?:-[abckKsStTx]|--?(?:auth|body|value|data|content|text|string|literal))(?:[ \t]+|=)"""
    r"""["']?[^\s"'`]*[0-9]"""
    r"""|[ \t](?:-[uUaA]|--?[a-z-]*user(?:name|pass)?|--?[a-z-]*auth|--?creds?|--?credentials?"""
    r"""|--?login)(?:[ \t]+|=)["']?[A-Za-z_][\w.@+-]*[:%,]"""
    r"""|<<<|\|[ \t]*(?:base64|openssl)|encrypt[ \t_i=]|(?:["';,)][ \t]*|[ \t])(?:#|//|--"""
    r"|/\*)[ \t]*(?i:[\w -]*(?:pass|pw|secret|token|cred|key))",
    _find,
)
