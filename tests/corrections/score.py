"""Measure the share of statements in an explicit form that is kept, and of what is kept the share of rules.

`python -m tests.corrections.score` prints the figures and what was got wrong.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.corrections import forms, forty, plain_orders

LEAST_PRECISION = 0.95
LEAST_RECALL = 0.9

Find = Callable[[str], Sequence[Any]]
"""Return what a prompt teaches: a list, empty for nothing."""

_STATED = tuple(text for texts in forms.FORMS.values() for text in texts)

CORPORA: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "forms": (_STATED, forms.LOOKALIKES),
    "plain orders": (plain_orders.STANDING, plain_orders.PASSING),
    "English, forty": (forty.ENGLISH_CORRECTIONS, forty.ENGLISH_LOOKALIKES),
    "Japanese, forty": (forty.JAPANESE_CORRECTIONS, forty.JAPANESE_LOOKALIKES),
}
"""(corrections, look-alikes) by name. Many corrections of `forty` are in no explicit form, on purpose."""


@dataclass
class Score:
    """What was found of one corpus: `missed` corrections, and `mistaken` look-alikes."""

    found: int = 0
    missed: list[str] = field(default_factory=list)
    mistaken: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Return the share of the corrections that were found."""
        total = self.found + len(self.missed)
        return self.found / total if total else 0.0

    @property
    def precision(self) -> float:
        """Return the share of what was found that is a correction."""
        total = self.found + len(self.mistaken)
        return self.found / total if total else 0.0


def score(find: Find, corrections: Sequence[str], lookalikes: Sequence[str]) -> Score:
    """Run the rules over corrections and look-alikes."""
    result = Score()
    for prompt in corrections:
        if find(prompt):
            result.found += 1
        else:
            result.missed.append(prompt)
    result.mistaken = [prompt for prompt in lookalikes if find(prompt)]
    return result


def report(results: dict[str, Score]) -> Iterator[str]:
    """Yield the figures, line by line, then what was got wrong."""
    for name, result in results.items():
        yield f"{name:<17} precision {result.precision:.3f}  recall {result.recall:.3f}"
        for prompt in result.missed:
            yield f"  missed    {prompt[:100]!r}"
        for prompt in result.mistaken:
            yield f"  mistaken  {prompt[:100]!r}"


def main() -> int:
    """Print the figures for the rules of this project."""
    from hooklore.instructions.extract import extract_instructions

    results = {name: score(extract_instructions, *corpus) for name, corpus in CORPORA.items()}
    for line in report(results):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
