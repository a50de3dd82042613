"""Linear-time patterns over UTF-8, compiled at first use, and the rules that are made of them."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import re2

ByteSpan = tuple[int, int]
"""Start and end in bytes of the UTF-8 text. A group that took no part in a match has (-1, -1)."""

Groups = Sequence[ByteSpan]
"""The span of a whole match, then the spans of its groups."""

Candidate = tuple[str, int, int]
"""Rule name, start and end in bytes. An empty span reports a candidate that was checked and dismissed."""

FindCandidates = Callable[[bytes, int, int], Iterator[Candidate]]
"""A function that yields the candidates of a rule between two offsets of a text, in order."""


class Rule(NamedTuple):
    """A rule and its prefilter, a cheap pattern. Without a match of the prefilter the rule finds nothing."""

    prefilter: str
    find: FindCandidates
    needs_whole_text: bool = False
    """Run the rule on the whole text, because its findings are longer than the overlap of windows."""
    in_prose_only: bool = False
    """Read what people and models write, and not what programs print."""
    in_print_only: bool = False
    max_candidates: int = 1000
    """Candidates checked in one window, at ten microseconds each. A window with more is a list of secrets,
    and the text is masked from there to its end."""


class Pattern:
    """A regular expression of RE2, compiled at its first use."""

    __slots__ = ("_match", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._match: Callable[[Any, bytes, int, int], Groups] | None = None

    def search(self, raw: bytes, start: int, end: int) -> Groups | None:
        """Return the first match between the two offsets, or None."""
        spans = (self._match or self._compile())(_ANYWHERE, raw, start, end)
        return spans if spans[0][0] >= 0 else None

    def match(self, raw: bytes, start: int, end: int) -> Groups | None:
        """Return the match that begins at `start` and ends by `end`, or None."""
        spans = (self._match or self._compile())(_AT_START, raw, start, end)
        return spans if spans[0][0] >= 0 else None

    def each(self, raw: bytes, start: int, end: int) -> Iterator[Groups]:
        """Yield all matches that do not overlap. The pattern must match at least one byte."""
        match = self._match or self._compile()
        while (found := match(_ANYWHERE, raw, start, end))[0][0] >= 0:
            yield found
            start = found[0][1]

    def occurs_in(self, value: bytes) -> bool:
        """Return whether the pattern matches anywhere in `value`."""
        return self.search(value, 0, len(value)) is not None

    def _compile(self) -> Callable[[Any, bytes, int, int], Groups]:
        # Call the engine directly: the wrapper's match object costs more than most searches.
        match: Callable[[Any, bytes, int, int], Groups] = re2.compile(
            self._source, quiet_options()
        )._regexp.Match
        self._match = match
        return match


class TextPattern:
    """A regular expression of Python's `re` over text, compiled at its first use."""

    def __init__(self, source: str | bytes, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        for method in ("search", "match", "fullmatch", "finditer", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def quiet_options() -> Any:
    """Return options that keep RE2 from writing a pattern, or the text in it, to stderr."""
    options = re2.Options()
    options.log_errors = False
    return options


class Prefilters:
    """Patterns by their place in `patterns`, in the sets of `together`: a few passes over a text instead of many.

    The pattern "" always matches. Equal patterns are read once.
    """

    def __init__(self, patterns: Sequence[str], together: Sequence[Sequence[str]]) -> None:
        self._always = [place for place, pattern in enumerate(patterns) if not pattern]
        self._sets: list[tuple[list[list[int]], Any]] = []
        users: dict[str, list[int]] = {}
        for place, pattern in enumerate(patterns):
            users.setdefault(pattern, []).append(place)
        users.pop("", None)
        for some in (*together, tuple(users)):
            self._add_set({pattern: users.pop(pattern) for pattern in some if pattern in users})

    def _add_set(self, users: dict[str, list[int]]) -> None:
        if not users:
            return
        gates = re2.Set.SearchSet(quiet_options())
        for pattern in users:
            gates.Add(pattern)
        gates.Compile()
        self._sets.append((list(users.values()), gates._set.Match))

    def match(self, raw: bytes) -> list[int]:
        """Return the places of the patterns that match, in order."""
        found = self._always.copy()
        for users, matches in self._sets:
            for place in matches(raw):
                found += users[place]
        found.sort()
        return found


_ANYWHERE = re2._Anchor.UNANCHORED
_AT_START = re2._Anchor.ANCHOR_START
