"""Secrets that a script types or prints some steps behind their name: `locator("#password").fill("…")`."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import is_placeholder
from hooklore.redaction.rules.value_forms import Form, form_of

_TYPED = Pattern(
    r"""(?i)\b(?:pass\w*|pwd?|secret|token|otp)\b[^\r\n]*?(?:type|fill|keys|send|set_?value|enter|input)[ \t]*"""
    r"""\(?[ \t]*["']([^"'\s]{6}[^"'\s]*)["']"""
)
_PRINTED = Pattern(
    r"""(?i)(?:pass|secret|token|cred)[\w-]*[ =]+["'<(]+(?:echo|printf)[ \t]+["']?([^\s"'$<>()]{6}[^\s"'<>()]*)"""
)
_FARTHEST = 96


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for pattern in (_TYPED, _PRINTED):
        for (begin, _), (first, last) in pattern.each(raw, start, end):
            value = raw[first:last].removesuffix(b"\\r").removesuffix(b"\\n")
            found = first - begin <= _FARTHEST and form_of(value) >= Form.WORD_AND_DIGITS
            found = found and not is_placeholder(value)
            yield "assigned", first, first + len(value) if found else first


HANDED_OVER = Rule(
    r"""(?i)(?:type|fill|keys|send|value|enter|input)[ \t]*\(?[ \t]*["']|["'(](?:echo|printf) """,
    _find,
)
