"""Secrets that a protocol sends apart from their name: multipart forms, FTP, POP3, IRC."""

from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules import candidate_checks
from hooklore.redaction.rules.assignments import is_quoted_secret
from hooklore.redaction.rules.names import SENSITIVE_KEYWORD, classify_keyword

_FORM = Pattern(
    rf'(?i)form-data;[ \t]*name="([\w-]*?)({SENSITIVE_KEYWORD})([\w-]*)"\r?\n'
    r"(?:[\w-]+:[^\r\n]*\r?\n)?\r?\n([^\r\n]{4,})"
)


def _find_forms(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the secret fields of a multipart form."""
    for _, before, word, after, (first, last) in _FORM.each(raw, start, end):
        kind = classify_keyword(raw[slice(*word)], raw[slice(*before)], raw[slice(*after)])
        found = kind is not None and is_quoted_secret(kind, raw[first:last])
        yield "assigned", first, last if found else first


_SIDE = r"(?:[CS>]: ?|-*> ?)?"
_SENT = Pattern(
    rf"(?m)^{_SIDE}USER[ \t]+\S[^\r\n]*\r?\n(?:[^\r\n]*\r?\n)?{_SIDE}PASS[ \t]+(\S{{4,}})[ \t]*\r?$"
    r"|^PASS[ \t]+(\S{4,})[ \t]*\r?\n(?:NICK|USER)[ \t]"
    rf"|^{_SIDE}\w+[ ]LOGIN[ ]+\"?[^\s\"]+\"?[ ]+\"?([^\s\"]{{4,}})\"?[ \t]*\r?$"
)


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    yield from _find_forms(raw, start, end)
    yield from _find_sent(raw, start, end)


def _find_sent(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the argument of `PASS` beside a line with the user, and the second one of IMAP's `LOGIN`."""
    for _, *places in _SENT.each(raw, start, end):
        first, last = max(places)
        value = raw[first:last]
        found = not candidate_checks.is_placeholder(value) and not candidate_checks.is_variable(
            value
        )
        yield "assigned", first, last if found else first


SENT_FIELDS = Rule("form-data;|PASS[ \t]|[ ]LOGIN[ ]", _find)
