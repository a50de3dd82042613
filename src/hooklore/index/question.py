"""A query, analysed once for search and relevance gates."""

import itertools
from collections.abc import Callable
from functools import cached_property

from hooklore.index import words

Analyze = Callable[[str], list[str]]
"""A function that returns a text's terms, in order and with repetitions."""


class AnalyzedQuery:
    """The terms of a text, its adjacent terms, and its names. Each is computed when first needed."""

    def __init__(self, text: str, analyze: Analyze) -> None:
        self.text = text
        self._analyze = analyze

    @cached_property
    def terms(self) -> list[str]:
        """The distinct terms, in order."""
        return list(dict.fromkeys(self._all_terms))

    @cached_property
    def pairs(self) -> list[str]:
        """The pairs of adjacent terms."""
        return adjacent_pairs(self._all_terms)

    @cached_property
    def names(self) -> set[str]:
        """The paths and identifiers, each as one term."""
        names = self._plain_and_names[1]
        return set(self._analyze(names)) if names else set()

    @cached_property
    def parts(self) -> set[str]:
        """The terms that occur only as parts of paths and identifiers."""
        plain, names = self._plain_and_names
        if not names:
            return set()
        return set(self._all_terms) - set(self._analyze(plain)) - self.names

    @cached_property
    def _all_terms(self) -> list[str]:
        return self._analyze(self.text)

    @cached_property
    def _plain_and_names(self) -> tuple[str, str]:
        return words.without_names(self.text)


def adjacent_pairs(found: list[str]) -> list[str]:
    """Return the pairs of adjacent terms."""
    return [f"{one}_{next_}" for one, next_ in itertools.pairwise(found)]
