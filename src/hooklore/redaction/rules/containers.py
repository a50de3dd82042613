"""Secrets whose name stands apart: in a column's head, an element's tag, a manifest of kind Secret."""

import bisect
from collections.abc import Iterator, Sequence

from hooklore.redaction.pattern import ByteSpan, Candidate, Pattern, Rule
from hooklore.redaction.rules.assignments import is_quoted_secret, least_form
from hooklore.redaction.rules.candidate_checks import is_random, is_variable
from hooklore.redaction.rules.names import SecretKind, classify_secret_name
from hooklore.redaction.rules.value_forms import Form, form_of

# ---- tables

_NAMES = (
    r"pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|api[_ -]?key|credential|passwort|kennwort"
    r"|mot de passe|mdp|contraseña"
    r"|pepper|(?:private|access|encryption|signing|licen[cs]e)[_ -]?key|(?:recovery|backup|access)[_ -]?code"
    r"|(?:\b|_)(?:pin|puk)[12]?\b|senha|パスワード|パスフレーズ|トークン|シークレット|APIキー|暗証番号|密码|密碼|密钥|口令|비밀번호|토큰|пароль"
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
"""A byte of each separator."""

_RULE_LINE = frozenset(" \t|+-=:│┃─┼━╋╂├┤└┘┴┬┌┐╞╪╡═║╠╬╣")
_MOST_ROWS = 400
_LONGEST_LINE = 1024


def _find_tables(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the cells below the names of secrets in the heads of tables."""
    yield from _find_columns(raw, start, end)
    yield from _find_arrays(raw, start, end)
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


_SPACED_HEAD = Pattern(
    rf"(?im)^(?:#[ \t]*)?[ \t]*[\w.-]+(?:[ \t]+[\w.-]+)*?[ \t]+[\w.-]*(?:{_NAMES})s?(?:[ \t]+[\w.-]+)*[ \t]*\r?$"
    rf"|(?im)^(?:#[ \t]*)?[ \t]*[\w.-]*(?:{_NAMES})s?(?:[ \t]+[\w.-]+)+[ \t]*\r?$"
)
_FIELD = Pattern(r"[^\s]+")


def _find_columns(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the cells below the names of secrets where blanks divide the columns, as in a listing."""
    position = start
    while found := _SPACED_HEAD.search(raw, position, end):
        first, stop = found[0]
        position = stop
        head = raw[first:stop].lstrip(b"# \t")
        names = [raw[slice(*each[0])] for each in _FIELD.each(raw, stop - len(head), stop)]
        is_listing = raw[first : first + 1] == b"#" or b"  " in head or head.isupper()
        kinds = [_kind(name.decode("utf-8", "ignore")) for name in names]
        yield "assigned", stop, stop
        is_row = any(name[:1].isdigit() for name in names)
        if any(kinds) and not is_row and _UNDERLINE.match(raw, stop, end):
            yield from _placed_cells(raw, (first, stop), end)
        elif is_listing and any(kinds) and not is_row:
            for name, begin, last in _spaced_cells(raw, stop, end, kinds):
                yield name, begin, last
                position = max(position, last)


_UNDERLINE = Pattern(r"\r?\n-{2,}(?:[ ]+-{2,})+[ ]*\r?\n")
"""The line below a head that shows where each column begins, as shells of Windows print it."""


def _placed_cells(raw: bytes, head: ByteSpan, end: int) -> Iterator[Candidate]:
    """Yield the cells that begin below the name of a secret."""
    first, stop = head
    fields = [field[0] for field in _FIELD.each(raw, first, stop)]
    kinds = [_kind(raw[slice(*field)].decode("utf-8", "ignore")) for field in fields]
    columns = [(a - first, kind) for (a, _), kind in zip(fields, kinds, strict=True) if kind]
    place = raw.find(b"\n", stop + 1, end)
    for _ in range(_MOST_ROWS):
        line = place + 1
        place = raw.find(b"\n", line, end)
        place = end if place < 0 else place
        if line >= end or not raw[line:place].strip():
            return
        for offset, kind in columns:
            found = _FIELD.match(raw, line + offset, place) if line + offset < place else None
            span = found[0] if found else (place, place)
            is_secret = form_of(raw[slice(*span)]) >= least_form(kind)
            yield "assigned", span[0], span[1] if is_secret else span[0]


def _spaced_cells(
    raw: bytes, place: int, end: int, kinds: Sequence[SecretKind | None]
) -> Iterator[Candidate]:
    for _ in range(_MOST_ROWS):
        first = raw.find(b"\n", place, end) + 1
        if first == 0 or first >= end:
            return
        place = raw.find(b"\n", first, end)
        place = end if place < 0 else place
        fields = [each[0] for each in _FIELD.each(raw, first, min(place, first + _LONGEST_LINE))]
        if not len(kinds) - 1 <= len(fields) <= len(kinds):
            return
        for kind, (begin, stop) in zip(kinds, fields, strict=False):
            value = raw[begin:stop].strip(b"\"'`,")
            if kind is not None and form_of(value) >= least_form(kind):
                at = begin + raw[begin:stop].index(value)
                yield "assigned", at, at + len(value)
        yield "assigned", place, place


_ARRAY_HEAD = Pattern(
    rf"(?i)\[\s*\[((?:\s*\"[\w .-]*\"\s*,)*\s*\"[\w .-]*(?:{_NAMES})s?\"[^\[\]]*)\]"
)
_ARRAY_ROW = Pattern(r"\s*,\s*\[([^\[\]]*)\]")
_ARRAY_CELL = Pattern(r"""\s*(?:"([^"\r\n]*)"|([^",\[\]]+))\s*,?""")


def _find_arrays(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the cells of an array of rows whose first one names the columns."""
    for (_, place), head in _ARRAY_HEAD.each(raw, start, end):
        names = [raw[slice(*span)] for span in _array_cells(raw, *head)]
        kinds = [_kind(name.decode("utf-8", "ignore")) for name in names]
        yield "assigned", place, place
        after = place
        for _ in range(_MOST_ROWS if any(kinds) else 0):
            row = _ARRAY_ROW.match(raw, after, end)
            if row is None:
                break
            for kind, (first, last) in zip(kinds, _array_cells(raw, *row[1]), strict=False):
                value = raw[first:last].decode("utf-8", "ignore")
                if kind is not None and _is_cell(value, kind, "|"):
                    yield "assigned", first, last
            after = row[0][1]


def _array_cells(raw: bytes, first: int, last: int) -> list[tuple[int, int]]:
    cells = []
    while first < last and (cell := _ARRAY_CELL.match(raw, first, last)):
        cells.append(max(cell[1:]))
        first = max(cell[0][1], first + 1)
    return cells


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
    if is_variable(raw) or len(raw) < 4:
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

_HEAD_CELLS = (b"th", b"TH")
_ROW_STARTS = Pattern(r"(?i)<tr[\s>]")
_MOST_COLUMNS = 40


def _find_elements(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    """Yield the text of elements that their tag, an attribute, the element before or the column's head names."""
    position = start
    beside, column, row_end = b"", 0, start
    head: list[bytes] = []
    while found := _ELEMENT.search(raw, position, end):
        (begin, _), tag, attributes, (first, last) = found
        name, text = raw[slice(*tag)], raw[first : min(last, first + _LONGEST_TEXT)]
        if _ROW_STARTS.search(raw, row_end, begin):
            column = 0
        names = [name.rpartition(b":")[2]]
        if _HOLDERS.occurs_in(names[0]):
            named = _ATTRIBUTE.search(raw, *attributes) or _ATTRIBUTE.search(raw, row_end, begin)
            names += [raw[slice(*named[1])] if named else b"", beside]
            names += [head[column]] if name in (b"td", b"TD") and column < len(head) else []
        is_secret = last - first <= _LONGEST_TEXT and _is_named(names, text)
        yield "assigned", first, last if is_secret else first
        if name in _HEAD_CELLS:
            head = [*head[:_MOST_COLUMNS], text] if column else [text]
        column += 1
        beside, row_end = text, last
        position = last if is_secret else tag[1]
        if position < last and b"<" not in raw[tag[1] : first].lstrip(b">"):
            position = last


_LONGEST_NAME = 64


def _is_named(names: Sequence[bytes], text: bytes) -> bool:
    """Return whether one of the names is a secret's, and the text of an element such a secret."""
    if len(text) < 4 or is_variable(text):
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


_EMPHASISED = Pattern(
    r"(?i)<(?:b|strong|code|kbd|tt|span|em|mark)(?:[ \t][^<>]*)?>([^<>\s]{6}[^<>\s]*)</"
)
_NAMES_EMPHASISED = Pattern(
    rf"(?i)(?:{_NAMES})[^<>\r\n:]{{0,24}}[:：]?[ \t]*(?:</?\w+>[ \t:：]*)?$"
)
"""The end of the text before such an element. A search for both takes a MB: each name counts on by itself."""

_LONGEST_EMPHASISED = 64
_LONGEST_NAMING = 160


def _find_in_markup(raw: bytes, start: int, end: int) -> Iterator[Candidate]:
    yield from _find_elements(raw, start, end)
    for (begin, _), (first, last) in _EMPHASISED.each(raw, start, end):
        before, value = raw[max(start, begin - _LONGEST_NAMING) : begin], raw[first:last]
        found = (
            last - first <= _LONGEST_EMPHASISED
            and form_of(value) >= Form.WORD_AND_DIGITS
            and not is_variable(value)
            and _NAMES_EMPHASISED.occurs_in(before)
        )
        yield "assigned", first, last if found else first


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


TABLES = Rule(
    rf"{_CELL_ENDS}|(?:  |# )[\w.-]*(?:pass|pw|secret|token|key|code|pepper)\w*[ \r\n]|\[\["
    r"|(?:pass|pw|secret|token|key|code)\w*  ",
    _find_tables,
)
ELEMENTS = Rule("</|]]>", _find_in_markup)
MANIFESTS = Rule("Secret", _find_manifests)
YAML_BLOCKS = Rule(r":[ \t]*[|>]", _find_blocks)
