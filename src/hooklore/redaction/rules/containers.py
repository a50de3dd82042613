"""Secrets whose name stands apart: in a column's head, an element's tag, a manifest of kind Secret."""

from collections.abc import Iterator

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
_HEAD = Pattern(
    rf"(?im)(?:^|[|│┃,;\t]|[ ]{{2}})[ \t]*\"?([\p{{L}}\w .-]*?(?:{_NAMES})s?[\w .()-]*?)\"?[ \t]*"
    r"(?:[|│┃,;\t]|[ ]{2}|\r?$)"
)
_SEPARATORS = ("|", "│", "┃", "\t", ",", ";")
_RULE_LINE = frozenset(" \t|+-=:│┃─┼━╋╂├┤└┘┴┬┌┐╞╪╡═║╠╬╣")
_MOST_ROWS = 200
_LONGEST_TABLE = 32 * 1024


def _find_tables(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    position = start
    while found := _HEAD.search(raw, position, end):
        first = raw.rfind(b"\n", start, found[1][0]) + 1 or start
        stop = raw.find(b"\n", found[1][1], end)
        position = end if stop < 0 else stop
        yield "assigned", position, position
        if 0 < stop - first < 1024:
            yield from _rows(raw, first, stop, min(end, stop + _LONGEST_TABLE))


def _rows(raw: bytes, first: int, stop: int, end: int) -> Iterator[Candidate]:
    """Yield the cells below the names of secrets in the head of a table."""
    head = raw[first:stop].decode("utf-8", "ignore").rstrip("\r")
    separator = next((each for each in _SEPARATORS if each in head), None)
    if separator is None:
        return
    kinds = [_kind(cell) for cell in _cells(head, separator)]
    if (
        len(kinds) < 2
        or not any(kinds)
        or (separator in ",;" and not _names_columns(head, separator))
    ):
        return
    place = stop
    for _ in range(_MOST_ROWS):
        line_end = raw.find(b"\n", place + 1, end)
        line_end = end if line_end < 0 else line_end
        line = raw[place + 1 : line_end].decode("utf-8", "ignore").rstrip("\r")
        cells = _cells(line, separator)
        if not (line and _RULE_LINE.issuperset(line)):
            if len(cells) != len(kinds):
                return
            offset = 0
            for cell, kind in zip(cells, kinds, strict=True):
                value = cell.strip(" \t\"'`*")
                if kind is not None and _is_cell(value, kind, separator):
                    at = place + 1 + len(line[: line.index(value, offset)].encode())
                    yield "assigned", at, at + len(value.encode())
                offset += len(cell) + 1
        place = line_end
        if place >= end:
            return


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
    r"<((?:[\w.-]{1,40}:)?[A-Za-z_][\w.-]{1,60})(?:\s[^<>]{0,300})?>\s*(?:<!\[CDATA\[)?([^<>\s][^<>]{2,500}?)\s*(?:\]\]>|</)"
)


def _find_elements(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the text of elements whose name ends in a secret's word."""
    position = start
    while found := _ELEMENT.search(raw, position, end):
        name = raw[slice(*found[1])].decode("utf-8", "ignore").rpartition(":")[2]
        first, last = found[2]
        kind = classify_secret_name(name)
        is_secret = (
            kind is not None
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
    for (_, place), (first, last) in _DATA.each(raw, start, end):
        if _is_of_secret(raw, max(start, first - _NEAR), place, min(end, place + _NEAR)):
            yield from _entries(raw, place, end, last - first)
    for (begin, stop), (first, last) in _OBJECT.each(raw, start, end):
        if _is_of_secret(raw, max(start, begin - _NEAR), stop, min(end, stop + _NEAR)):
            for _, (a, b) in _MEMBER.each(raw, first, last):
                yield "assigned", a, b


def _is_of_secret(raw: bytes, begin: int, place: int, stop: int) -> bool:
    """Return whether the document around `place` is of kind Secret."""
    begin = max(begin, raw.rfind(b"\n---", begin, place) + 1)
    ends = raw.find(b"\n---", place, stop)
    return _KIND.search(raw, begin, stop if ends < 0 else ends) is not None


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


TABLES = Rule(
    "(?i)pass|pwd|secret|token|api[_ -]?key|credential|kennwort|mdp|contrase|senha|パスワード|パスフレーズ"
    "|トークン|シークレット|キー|暗証番号|密|口令|비밀번호|토큰|пароль",
    _find_tables,
)
ELEMENTS = Rule("</|]]>", _find_elements)
MANIFESTS = Rule("Secret", _find_manifests)
YAML_BLOCKS = Rule(r":[ \t]*[|>]", _find_blocks)
