"""Weigh the evidence that a sentence is a standing instruction, where no single phrase decides.

A row of a table has a kind of evidence, its weight and a pattern of RE2, which takes linear time over
any text. The heaviest row of each kind counts, so that a repeated word weighs no more than one.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import re2

Certainty = Literal["sure", "unsure"]

EvidenceRow = tuple[str, int, str]
"""Kind, weight, and a pattern for a sentence in lower case."""

_MEMORY = 3 << 20
"""Bytes of memory that one automaton may take while somebody writes prompts."""


class EvidenceTable:
    """The evidence table of a language, compiled into one automaton that reads a text once."""

    def __init__(self, rows: Sequence[EvidenceRow]) -> None:
        self._rows = rows
        self._set: Any = None

    def warm(self) -> None:
        """Compile the table. Raise re2.error for an invalid pattern, or a table that needs too much memory."""
        if self._set is None:
            self._set = _compile([pattern for _, _, pattern in self._rows])

    def rest(self) -> None:
        """Release the automaton's megabytes. The next text compiles the table again in ten milliseconds."""
        self._set = None

    def score_kinds(self, text: str) -> dict[str, int]:
        """Return the weight of each kind of evidence in `text`, without the kinds that do not match."""
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
    """The other sentences of a prompt: the neighbours of one sentence, and those before it."""

    adjacent: Sequence[str] = ()
    before: Sequence[str] = ()
    is_long_prompt: bool = False
    """True for a prompt of so many sentences that most of them describe a task."""


def classify_evidence(found: dict[str, int], least: int, sure: int) -> Certainty | None:
    """Return how certain an instruction is by the sum of its weights, or None below `least`."""
    total = sum(found.values())
    if total < least:
        return None
    return "sure" if total >= sure else "unsure"


_IN_LONG = -3
_BESIDE = "around"
_BEFORE = "job"
"""Kinds of evidence that count for another sentence than the one they stand in."""


def combine_evidence(table: EvidenceTable, text: str, around: SentenceContext) -> dict[str, int]:
    """Return the evidence in a sentence, and the evidence that its context has for it.

    A `subject` of the work outweighs evidence that the sentence is a statement about the product.
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
