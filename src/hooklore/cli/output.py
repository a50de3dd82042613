"""What goes to a terminal or a pipe: data on stdout, everything said about it on stderr."""

import re
import shutil
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hooklore.records.record import Record

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What could move the cursor, recolour the terminal, or print text in another order than it has."""

_PIPE_WIDTH = 200
_TABLE = "{:<36}  {:<16}  {:<13}  {:<20}  "


def data(text: str) -> None:
    """A line of the answer."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """A line about the answer, or about what is going on."""
    sys.stderr.write(text + "\n")


def exact(text: str) -> None:
    """A text to be kept in a file, byte for byte, with no line end of ours; harmless to a terminal."""
    sys.stdout.write(plain(text) + "\n" if _is_terminal() else text)


def json(value: Any, *, indent: bool = False) -> None:
    """A value as JSON: one line, or indented."""
    import orjson

    options = orjson.OPT_NON_STR_KEYS | (orjson.OPT_INDENT_2 if indent else 0)
    data(orjson.dumps(value, option=options).decode())


def plain(text: str) -> str:
    """A text without what a terminal would obey; lines and tabs stay."""
    return _CONTROL.sub("", text)


def one_line(text: str) -> str:
    """A text on one line, harmless to a terminal."""
    return plain(" ".join(text.split()))


def row(record: "Record", text: str) -> str:
    """A record in one line: id, time, kind, scope, and as much of its text as fits."""
    scope = "private" if record.is_private else one_line(record.scope)
    head = _TABLE.format(record.id, local(record.ts), record.kind, _cut(scope, 20))
    width = shutil.get_terminal_size((_PIPE_WIDTH, 24)).columns if _is_terminal() else _PIPE_WIDTH
    return head + _cut(one_line(text), max(width - len(head), 30))


def local(ts: str) -> str:
    """A record's time as the clock on the wall has it, to the minute."""
    try:
        moment = datetime.fromisoformat(ts)
    except ValueError:
        return one_line(ts)[:16]
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def ago(seconds: float) -> str:
    """A span of time in its largest unit."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(int(seconds), 0)} s"


def since(ts: str) -> str:
    """How long ago that was."""
    try:
        return f"{ago((datetime.now(UTC) - datetime.fromisoformat(ts)).total_seconds())} ago"
    except (ValueError, TypeError):
        return one_line(ts)


def size(count: int) -> str:
    """A number of bytes, to be read."""
    amount, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{int(amount)} B" if unit == "B" else f"{amount:.1f} {unit}"


def table(rows: Iterable[tuple[str, ...]]) -> None:
    """Columns as wide as they must be; the last one as it is."""
    lines = [tuple(map(one_line, row)) for row in rows]
    if not lines:
        return
    widths = [max(_cells(line[i]) for line in lines) for i in range(len(lines[0]) - 1)]
    for line in lines:
        padded = [c + " " * (w - _cells(c)) for c, w in zip(line, widths, strict=False)]
        data("  ".join([*padded, line[-1]]).rstrip())


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _cells(text: str) -> int:
    """Columns that a text takes: a Japanese character takes two."""
    from rich.cells import cell_len

    return len(text) if text.isascii() else cell_len(text)


def _cut(text: str, width: int) -> str:
    """The beginning of a text that fits into so many columns."""
    if _cells(text) <= width:
        return text
    while text and _cells(text) > width - 1:
        text = text[: max(width - 1, 0)] if len(text) >= width else text[:-1]
    return text + "…"
