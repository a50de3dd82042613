"""One line of the report of `hooks doctor`."""

import shlex
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. `ok` is None for a note, which fails nothing.

    `fix` is one command, or one edit, that mends the failure.
    """

    name: str
    ok: bool | None
    detail: str
    fix: str | None = None

    def as_fields(self) -> dict[str, Any]:
        """Return the check as JSON has it."""
        return asdict(self)


def passed(name: str, detail: str) -> Check:
    """Return a check that passed."""
    return Check(name, True, detail)


def failed(name: str, detail: str, fix: str) -> Check:
    """Return a check that failed, and the command that mends the failure."""
    return Check(name, False, detail, fix)


def noted(name: str, detail: str, fix: str | None = None) -> Check:
    """Return a note."""
    return Check(name, None, detail, fix)


def shell(*words: str) -> str:
    """Return a command line of these words, quoted where they need it."""
    return shlex.join(words)


def listed(items: "list[str] | tuple[str, ...]", most: int = 3) -> str:
    """Return the first `most` items as text, and how many more there are."""
    more = len(items) - most
    return ", ".join(items[:most]) + (f" and {more} more" if more > 0 else "")
