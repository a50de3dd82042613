"""Tokens with their vendor's mark, by the rows of `vendors.toml` and by a person's own rows in the same form."""

import functools
import math
import pkgutil
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import re2

from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Rule, quiet_options
from hooklore.redaction.rules.candidate_checks import DIGITS, LETTERS, remove_bytes
from hooklore.redaction.rules.published import begins_as_published
from hooklore.redaction.rules.value_forms import is_drawn


class VendorRow(NamedTuple):
    """A form of a token: the label of its mask, its pattern, the literals that announce it, its least entropy.

    A token `at_word_start` begins no earlier than its word. One that is `marked_inside` has its keyword elsewhere
    than at its beginning.
    """

    label: str
    source: str
    pattern: Pattern
    keywords: tuple[bytes, ...]
    entropy: float
    at_word_start: bool
    marked_inside: bool


class RowProblem(NamedTuple):
    """A row of a person's that is left out, and why."""

    id: str
    cause: str


MOST_OWN_ROWS = 200
_INSIDE = 160
"""Bytes on each side of a keyword in which a token lies that does not begin with it."""

_LABEL = re.compile(r"[a-z]{1,16}")
_HONEST = (
    b"", b" ", b"a", b"the quick brown fox", b"src/app/main.py:12", b"v1.2.3", b"https://example.com/a?b=c",
    b"0123456789abcdef0123456789abcdef01234567", b"123e4567-e89b-42d3-a456-426614174000", b"2026-01-02T03:04:05Z",
    "パスワードを変更しました".encode(), b"const getUserName = (id) => users[id];", b"ERROR: command failed (1)",
)  # fmt: skip
"""Texts of every day, which no row may match."""


def read_rows(text: str) -> tuple[list[VendorRow], list[RowProblem]]:
    """Return a person's rows, and those that are left out.

    Left out are a row without a pattern, one whose pattern RE2 refuses or whose pattern matches an ordinary text,
    and what comes after `MOST_OWN_ROWS`. Raise `tomllib.TOMLDecodeError` for what is no TOML.
    """
    rows: list[VendorRow] = []
    problems: list[RowProblem] = []
    listed = tomllib.loads(text).get("rules", [])
    for number, fields in enumerate(listed if isinstance(listed, list) else [], 1):
        cause = _cause_to_leave_out(fields) if len(rows) < MOST_OWN_ROWS else "too many rows"
        if cause is None:
            rows.append(_row(fields))
        else:
            named = fields.get("id") if isinstance(fields, dict) else None
            problems.append(RowProblem(str(named or f"row {number}"), cause))
    return rows, problems


def _cause_to_leave_out(fields: Any) -> str | None:
    source = fields.get("regex") if isinstance(fields, dict) else None
    if not isinstance(source, str) or not source:
        return "it has no regex"
    try:
        compiled = re2.compile(source, quiet_options())
    except re2.error:
        return "RE2 does not take its regex"
    is_ordinary = any(compiled.search(text) for text in _HONEST)
    return "its regex matches ordinary text" if is_ordinary else None


def _row(fields: Mapping[str, Any]) -> VendorRow:
    label = _LABEL.match(str(fields.get("id", "")))
    listed, entropy = fields.get("keywords"), fields.get("entropy")
    keywords = (
        [word for word in listed if isinstance(word, str) and len(word) > 1]
        if isinstance(listed, list)
        else []
    )
    body = fields["regex"].removeprefix(r"\b")
    heads = tuple(re.escape(word).replace(r"\-", "-")[:3] for word in keywords)
    return VendorRow(
        label[0] if label else "token",
        body,
        Pattern(body),
        tuple(word.encode() for word in keywords),
        float(entropy) if isinstance(entropy, int | float) else 0.0,
        at_word_start=body != fields["regex"],
        marked_inside=not body.removeprefix("(?:").removeprefix("(").startswith(heads),
    )


_WORD_START = r"(?:\b|\\[nrt])"


class _Table:
    """All rows, and the patterns that find the places worth a look."""

    def __init__(self, rows: Sequence[VendorRow]) -> None:
        self.rows = rows
        self.without_keyword = [row for row in rows if not row.keywords]
        # Tokens that begin no word would begin at each place of a text of one word, such as base64.
        sources = (
            (_WORD_START if row.at_word_start else "") + row.source for row in self.without_keyword
        )
        self.any_without_keyword = Pattern("|".join(sources))
        self.scans = [
            _Scan([row for row in rows if row.keywords and row.at_word_start is at_word_start])
            for at_word_start in (False, True)
        ]


class _Scan:
    """The places where a keyword of some rows stands, which all begin at a word's start or none does.

    A pattern with the lengths of all tokens has more states than the engine keeps, and one of both kinds of
    beginnings has several times the states of two. Behind a short keyword the first characters are read, too.
    """

    def __init__(self, rows: Sequence[VendorRow]) -> None:
        self.rows: dict[bytes, list[tuple[bytes, VendorRow]]] = {}
        pairs = [(word, row) for row in rows for word in row.keywords]
        for word, row in sorted(pairs, key=lambda pair: -len(pair[0])):
            self.rows.setdefault(word[:2], []).append((word, row))
        self.places = Pattern("|".join(sorted({_beginning(row, word) for word, row in pairs})))

    def rows_at(self, raw: bytes, place: int) -> Iterator[VendorRow]:
        """Yield the rows of the keywords at a place, those of the longest first."""
        for word, row in self.rows.get(raw[place : place + 2], ()):
            if raw.startswith(word, place):
                yield row


def _beginning(row: VendorRow, word: bytes) -> str:
    """Return the pattern of a keyword, with what follows a short one at the beginning of a token."""
    before = _WORD_START if row.at_word_start and not row.marked_inside else ""
    follows = (
        _FOLLOWS.match(row.source) if len(word) < _LONG_KEYWORD and not row.marked_inside else None
    )
    behind = f"{follows[1]}{{{min(int(follows[2]), _LONG_KEYWORD)}}}" if follows else ""
    return before + re.escape(word.decode()) + behind


_LONG_KEYWORD = 8
_FOLLOWS = re.compile(r"(?:\(\?:[^()]*\))?(?:\\[^wdb]|[^\\\[({])*(\[[^\]]+\]|\\[wd])\{(\d+)")
"""The beginning of a pattern: literals, a class of characters and how many of them follow."""


@functools.cache
def _own_table() -> _Table:
    text = (pkgutil.get_data(__name__, "vendors.toml") or b"").decode()
    return _Table([_row(fields) for fields in tomllib.loads(text)["rules"]])


_person_rows: list[VendorRow] = []


def use_person_rows(rows: Sequence[VendorRow]) -> None:
    """Read `rows` beside those of `vendors.toml` from now on."""
    _person_rows[:] = rows
    _person_table.cache_clear()


@functools.cache
def _person_table() -> _Table:
    return _Table(_person_rows)


def is_certain(rules: Iterable[str]) -> bool:
    """Return whether one of the labels in masks is a private key's or a vendor's, and so no judgement."""
    rows = (*_own_table().rows, *_person_rows)
    return not {"pem", *(row.label for row in rows)}.isdisjoint(rules)


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    yield from _find_in(_own_table(), raw, start, end)
    if _person_rows:
        yield from _find_in(_person_table(), raw, start, end)


def _find_in(table: _Table, raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for scan in table.scans:
        position = start
        while scan.rows and (begins := scan.places.search(raw, position, end)):
            place = begins[0][0]
            place += 2 * (raw[place] == _BACKSLASH)
            label, span = _token(scan.rows_at(raw, place), raw, (start, place, end))
            yield label, *span
            position = max(span[1], place + 1)
    if table.without_keyword and table.any_without_keyword.search(raw, start, end):
        for row in table.without_keyword:
            yield from _find_row(row, raw, start, end)


def _find_row(row: VendorRow, raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for whole, *groups in row.pattern.each(raw, start, end):
        span = max(groups, default=whole)
        found = not (row.at_word_start and _in_word(raw, span[0])) and _is_token(
            row, raw[slice(*span)]
        )
        yield row.label, span[0], span[1] if found else span[0]


def _token(
    rows: Iterable[VendorRow], raw: bytes, around: tuple[int, int, int]
) -> tuple[str, ByteSpan]:
    """Return the label and the span of the token at the middle one of three offsets; an empty span without one."""
    start, place, end = around
    for row in rows:
        if row.marked_inside:
            stop = min(end, place + _INSIDE)
            found = row.pattern.search(raw, max(start, place - _INSIDE), stop)
            if found and found[0][1] == stop:
                found = row.pattern.match(raw, found[0][0], end)
            found = found if found and found[0][0] <= place else None
        else:
            found = row.pattern.match(raw, place, end)
        if found is None or (row.at_word_start and _in_word(raw, found[0][0])):
            continue
        span = max(found[1:], default=found[0])
        if raw[max(0, span[0] - 1) : span[0] + 1] in _ESCAPES:
            span = span[0] + 1, span[1]
        if span[0] <= place + _INSIDE and _is_token(row, raw[slice(*span)]):
            return row.label, span
    return "token", (place, place)


def _in_word(raw: bytes, place: int) -> bool:
    """Return whether a letter or digit precedes `place` that is no letter of an escape."""
    before = raw[max(0, place - 2) : place]
    return before[-1:] in _WORD_BYTES and before not in _ESCAPES and before != b""


_BACKSLASH = 0x5C
_ESCAPES = (b"\\n", b"\\r", b"\\t")
_WORD_BYTES = LETTERS + DIGITS + b"_"


def holds_token(text: bytes) -> bool:
    """Return whether a text holds a token with its vendor's mark."""
    return any(first < last for _, first, last in _find(text, 0, len(text)))


_PLACEHOLDER = Pattern(
    "(?i)example|x{6}|your[_-]?(?:api|key|token|secret|access)|placeholder|redacted|dummy"
    "|-(?:your|insert|replace|paste)-|[_-]here$"
)


def _is_token(row: VendorRow, token: bytes) -> bool:
    """Return whether `token` is a real token, and no compound of words (`sk-learn-…`) or documented example."""
    if _PLACEHOLDER.occurs_in(token) or not remove_bytes(token[-20:], b"xX*.0-_"):
        return False
    if not row.entropy:
        return True
    digits = len(token) - len(remove_bytes(token, DIGITS))
    if begins_as_published(token):
        return False
    shares = [count / len(token) for count in Counter(token).values()]
    entropy = -sum(share * math.log2(share) for share in shares)  # Shannon's, in bits a byte
    return entropy >= row.entropy and (digits > 1 or is_drawn(token))


VENDOR_TOKENS = Rule("", _find, max_candidates=4000)
"""Run without a prefilter: one pass for all keywords costs less than a prefilter with each of them."""
