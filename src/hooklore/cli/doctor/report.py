"""The doctor's report: one line a check, what failed with the command that mends it."""

import platform
from collections.abc import Sequence
from typing import Any

from hooklore import __version__
from hooklore.agents.check import Check
from hooklore.text.plural import format_count

_MARKS = {True: "ok  ", False: "FAIL", None: "note"}


def text(checks: Sequence[Check], home: str) -> str:
    """The report for a person: readable without colour, `~` for the home."""
    width = max((len(check.name) for check in checks), default=0)
    lines = [_line(check, width, home) for check in checks]
    return "\n".join((*lines, "", _sum(checks)))


def _line(check: Check, width: int, home: str) -> str:
    detail = _on_one_line(check.detail)
    if len(home) > 1:
        detail = detail.replace(f"`{home}/", "`~/")
    fix = f" · {'fix' if check.ok is False else 'see'}: {check.fix}" if check.fix else ""
    return f"{_MARKS[check.ok]}  {check.name:<{width}}  {detail}{_on_one_line(fix)}"


def _on_one_line(said: str) -> str:
    """Paths and causes come from outside: no line breaks, nothing that steers a terminal."""
    return "".join(c if c.isprintable() else "�" for c in said.replace("\n", " "))


def _sum(checks: Sequence[Check]) -> str:
    failures = sum(check.ok is False for check in checks)
    notes = sum(check.ok is None for check in checks)
    passed = len(checks) - failures - notes
    counts = f"{passed} ok, {failures} failed, {format_count(notes, 'note')}"
    return f"{format_count(len(checks), 'check')}: {counts}"


def fields(checks: Sequence[Check], seconds: float) -> dict[str, Any]:
    """The report for a bug report: versions, and every check."""
    return {
        "hooklore": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "ok": all(check.ok is not False for check in checks),
        "seconds": round(seconds, 2),
        "checks": [_encodable(check.as_fields()) for check in checks],
    }


def _encodable(values: dict[str, Any]) -> dict[str, Any]:
    """A path may hold bytes that are no UTF-8."""
    return {
        name: value.encode("utf-8", "backslashreplace").decode()
        if isinstance(value, str)
        else value
        for name, value in values.items()
    }


def is_healthy(checks: Sequence[Check]) -> bool:
    """Return whether no check failed."""
    return all(check.ok is not False for check in checks)
