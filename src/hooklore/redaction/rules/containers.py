"""Secrets whose name stands apart: in a column's head, an element's tag, a manifest of kind Secret."""

from collections.abc import Iterator, Sequence

from hooklore.redaction.pattern import Candidate, Pattern, Rule
from hooklore.redaction.rules.assignments import is_quoted_secret, least_form
from hooklore.redaction.rules.candidate_checks import VARIABLE, is_random
from hooklore.redaction.rules.names import SecretKind, classify_secret_name
from hooklore.redaction.rules.value_forms import form_of

# ---- tables

_NAMES = (
    r"pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|api[_ -]?key|credential|passwort|kennwort"
    r"|mot de passe|mdp|contraseña"
    r"|pepper|(?:private|access|encryption|signing|licen[cs]e)[_ -]?key|(?:recovery|backup|access)[_ -]?code"
    r"|(?:\b|_)(?:pin|puk)[12]?\b|senha|パスワード|パスフレーズ|トークン|シークレット|APIキー|暗証番号|密码|密碼"
    r"|密钥|口令|비밀번호|토큰|пароль"
)
_WIDE = r"\x{80}-\x{10FFFF}"
"""All but ASCII: the class of letters takes a hundred times the states, and what a head holds is read anyway."""

_CELL_ENDS = (
    rf"(?i)(?:{_NAMES})s?[\w()]*\"?[ \t]*(?:[|│┃\t]|[,;][\"A-Z_{_WIDE}])"
    rf"|[|│┃\t,;]\"?[\w .{_WIDE}]*(?:{_NAMES})s?[\w()]*\"?[ \t]*\r?\n"
)
_HEAD = Pattern(_CELL_ENDS)
_SEPARATORS = ("|", "│", "┃", "\t", ",", ";")
_MARKS = b"|,;\t\x94"

_RULE_LINE = frozenset(" \t|+-=:│┃─┼━╋╂├┤└┘┴┬┌┐╞╪╡═║╠╬╣")
_MOST_ROWS = 400
_LONGEST_LINE = 1024


def _find_tables(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the cells below the names of secrets in the heads of tables."""
    yield from _find_inserts(raw, start, end)
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


_INSERT = Pattern(r"(?i)\binsert\s+into\s+[\w.`\"]+\s*\(([^()]+)\)\s*values\s*\(([^()]+)\)")
_SQL_VALUE = Pattern(r"""\s*(?:'([^'\r\n]*)'|"([^"\r\n]*)\"|([^,'"]+))\s*,?""")


def _find_inserts(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the values that a statement of SQL inserts into columns named for secrets."""
    for _, names, (begin, stop) in _INSERT.each(raw, start, end):
        place = begin
        for name in raw[slice(*names)].decode("utf-8", "ignore").split(","):
            value = _SQL_VALUE.match(raw, place, stop)
            if value is None:
                break
            place = value[0][1]
            first, last = max(value[1:])
            kind = _kind(name.strip(" \t\r\n`"))
            found = kind is not None and is_quoted_secret(kind, raw[first:last])
            yield "assigned", first, last if found else first


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
    if not name or len(name) > 40 or _FAULTY.occurs_in(name.encode()):
        return None
    kind = classify_secret_name(name.replace(" ", "_"))
    if kind is None and _NUMBER_NAME.occurs_in(name.encode()):
        kind = SecretKind.PASSWORD
    if kind is None and _NATIVE_NAME.occurs_in(name.encode()):
        kind = SecretKind.PASSWORD
    return None if kind is SecretKind.VAGUE else kind


_FAULTY = Pattern(r"(?i)^(?:falsch|wrong|fail|invalid|incorrect|forgot|bad |erron|mauvais|expired)")
"""The beginning of the head of a column that counts mistakes."""

_NATIVE_NAME = Pattern(
    r"(?i)(?:パスワード|パスフレーズ|トークン|シークレット|APIキー|暗証番号"
    r"|密码|密碼|密钥|口令|비밀번호|토큰|пароль|passwort|kennwort|mot de passe|mdp"
    r"|contraseña|senha)$"
)


_NUMBER_NAME = Pattern(r"(?i)^(?:\w+[_ -])?(?:pin|puk)(?:[_ -]?(?:code|[12]))?$")
_JOINTS = str.maketrans("", "", "_ -.")


def _names_columns(head: str, separator: str) -> bool:
    """Return whether the line consists of column names, as in a file of values, and is no sentence or code."""
    cells = [cell.strip(" \t\"'\r") for cell in head.split(separator)]
    return all(cell and len(cell) <= 32 and cell.translate(_JOINTS).isalnum() for cell in cells)


def _is_cell(value: str, kind: SecretKind, separator: str) -> bool:
    raw = value.encode()
    if VARIABLE.occurs_in(raw) or len(raw) < 4:
        return False
    if form_of(raw) >= least_form(kind) or is_random(raw, 16):
        return True
    if value.isdigit() and kind is SecretKind.PASSWORD:
        return len(value) <= 12
    return (
        separator in "|│┃"
        and kind is SecretKind.PASSWORD
        and any(map(str.isdigit, value))
        and is_quoted_secret(kind, raw)
    )


# ---- elements

_ELEMENT = Pattern(
    r"<((?:[\w.-]{1,40}:)?[A-Za-z_][\w.-]{0,60})((?:\s[^<>]*)?)>\s*(?:<!\[CDATA\[)?([^<>\s][^<>]*?)\s*(?:\]\]>|</)"
)
_LONGEST_TEXT = 500
"""Bytes of an element's text that may be a secret. The pattern does not count them, which would take a MB."""

_ATTRIBUTE = Pattern(r"""(?i)\b(?:name|key|id|label|for|property)=["']([\w.: -]{1,64})["']""")
_HOLDERS = Pattern(
    r"(?i)^(?:\w*value|string|text|td|th|dd|code|pre|kbd|samp|tt|span|b|p|li|content|data|default|entry|item"
    r"|setting|property|param|parameter|option|argument|arg|add|config|var|variable|textarea|input|field|str)$"
)
"""Elements that any name may stand beside."""


def _find_elements(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the text of elements that their tag, an attribute or the element before names."""
    position = row_end = start
    beside = b""
    while found := _ELEMENT.search(raw, position, end):
        (begin, _), tag, attributes, (first, last) = found
        text = raw[first : min(last, first + _LONGEST_TEXT)]
        names = [raw[slice(*tag)].rpartition(b":")[2]]
        if _HOLDERS.occurs_in(names[0]):
            named = _ATTRIBUTE.search(raw, *attributes) or _ATTRIBUTE.search(raw, row_end, begin)
            names += [raw[slice(*named[1])] if named else b"", beside]
        is_secret = last - first <= _LONGEST_TEXT and _is_named(names, text)
        yield "assigned", first, last if is_secret else first
        beside, row_end = text, last
        position = last if is_secret else tag[1]
        if position < last and b"<" not in raw[tag[1] : first].lstrip(b">"):
            position = last


_LONGEST_NAME = 64


def _is_named(names: Sequence[bytes], text: bytes) -> bool:
    """Return whether one of the names is a secret's, and the text of an element such a secret."""
    if len(text) < 4 or VARIABLE.occurs_in(text):
        return False
    for place, whole in enumerate(names):
        name = whole if len(whole) <= _LONGEST_NAME else whole.rpartition(b".")[2]
        kind = (
            classify_secret_name(name.decode("utf-8", "ignore"))
            if 0 < len(name) <= _LONGEST_NAME
            else None
        )
        if kind is not None and (
            is_quoted_secret(kind, text)
            if not place
            else form_of(text) >= least_form(kind) and is_quoted_secret(kind, text)
        ):
            return True
    return False


TABLES = Rule(
    rf"(?i:insert\s+into)|{_CELL_ENDS}",
    _find_tables,
)
ELEMENTS = Rule("</|]]>", _find_elements)
