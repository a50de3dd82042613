"""Linear-time patterns over UTF-8, compiled at their first use: most processes never redact."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import re2

ByteSpan = tuple[int, int]
"""Start and end, in bytes of the UTF-8 text; (-1, -1) for a group that took no part."""

Groups = Sequence[ByteSpan]
"""The span of a whole match, then those of its groups."""

Candidate = tuple[str, int, int]
"""Rule name, start and end in bytes; an empty one was looked at and let go."""

FindCandidates = Callable[[bytes, int, int], Iterator[Candidate]]
"""A rule: reads the bytes from start to end of a text, yields its candidates in order."""


class Rule(NamedTuple):
    """A rule and its gate: a pattern that costs little, without which the rule finds nothing."""

    prefilter: str
    find: FindCandidates
    needs_whole_text: bool = False
    """Reads the whole text at once, because what it finds is longer than the overlap of windows."""
    most: int = 1000
    """Candidates looked at in one window. A window with more is a list of such things, and from there
    on the text is masked as one: a second look takes ten microseconds."""


class Pattern:
    """A regular expression of RE2 that is compiled when it is first used."""

    __slots__ = ("_match", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._match: Callable[[Any, bytes, int, int], Groups] | None = None

    def search(self, raw: bytes, start: int, end: int) -> Groups | None:
        """First match that lies between the two offsets."""
        spans = (self._match or self._compile())(_ANYWHERE, raw, start, end)
        return spans if spans[0][0] >= 0 else None

    def match(self, raw: bytes, start: int, end: int) -> Groups | None:
        """Match that begins at `start` and ends by `end`."""
        spans = (self._match or self._compile())(_AT_START, raw, start, end)
        return spans if spans[0][0] >= 0 else None

    def each(self, raw: bytes, start: int, end: int) -> Iterator[Groups]:
        """All matches that do not overlap; the pattern matches at least one byte."""
        while found := self.search(raw, start, end):
            yield found
            start = found[0][1]

    def occurs_in(self, value: bytes) -> bool:
        """Whether it matches anywhere in `value`."""
        return self.search(value, 0, len(value)) is not None

    def _compile(self) -> Callable[[Any, bytes, int, int], Groups]:
        # The engine's own call: the wrapper's match object costs more than most searches.
        match: Callable[[Any, bytes, int, int], Groups] = re2.compile(
            self._source, quiet_options()
        )._regexp.Match
        self._match = match
        return match


def quiet_options() -> Any:
    """Options that keep RE2 from writing about a pattern, or the text in it, to stderr."""
    options = re2.Options()
    options.log_errors = False
    return options


_ANYWHERE = re2._Anchor.UNANCHORED
_AT_START = re2._Anchor.ANCHOR_START
