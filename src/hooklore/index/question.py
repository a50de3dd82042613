"""A question, taken apart once: everything that search and gate compare with what is known."""

import itertools
from collections.abc import Callable
from functools import cached_property

from hooklore.index import words

Analyze = Callable[[str], list[str]]
"""A text's terms, in order and as often as they stand in it."""


class AnalyzedQuery:
    """The terms of a text, its neighbouring terms, and which of them are names. Made when first asked for."""

    def __init__(self, text: str, analyse: Analyze) -> None:
        self.text = text
        self._analyse = analyse

    @cached_property
    def terms(self) -> list[str]:
        """The distinct terms, in order."""
        return list(dict.fromkeys(self._found))

    @cached_property
    def pairs(self) -> list[str]:
        """The neighbouring terms, two and two."""
        return adjacent_pairs(self._found)

    @cached_property
    def names(self) -> set[str]:
        """The paths and identifiers, each as one term."""
        return set(self._analyse(self._apart[1]))

    @cached_property
    def parts(self) -> set[str]:
        """The terms that it has only as parts of paths and identifiers."""
        plain, names = self._apart
        if not names:
            return set()
        return set(self._found) - set(self._analyse(plain)) - self.names

    @cached_property
    def _found(self) -> list[str]:
        return self._analyse(self.text)

    @cached_property
    def _apart(self) -> tuple[str, str]:
        return words.without_names(self.text)


def adjacent_pairs(found: list[str]) -> list[str]:
    """The pairs of terms that stand side by side."""
    return [f"{one}_{next_}" for one, next_ in itertools.pairwise(found)]
