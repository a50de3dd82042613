"""Tokens with their issuer's prefix, in the formats that the vendors publish."""

import functools
from collections.abc import Iterator
from itertools import chain
from typing import Any

import re2

from hooklore.redaction.pattern import Candidate, Pattern, Rule, quiet_options
from hooklore.redaction.rules.candidate_checks import DIGITS, LETTERS, remove_bytes
from hooklore.redaction.rules.value_forms import is_drawn
from hooklore.redaction.rules.vendor_formats import AT_WORD_START, DISTINCT, MARKED_INSIDE

_WEAK = frozenset("vault modal mollie voyage tencent render fireworks".split())
"""Vendors with a short prefix, whose tokens must have both cases and digits."""


def _any(rows: tuple[tuple[str, str, str], ...]) -> str:
    return "|".join(start for _, start, _ in rows)


_ALL = DISTINCT + AT_WORD_START
_START = Pattern(_any(DISTINCT))
_WORD_START = Pattern(rf"(?:\b|\\[nrt])(?:{_any(AT_WORD_START)})")
"""Beginnings only: one pattern with the lengths of all tokens has more states than the engine keeps. A pattern of
both kinds of beginnings has several times the states of two patterns."""

_WHOLE = tuple(Pattern(f"(?:{start})(?:{rest})") for _, start, rest in _ALL)
_LONGEST_START = 64
_MARK = Pattern("|".join(f"({mark})" for _, mark, _ in MARKED_INSIDE))
_BEFORE = tuple(Pattern(before) for _, _, before in MARKED_INSIDE)
_LONGEST_BEFORE = 160
_PLACEHOLDER = Pattern(
    "(?i)example|x{6}|your[_-]?(?:api|key|token|secret|access)|placeholder|redacted|dummy"
    "|-(?:your|insert|replace|paste)-|[_-]here$"
)
_BACKSLASH = 0x5C
_ESCAPES = (b"\\n", b"\\r", b"\\t")
_WORD_BYTES = LETTERS + DIGITS + b"_"


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    return _find_tokens(_START, raw, start, end)


def _find_at_word_start(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    return _find_tokens(_WORD_START, raw, start, end)


def holds_token(text: bytes) -> bool:
    """Return whether a text holds a token with its vendor's mark."""
    found = chain(_find(text, 0, len(text)), _find_at_word_start(text, 0, len(text)))
    return any(first < last for _, first, last in found)


def _find_tokens(beginning: Pattern, raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while begins := beginning.search(raw, position, end):
        place = begins[0][0]
        place += 2 * (raw[place] == _BACKSLASH)
        vendor, last = _token(raw, place, end)
        found = last > place and _is_token(vendor, raw[place:last])
        yield vendor, place, last if found else place
        position = max(last, place + 1)


def _token(raw: bytes, place: int, end: int) -> tuple[str, int]:
    """Return the vendor of the token at `place`, and its end, which is `place` if there is no token."""
    for row in sorted(_prefixes().Match(raw[place : place + _LONGEST_START]) or ()):
        if row >= len(DISTINCT) and _in_word(raw, place):
            break
        if whole := _WHOLE[row].match(raw, place, end):
            return _ALL[row][0], whole[0][1]
    return "token", place


def _in_word(raw: bytes, place: int) -> bool:
    """Return whether a letter or digit precedes `place` that is no letter of an escape."""
    before = raw[max(0, place - 2) : place]
    return before[-1:] in _WORD_BYTES and before not in _ESCAPES and before != b""


def _find_marked(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for (mark, last), *groups in _MARK.each(raw, start, end):
        place = next(index for index, span in enumerate(groups) if span[0] >= 0)
        before = raw[max(0, mark - _LONGEST_BEFORE) : mark]
        found = _BEFORE[place].search(before, 0, len(before))
        first = mark - len(before) + found[0][0] if found else last
        vendor = MARKED_INSIDE[place][0]
        yield vendor, first if _is_token(vendor, raw[first:last]) else last, last


def _is_token(vendor: str, token: bytes) -> bool:
    """Return whether `token` is a real token, and no compound of words (`sk-learn-…`) or documented example."""
    if _PLACEHOLDER.occurs_in(token) or not remove_bytes(token[-20:], b"xX*.0-_"):
        return False
    if vendor in _WEAK:
        digits = len(token) - len(remove_bytes(token, DIGITS))
        return digits >= 2 and not token[4:].islower() and not token[4:].isupper()
    if vendor == "token":
        return token[:3] != b"pk_" and len(token) - len(remove_bytes(token, DIGITS)) >= 3
    if token[:3] != b"sk-" or len(token) - len(remove_bytes(token, DIGITS)) >= 2:
        return True
    return is_drawn(token)


@functools.cache
def _prefixes() -> Any:
    """Return all beginnings as one set, which gives the row of a token."""
    prefixes = re2.Set.SearchSet(quiet_options())
    for _, start, _ in _ALL:
        prefixes.Add(f"^(?:{start})")
    prefixes.Compile()
    return prefixes


MARKED_TOKENS = Rule(
    r"NRAL|AZDO|JQQJ99|\dQ~|:APA91b|jsn[0-9a-z]{6}|-us[0-9]|\.atlasv1\.|:fx\b|dB04t89/|\.contribsys\.|@41058",
    _find_marked,
    max_candidates=4000,
)
VENDOR_TOKENS = Rule("", _find, max_candidates=4000)
WORD_TOKENS = Rule("", _find_at_word_start, max_candidates=4000)
"""Run without a prefilter: one pass for all prefixes costs less than a prefilter with each of them."""
