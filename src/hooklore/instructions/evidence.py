"""Signs of a standing instruction, weighed together: what no single wording decides.

A row of a table is a kind of sign, its weight and a pattern of RE2, which takes linear time over any
text. Of a kind only the heaviest sign counts, so that a word said twice is no stronger than once.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import re2

Certainty = Literal["sure", "unsure"]

EvidenceRow = tuple[str, int, str]
"""Kind, weight, pattern over a sentence in lower case."""

_MEMORY = 3 << 20
"""Bytes that one automaton may take while somebody types to their agents."""


class EvidenceTable:
    """The table of a language, compiled into one automaton that reads a text once."""

    def __init__(self, rows: Sequence[EvidenceRow]) -> None:
        self._rows = rows
        self._set: Any = None

    def warm(self) -> None:
        """Compile. Raise re2.error for a pattern that does not, or a table that takes too much memory."""
        if self._set is None:
            self._set = _compile([pattern for _, _, pattern in self._rows])

    def rest(self) -> None:
        """Let the automaton go, megabytes of it: the next text makes it again, in ten milliseconds."""
        self._set = None

    def score_kinds(self, text: str) -> dict[str, int]:
        """The weight of each kind of sign that stands in `text`; kinds that do not are left out."""
        self.warm()
        found: dict[str, int] = {}
        for row in self._set.Match(text) or ():
            kind, weight, _ = self._rows[row]
            if abs(weight) > abs(found.get(kind, 0)):
                found[kind] = weight
        return found


def _compile(patterns: Sequence[str]) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    made = re2.Set.SearchSet(options)
    for pattern in patterns:
        made.Add(pattern)
    made.Compile()
    return made


class SentenceContext(NamedTuple):
    """The other sentences of a prompt: those directly `beside` one, and those somewhere `before` it."""

    adjacent: Sequence[str] = ()
    before: Sequence[str] = ()
    is_long_prompt: bool = False
    """Whether the prompt has so many of them that most describe a task."""


def classify_evidence(found: dict[str, int], least: int, sure: int) -> Certainty | None:
    """What signs of these weights together make of a sentence: None below `least`."""
    total = sum(found.values())
    if total < least:
        return None
    return "sure" if total >= sure else "unsure"


_IN_LONG = -3
_BESIDE = "around"
_BEFORE = "job"
"""Kinds that count for another sentence, not for their own."""


def combine_evidence(table: EvidenceTable, text: str, around: SentenceContext) -> dict[str, int]:
    """The signs of a sentence, and those that the sentences around it have for it.

    Of what stands against it as a statement about the product, a `subject` of the work takes away.
    """
    found = table.score_kinds(text)
    found.pop(_BESIDE, None)
    found.pop(_BEFORE, None)
    for kind, others in ((_BESIDE, around.adjacent), (_BEFORE, around.before)):
        weights = [weight for other in others if (weight := table.score_kinds(other).get(kind))]
        if weights:
            found[kind] = max(weights, key=abs)
    if around.is_long_prompt:
        found["long"] = _IN_LONG
    excused = found.pop("subject", 0)
    if "product" in found:
        found["product"] = min(0, found["product"] + excused)
    return found
