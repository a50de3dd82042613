"""Print to a terminal or a pipe: data on stdout, messages about the data on stderr."""

import re
import shutil
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hooklore.records.record import Record

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that move the cursor, recolour the terminal, or print text in another order."""

_PIPE_WIDTH = 200
_TABLE = "{:<36}  {:<16}  {:<13}  {:<20}  "


def data(text: str) -> None:
    """Print a line of the answer on stdout."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """Print a line about the answer, or about the progress of the command, on stderr."""
    sys.stderr.write(text + "\n")


def exact(text: str) -> None:
    """Print a text byte for byte, without a line end of ours; at a terminal without what it obeys, and with one."""
    sys.stdout.write(plain(text) + "\n" if _is_terminal() else text)


def json(value: object, *, indent: bool = False) -> None:
    """Print a value, which may hold records, as JSON: on one line, or indented."""
    import orjson

    options = orjson.OPT_NON_STR_KEYS | (orjson.OPT_INDENT_2 if indent else 0)
    data(orjson.dumps(value, default=_record_as_json, option=options).decode())


def answer(fields: object, text: str, *, as_json: bool) -> None:
    """Print the result of a command, as JSON or as a line of text."""
    if as_json:
        json(fields)
    else:
        data(text)


def _record_as_json(value: object) -> object:
    from hooklore.records.record import Record

    if isinstance(value, Record):
        return value.to_json()
    raise TypeError


def plain(text: str) -> str:
    """Return a text without the characters that a terminal obeys. Line ends and tabs stay."""
    return _CONTROL.sub("", text)


def one_line(text: str) -> str:
    """Return a text on one line, without the characters that a terminal obeys."""
    return plain(" ".join(text.split()))


def row(record: "Record", text: str) -> str:
    """Return a record as one line: id, time, kind, scope, and the beginning of `text` that fits."""
    scope = "private" if record.is_private else one_line(record.scope)
    head = _TABLE.format(record.id, local(record.ts), record.kind, _cut(scope, 20))
    width = shutil.get_terminal_size((_PIPE_WIDTH, 24)).columns if _is_terminal() else _PIPE_WIDTH
    return head + _cut(one_line(text), max(width - len(head), 30))


def local(ts: str) -> str:
    """Return an RFC 3339 time in the machine's time zone, to the minute."""
    try:
        moment = datetime.fromisoformat(ts)
    except ValueError:
        return one_line(ts)[:16]
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def ago(seconds: float) -> str:
    """Return a span of time in its largest unit."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(int(seconds), 0)} s"


def since(ts: str) -> str:
    """Return how long ago an RFC 3339 time was."""
    try:
        return f"{ago((datetime.now(UTC) - datetime.fromisoformat(ts)).total_seconds())} ago"
    except (ValueError, TypeError):
        return one_line(ts)


def size(count: int) -> str:
    """Return a number of bytes in its largest unit."""
    amount, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{int(amount)} B" if unit == "B" else f"{amount:.1f} {unit}"


def table(rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows in columns as wide as their widest cell. The last column is not padded."""
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
    """Return how many columns a text takes on a terminal: a Japanese character takes two."""
    from rich.cells import cell_len

    return len(text) if text.isascii() else cell_len(text)


def _cut(text: str, width: int) -> str:
    if _cells(text) <= width:
        return text
    while text and _cells(text) > width - 1:
        text = text[: max(width - 1, 0)] if len(text) >= width else text[:-1]
    return text + "…"
