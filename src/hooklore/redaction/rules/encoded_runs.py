"""Secrets written one character or one byte at a time, or in pieces, beside their name."""

import re
from collections.abc import Iterator

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.candidate_checks import remove_bytes
from hooklore.redaction.rules.names import SENSITIVE_KEYWORD, SecretKind, classify_keyword
from hooklore.redaction.rules.value_forms import Form, form_of

_HEX = "[0-9A-Fa-f]"
_ESCAPES = (
    rf"(?:\\{{1,2}}x{_HEX}{{2}}){{6,}}|(?:\\{{1,2}}[0-3]?[0-7]{{2}}){{6,}}|(?:%u{_HEX}{{4}}){{6,}}"
    rf"|(?:\\{{1,2}}u(?:\{{{_HEX}{{2,5}}\}}|{_HEX}{{4}})){{6,}}|(?:&#x?{_HEX}{{2,5}};){{6,}}|(?:%{_HEX}{{2}}){{6,}}"
)
_NUMBERS = (
    rf"(?:0[xX]{_HEX}{{2}},?\s*){{6,}}|(?:[0-9]{{2,3}},\s*){{6,}}[0-9]{{2,3}}|(?:[01]{{8}}[ ,]*){{6,}}"
    rf"|(?:{_HEX}{{2}}[: ]){{6,}}{_HEX}{{2}}"
)
_SPELLED = r"(?:'[!-~]',?\s*){6,}|(?:\"[!-~]\",?\s*){6,}|\b(?:[!-~][ -]){7,}[!-~]"
_GROUPS = rf"(?:{_HEX}{{4}} ){{7,}}{_HEX}{{4}}|(?:[A-Z0-9]{{4,5}}-){{3,}}[A-Z0-9]{{4,5}}"
_RUN = Pattern(rf"({_ESCAPES})|({_NUMBERS})|({_SPELLED})|\b({_GROUPS})\b")
_CALL = Pattern(
    r"(?i)(?:\w*base_?64\w*|b64\w*|atob|decode\w*|fromhex|unhexlify|hex2bin|unescape|rot13|reverse\w*)(?:\.\w+)?\("
    r"""[^"'()\r\n]*["']([^"'\s]{8}[^"'\s]*)["']|\$\((?:echo|printf)(?:[ ]+-\w+)*[ ]+["']?([^"'\s$|]{6}[^"'\s|]*)"""
)
_PIECES = Pattern(
    r"""\[\s*((?:["'][\w+/=.!@#$%^&*~-]{3,}["']\s*,\s*)+["'][\w+/=.!@#$%^&*~-]{3,}["'])\s*\]\s*\.join\((?:''|""|``)?\)"""
    r"""|["']["']\.join\(\s*[\[(]\s*((?:["'][\w+/=.!@#$%^&*~-]{3,}["']\s*,\s*)+["'][\w+/=.!@#$%^&*~-]{3,}["'])"""
)
_PIECE = Pattern(r"""["']([^"'\s]+)["']""")
_NAME = Pattern(rf"(?i)([\w.-]*?)({SENSITIVE_KEYWORD})([\w-]*)")
_COMMENT = Pattern(r"""[^\r\n]*?(?:#|//|/\*|--|;)([^\r\n]*)""")
_SPELLS_NAME = Pattern("(?i)passw(?:or)?d|secret|token|apikey")
_PUBLIC = Pattern(
    r"(?i)fingerprint|public|sha-?\d|md5|digest|checksum|signature|primary|serial|\bmac\b"
)
_BEFORE, _AFTER = 96, 128


def _find(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    for _, *kinds in _RUN.each(raw, start, end):
        place = next(index for index, span in enumerate(kinds) if span[0] >= 0)
        first, last = kinds[place]
        last = first + len(raw[first:last].rstrip(b", \t\r\n"))
        named = _is_named(raw, start, first, last)
        if (
            place == 2
            and named is None
            and _SPELLS_NAME.occurs_in(remove_bytes(raw[first:last], b" -"))
        ):
            named = SecretKind.PASSWORD
        found = named is not None and _is_said(place, raw[first:last], named)
        yield "encoded", first, last if found else first
    for _, *spans in _CALL.each(raw, start, end):
        first, last = max(spans)
        found = _is_named(raw, start, first, last) is not None and len(set(raw[first:last])) >= 6
        found = found and form_of(raw[first:last]) >= Form.WORD_AND_DIGITS
        yield "encoded", first, last if found else first
    for _, *spans in _PIECES.each(raw, start, end):
        first, last = max(spans)
        pieces = [piece[1] for piece in _PIECE.each(raw, first, last)]
        whole = b"".join(raw[a:b] for a, b in pieces)
        least = Form.KEY if _is_named(raw, start, first, last) is None else Form.WORD_AND_DIGITS
        found = form_of(whole) >= least
        yield from (("assigned", a, b if found else a) for a, b in pieces)


def _is_named(raw: bytes, start: int, first: int, last: int) -> SecretKind | None:
    """Return the kind of the last name before a run in its line, or else of one in the comment behind it."""
    line = max(start, raw.rfind(b"\n", start, first) + 1, first - _BEFORE)
    stop = min(len(raw), last + _AFTER)
    if _PUBLIC.search(raw, line, first):
        return None
    if kind := _last_kind(raw, line, first):
        return kind
    comment = _COMMENT.match(raw, last, stop)
    return _last_kind(raw, *comment[1]) if comment else None


def _last_kind(raw: bytes, first: int, last: int) -> SecretKind | None:
    kinds = [
        classify_keyword(*(raw[slice(*found[place])] for place in (2, 1, 3)))
        for found in _NAME.each(raw, first, last)
    ]
    return max((kind for kind in kinds if kind is not None), default=None)


def _is_said(place: int, run: bytes, kind: SecretKind) -> bool:
    """Return whether a run of this sort reads as a secret."""
    if place == 3:
        joined = remove_bytes(run, b" -")
        return kind >= SecretKind.SECRET and not joined.isdigit() and not joined.isalpha()
    if place == 2:
        said = (
            remove_bytes(run, b" -") if run[:1] not in b"'\"" else b"".join(_CHARACTER.findall(run))
        )
        return form_of(said) >= Form.WORD_AND_DIGITS
    codes = _decoded(run)
    return len(codes) >= 6 and len(set(codes)) >= 4 and all(32 <= code <= 126 for code in codes)


_CHARACTER = re.compile(rb"""["']([!-~])["']""")
_UNIT = re.compile(
    rb"\\+x([0-9A-Fa-f]{2})|\\+u\{?([0-9A-Fa-f]{2,5})\}?|%u([0-9A-Fa-f]{4})|&#x([0-9A-Fa-f]{2,5});"
    rb"|0[xX]([0-9A-Fa-f]{2})|%([0-9A-Fa-f]{2})|\\+([0-7]{2,3})|([01]{8})|&#([0-9]{2,5});|([0-9]{2,3})(?=,|$)"
    rb"|([0-9A-Fa-f]{2})"
)


def _decoded(run: bytes) -> list[int]:
    """Return the codes of the characters that the run spells."""
    bases = (16, 16, 16, 16, 16, 16, 8, 2, 10, 10, 16)
    return [
        int(unit[unit.lastindex or 1], bases[(unit.lastindex or 1) - 1])
        for unit in _UNIT.finditer(run)
    ]


ENCODED_RUNS = Rule(
    r"(?i)\\x\w\w\\+x|\\[01]\d\d\\+[01]\d|%u00|\\u(?:00|\{)\w+\}?\\+u|;&#"
    r"|[\[{(] ?(?:0x\w\w,|\d+, ?\d+, ?\d+, ?\d+,|'.', ?')"
    r"|[:=>] (?:\w \w \w \w \w |\w\w[: ]\w\w[: ]\w\w[: ])| \w-\w-\w-\w-\w-|[01]{8} [01]{8}"
    r"|(?:phrase|private key|secret)[^\n]* \w\w\w\w[ -]\w\w\w\w[ -]\w\w\w\w[ -]"
    r"|\]\s*\)?\.join\(|['\"]\.join\("
    r"|(?:64\w*|atob|decode\w*|fromhex|unhexlify|hex2bin|unescape|rot13|reverse\w*)\([\"']|\$\((?:echo|printf) ",
    _find,
)
