"""The doctor's report: one line a check, what failed with the command that mends it."""

import platform
from collections.abc import Sequence
from typing import Any

from hooklore import __version__
from hooklore.agents.check import Check
from hooklore.text.plural import format_count

_MARKS = {True: "ok  ", False: "FAIL", None: "note"}


def text(checks: Sequence[Check], home: str) -> str:
    """Return the report for a person: readable without colour, `~` for the home."""
    width = max((len(check.name) for check in checks), default=0)
    lines = []
    for check in checks:
        detail = _on_one_line(check.detail)
        if len(home) > 1:
            detail = detail.replace(f"`{home}/", "`~/")
        fix = f" · {'fix' if check.ok is False else 'see'}: {check.fix}" if check.fix else ""
        lines.append(f"{_MARKS[check.ok]}  {check.name:<{width}}  {detail}{_on_one_line(fix)}")
    failures = sum(check.ok is False for check in checks)
    notes = sum(check.ok is None for check in checks)
    counts = (
        f"{len(checks) - failures - notes} ok, {failures} failed, {format_count(notes, 'note')}"
    )
    return "\n".join((*lines, "", f"{format_count(len(checks), 'check')}: {counts}"))


def _on_one_line(said: str) -> str:
    """Return a text without line breaks and what steers a terminal: paths and causes come from outside."""
    return "".join(c if c.isprintable() else "�" for c in said.replace("\n", " "))


def fields(checks: Sequence[Check], seconds: float) -> dict[str, Any]:
    """Return the report as JSON has it: versions, and every check."""
    return {
        "hooklore": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "ok": is_healthy(checks),
        "seconds": round(seconds, 2),
        "checks": [
            # A path may hold bytes that are no UTF-8.
            {
                name: value.encode("utf-8", "backslashreplace").decode()
                if isinstance(value, str)
                else value
                for name, value in check.as_fields().items()
            }
            for check in checks
        ],
    }


def is_healthy(checks: Sequence[Check]) -> bool:
    """Return whether no check failed."""
    return all(check.ok is not False for check in checks)
