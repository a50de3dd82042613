"""How fast the processor is while something is measured: fixed work of the interpreter, in turns with it.

The start of an interpreter (`base.py`) is system calls and pages. A core that other work shares computes at 60 %
of its speed and starts a process at 80 %, and that changes within seconds. So a figure that is computation only
is set beside a computation that was taken in the same milliseconds. Looking words up in a large dictionary waits
for memory as the automata of redaction do: of the bases that were tried, its ratio to a redaction changed least
under other work (2.7 to 3.4; regular expressions 1.5 to 2.1; the redaction itself 189 to 360 us; 2026-11-23).
"""

import itertools
import random
import time
from typing import Final

from tests.bench.base import percentile
from tests.bench.words import english

_SEED: Final = 11
_TEXTS, _WORDS = 200, 150


class Pace:
    """A piece of work that never changes, and how long it took each time."""

    def __init__(self) -> None:
        source = random.Random(_SEED)
        words = english(source).words
        self._places = {word: place for place, word in enumerate(words)}
        # Equal words that are other objects: a lookup compares them, too.
        texts = [["".join(list(w)) for w in source.choices(words, k=_WORDS)] for _ in range(_TEXTS)]
        self._texts = itertools.cycle(texts)
        self._taken: list[float] = []

    def step(self) -> None:
        """Look up the words of one text."""
        text, find = next(self._texts), self._places.get
        started = time.perf_counter()
        for word in text:
            find(word)
        self._taken.append(time.perf_counter() - started)

    def median_us(self) -> float:
        """The median of all steps, in microseconds."""
        return percentile(self._taken, 0.5) * 1e6
