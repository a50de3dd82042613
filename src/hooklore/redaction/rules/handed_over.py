"""Secrets that a script types or prints some steps behind their name: `locator("#password").fill("…")`."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import is_placeholder
from hooklore.redaction.rules.value_forms import Form, form_of

_TYPED = Pattern(
    r"""(?i)\b(?:pass\w*|pwd?|secret|token|otp)\b[^\r\n]*?(?:type|fill|keys|send|set_?value|enter|input)[ \t]*"""
    r"""\(?[ \t]*["']([^"'\s]+)["']"""
)
_PRINTED = Pattern(
    r"""(?i)(?:pass|secret|token|cred)[\w-]*[ =]+["'<(]+(?:echo|printf)[ \t]+["']?([^\s"'$<>()][^\s"'<>()]*)"""
)
_FARTHEST = 96
_SHORTEST = 6
_FIELD = Pattern(
    r"""(?i)\b(?:type|fill|send_?keys|set_?value|enter|input)\([ \t]*["']"""
    r"""[^"'\r\n]*\b(?:pass\w*|pwd?|secret|token|otp)\b[^"'\r\n]*["'][ \t]*,[ \t]*["']([^"'\s]+)["']"""
)
_SECURED = Pattern(r"(?i)\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?\$(\w+)")
_VARIABLE = Pattern(r"""\$(\w+)[ \t]*=[ \t]*["']([^"'\s]+)["']""")


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for pattern in (_TYPED, _PRINTED):
        for (begin, _), (first, last) in pattern.each(raw, start, end):
            value = raw[first:last].removesuffix(b"\\r").removesuffix(b"\\n")
            found = first - begin <= _FARTHEST and form_of(value) >= Form.WORD_AND_DIGITS
            found = found and not is_placeholder(value)
            yield "assigned", first, first + len(value) if found else first
    for _, (first, last) in _FIELD.each(raw, start, end):
        found = form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
        yield "assigned", first, last if found else first
    yield from _find_variables(raw, start, end)


def _find_variables(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the text of a variable that the script makes a `SecureString`."""
    names = {raw[slice(*name)].lower() for _, name in _SECURED.each(raw, start, end)}
    for _, name, value in _VARIABLE.each(raw, start, end) if names else ():
        found = raw[slice(*name)].lower() in names and value[1] - value[0] >= _SHORTEST
        yield "assigned", value[0], value[found]


HANDED_OVER = Rule(
    r"""(?i)(?:type|fill|keys|send|value|enter|input)[ \t]*\(?[ \t]*["']|["'(](?:echo|printf) """
    r"|ConvertTo-SecureString",
    _find,
)
