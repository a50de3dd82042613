"""Linear-time patterns over UTF-8, compiled at their first use: most processes never redact."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import re2

Span = tuple[int, int]
"""Start and end, in bytes of the UTF-8 text."""

Find = Callable[[bytes, int, int], Iterator[tuple[str, int, int]]]
"""A rule: reads the bytes from start to end of a text, yields (rule name, start, end)."""


class Rule(NamedTuple):
    """A rule and its gate: a pattern that costs little, without which the rule finds nothing."""

    gate: str
    find: Find
    whole: bool = False
    """Reads the whole text at once, because what it finds is longer than the overlap of chunks."""


class Pattern:
    """A regular expression of RE2 that is compiled when it is first used."""

    __slots__ = ("_compiled", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._compiled: Any = None

    @property
    def compiled(self) -> Any:
        """The `re2` object: `search`, `match`, `finditer` over bytes."""
        if self._compiled is None:
            self._compiled = re2.compile(self._source, quiet())
        return self._compiled


def quiet() -> Any:
    """Options that keep RE2 from writing about a pattern, or the text in it, to stderr."""
    options = re2.Options()
    options.log_errors = False
    return options
