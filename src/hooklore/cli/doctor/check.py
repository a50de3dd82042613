"""One line of the doctor's report."""

import shlex
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Check:
    """What one check says: `ok` is None when there is nothing to judge, or only to know.

    `fix` is one command, or one edit, that mends what failed.
    """

    name: str
    ok: bool | None
    detail: str
    fix: str | None = None

    def as_fields(self) -> dict[str, Any]:
        """The check as JSON has it."""
        return asdict(self)


def passed(name: str, detail: str) -> Check:
    """All is well."""
    return Check(name, True, detail)


def failed(name: str, detail: str, fix: str) -> Check:
    """Something must be mended."""
    return Check(name, False, detail, fix)


def noted(name: str, detail: str, fix: str | None = None) -> Check:
    """Worth knowing; it fails nothing."""
    return Check(name, None, detail, fix)


def shell(*words: str) -> str:
    """A command line of these words, quoted where they need it."""
    return shlex.join(words)


def listed(items: "list[str] | tuple[str, ...]", most: int = 3) -> str:
    """The first few, and how many more."""
    more = len(items) - most
    return ", ".join(items[:most]) + (f" and {more} more" if more > 0 else "")
