"""The cheap patterns that name the rules worth running on a text."""

from collections.abc import Sequence
from typing import Any

import re2

from hooklore.redaction.pattern import quiet_options


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
