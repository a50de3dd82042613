"""A check of the doctor: a function of the facts, under its name, and what it finds."""

from collections.abc import Callable
from typing import NamedTuple

from hooklore.agents.check import Check
from hooklore.cli.doctor.facts import Facts


class Finding(NamedTuple):
    """What a check found. `ok` is None for a note. `fix` is one command, or one edit, that mends a failure."""

    ok: bool | None
    detail: str
    fix: str | None = None


FactsCheck = Callable[[Facts], Finding | Check]


def passed(detail: str) -> Finding:
    """Return that all is well."""
    return Finding(True, detail)


def failed(detail: str, fix: str) -> Finding:
    """Return a failure, and the command that mends it."""
    return Finding(False, detail, fix)


def noted(detail: str, fix: str | None = None) -> Finding:
    """Return a note, which fails nothing."""
    return Finding(None, detail, fix)


class Checks(dict[str, FactsCheck]):
    """Checks by their names, in the order in which they are defined and reported."""

    def named(self, name: str) -> Callable[[FactsCheck], FactsCheck]:
        """Return a decorator that adds a check."""
        return lambda check: self.setdefault(name, check)
