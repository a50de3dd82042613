"""Secrets whose name stands apart: in a column's head, an element's tag, a manifest of kind Secret."""

import bisect
from collections.abc import Iterator, Sequence

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.assignments import is_quoted_secret
from hooklore.redaction.rules.candidate_checks import is_random, is_variable
from hooklore.redaction.rules.names import SecretKind, classify_secret_name
from hooklore.redaction.rules.value_forms import Form, form_of

# ---- tables

_NAMES = (
    r"pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|api[_ -]?key|credential|passwort|kennwort"
    r"|mot de passe|mdp|contraseña"
    r"|senha|パスワード|パスフレーズ|トークン|シークレット|APIキー|暗証番号|密码|密碼|密钥|口令|비밀번호|토큰|пароль"
)
_CELL_ENDS = (
    rf"(?i)(?:{_NAMES})s?[\w()]*\"?[ \t]*(?:[|│┃\t]|[,;][\"\p{{L}}_])"
    rf"|[|│┃\t,;]\"?[\w .]*(?:{_NAMES})s?[\w()]*\"?[ \t]*\r?\n"
)
_HEAD = Pattern(_CELL_ENDS)
_SEPARATORS = ("|", "│", "┃", "\t", ",", ";")
_MARKS = b"|,;\t\x94"
"""A byte of each separator."""

_RULE_LINE = frozenset(" \t|+-=:│┃─┼━╋╂├┤└┘┴┬┌┐╞╪╡═║╠╬╣")
_MOST_ROWS = 400
_LONGEST_LINE = 1024


def _find_tables(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the cells below the names of secrets in the heads of tables."""
    position = start
    while found := _HEAD.search(raw, position, end):
        first = max(start, raw.rfind(b"\n", start, found[0][0]) + 1)
        stop = raw.find(b"\n", found[0][0], end)
        position = end if stop < 0 else stop
        yield "assigned", position, position
        if (
            0 < stop - first < _LONGEST_LINE
            and len(raw[first:stop].translate(None, _MARKS)) < stop - first
        ):
            for name, place, last in _rows(raw, raw[first:stop], stop, end):
                yield name, place, last
                position = max(position, last)


def _rows(raw: bytes, head: bytes, place: int, end: int) -> Iterator[Candidate]:
    """Yield the cells below a head, and an empty candidate at the end of each row. A row may be a head."""
    separator, kinds = _columns(head)
    while any(kinds) and place < end:
        line_end = raw.find(b"\n", place + 1, end)
        line_end = end if line_end < 0 else line_end
        row = raw[place + 1 : min(line_end, place + _LONGEST_LINE)]
        line = row.decode("utf-8", "ignore").rstrip("\r")
        if not line or not _RULE_LINE.issuperset(line):
            cells = _cells(line, separator)
            if len(cells) != len(kinds):
                return
            others = _columns(row)[1] if _HEAD.occurs_in(row + b"\n") else ()
            if any(others):
                kinds = others
            else:
                yield from _secret_cells(place + 1, cells, kinds, separator)
        yield "assigned", line_end, line_end
        place = line_end


def _columns(head: bytes) -> tuple[str, Sequence[SecretKind | None]]:
    """Return the separator of a table's head, and for each column the kind of secret that its name announces."""
    line = head.decode("utf-8", "ignore").rstrip("\r")
    separator = next((each for each in _SEPARATORS if each in line), "|")
    kinds = [_kind(cell) for cell in _cells(line, separator)]
    if len(kinds) < 2 or (separator in ",;" and not _names_columns(line, separator)):
        return separator, ()
    return separator, kinds


def _secret_cells(
    place: int, cells: Sequence[str], kinds: Sequence[SecretKind | None], separator: str
) -> Iterator[Candidate]:
    for cell, kind in zip(cells, kinds, strict=True):
        value = cell.strip(" \t\"'`*")
        if kind is not None and _is_cell(value, kind, separator):
            first = place + len(cell[: cell.index(value)].encode())
            yield "assigned", first, first + len(value.encode())
        place += len(cell.encode()) + len(separator.encode())


def _cells(line: str, separator: str) -> list[str]:
    return line.split(separator)


def _kind(cell: str) -> SecretKind | None:
    name = cell.strip(" \t\"'`*")
    if not name or len(name) > 40:
        return None
    kind = classify_secret_name(name.replace(" ", "_"))
    if kind is None and _NATIVE_NAME.occurs_in(name.encode()):
        kind = SecretKind.PASSWORD
    return None if kind is SecretKind.VAGUE else kind


_NATIVE_NAME = Pattern(
    r"(?i)(?:パスワード|パスフレーズ|トークン|シークレット|APIキー|暗証番号"
    r"|密码|密碼|密钥|口令|비밀번호|토큰|пароль|passwort|kennwort|mot de passe|mdp"
    r"|contraseña|senha)$"
)


def _names_columns(head: str, separator: str) -> bool:
    """Return whether the line consists of column names, as in a file of values, and is no sentence or code."""
    cells = [cell.strip(" \t\"'\r") for cell in head.split(separator)]
    return all(
        cell
        and len(cell) <= 32
        and cell.replace("_", "").replace(" ", "").replace("-", "").isalnum()
        for cell in cells
    )


def _is_cell(value: str, kind: SecretKind, separator: str) -> bool:
    raw = value.encode()
    if is_variable(raw) or len(raw) < 4:
        return False
    if form_of(raw) >= Form.WORD_AND_DIGITS or is_random(raw, 16):
        return True
    return (
        separator in "|│┃"
        and kind is SecretKind.PASSWORD
        and any(map(str.isdigit, value))
        and is_quoted_secret(kind, raw)
    )


# ---- elements

_ELEMENT = Pattern(
    r"<((?:[\w.-]{1,40}:)?[A-Za-z_][\w.-]{1,60})(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?([^<>\s][^<>]{2}[^<>]*?)\s*(?:\]\]>|</)"
)
_LONGEST_TEXT = 500
"""Bytes of an element's text that may be a secret. The pattern does not count them, which would take a MB."""


def _find_elements(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the text of elements whose name ends in a secret's word."""
    position = start
    while found := _ELEMENT.search(raw, position, end):
        name = raw[slice(*found[1])].decode("utf-8", "ignore").rpartition(":")[2]
        first, last = found[2]
        kind = classify_secret_name(name)
        is_secret = (
            kind is not None
            and last - first <= _LONGEST_TEXT
            and is_quoted_secret(kind, raw[first:last])
            and not is_variable(raw[first:last])
        )
        yield "assigned", first, last if is_secret else first
        position = last if is_secret else found[1][1]


# ---- manifests

_KIND = Pattern(
    r"""(?m)(?:^|[{,])[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?(?:Sealed)?Secret(?:List)?\b"""
)
_DATA = Pattern(r"(?m)^([ \t]*)(?:data|stringData):[ \t]*\r?\n")
_ENTRY = Pattern(
    r"""[ \t]*["']?[\w./-]{1,128}["']?:[ \t]*["']?([^\s"'#|>{][^\r\n"']*?)["']?[ \t]*(?:\r?\n|\z)"""
)
_BLOCK_ENTRY = Pattern(r"[ \t]*[\w./-]{1,128}:[ \t]*[|>][+-]?[ \t]*\r?\n")
_OBJECT = Pattern(r"""["'](?:data|stringData)["'][ \t]*:\s*\{([^{}]+)\}""")
_MEMBER = Pattern(r""":\s*"([^"\r\n]+)\"""")
_NEAR = 16 * 1024


def _find_manifests(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield every value of a Kubernetes secret."""
    kinds = [found[0][0] for found in _KIND.each(raw, start, end)]
    if not kinds:
        return
    ends = [found[0][0] for found in _DOCUMENT_ENDS.each(raw, start, end)]
    position = start
    for (_, place), (first, last) in _DATA.each(raw, start, end):
        if place >= position and _is_of_secret(kinds, ends, place):
            for name, begin, stop in _entries(raw, place, end, last - first):
                yield name, begin, stop
                position = max(position, stop)
    for (_, stop), (first, last) in _OBJECT.each(raw, start, end):
        if _is_of_secret(kinds, ends, stop):
            for _, (a, b) in _MEMBER.each(raw, first, last):
                yield "assigned", a, b


_DOCUMENT_ENDS = Pattern(r"\n---")


def _is_of_secret(kinds: list[int], ends: list[int], place: int) -> bool:
    """Return whether the document around `place` says that it is of kind Secret, not too far away."""
    border = bisect.bisect_right(ends, place)
    begin = max(ends[border - 1] if border else 0, place - _NEAR)
    stop = min(ends[border] if border < len(ends) else place + _NEAR, place + _NEAR)
    nearest = bisect.bisect_left(kinds, begin)
    return nearest < len(kinds) and kinds[nearest] < stop


def _entries(raw: bytes, place: int, end: int, indent: int) -> Iterator[Candidate]:
    for _ in range(_MOST_ROWS):
        if _indent(raw, place, end) <= indent:
            return
        if block := _BLOCK_ENTRY.match(raw, place, end):
            inner = _indent(raw, place, end)
            place = line = block[0][1]
            while line < end and (_indent(raw, line, end) > inner or raw[line : line + 1] == b"\n"):
                line = raw.find(b"\n", line, end) + 1 or end
            yield "assigned", place, max(place, line - 1)
            place = line
        elif entry := _ENTRY.match(raw, place, end):
            first, last = entry[1]
            yield "assigned", first, first if is_variable(raw[first:last]) else last
            place = entry[0][1]
        else:
            return


def _indent(raw: bytes, place: int, end: int) -> int:
    line = raw[place : min(end, place + 64)]
    return len(line) - len(line.lstrip(b" \t")) if line.strip() else 0


_FOLDED = Pattern(
    r"(?im)^([ \t]*)(?:- )?[\"']?([\w.-]{1,64})[\"']?:[ \t]*[|>][+-]?[ \t]*\r?\n"
    r"((?:[ \t]+[^\s:#]{8}[^\s:#]*[ \t]*(?:\r?\n|\z))+)"
)
_LINE = Pattern(r"[^\s]+")


def _find_blocks(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the lines of a YAML block under a secret's name."""
    for _, _, (first, last), (begin, stop) in _FOLDED.each(raw, start, end):
        kind = classify_secret_name(raw[first:last].decode("utf-8", "ignore"))
        yield "assigned", begin, begin
        if kind is not None and kind is not SecretKind.VAGUE:
            yield from (("assigned", *line[0]) for line in _LINE.each(raw, begin, stop))


TABLES = Rule(_CELL_ENDS, _find_tables)
ELEMENTS = Rule("</|]]>", _find_elements)
MANIFESTS = Rule("Secret", _find_manifests)
YAML_BLOCKS = Rule(r":[ \t]*[|>]", _find_blocks)
