"""How fast the processor is while something is measured: fixed work of the interpreter, in turns with it.

The start of an interpreter (`base.py`) is system calls and pages. A core that other work shares computes at 60 %
of its speed and starts a process at 80 %, and that changes within seconds. So a figure that is computation only
is set beside a computation that was taken in the same milliseconds. Looking words up in a large dictionary waits
for memory as the automata of redaction do: of the bases that were tried, its ratio to a redaction changed least
under other work (2.7 to 3.4; regular expressions 1.5 to 2.1; the redaction itself 189 to 360 us; 2026-11-23).
What two processes do at once is set beside Python code that runs while another process is busy.
"""

import functools
import itertools
import json
import random
import subprocess
import time
from typing import Final

from hooklore.records.json_value import Json
from tests.bench.base import percentile
from tests.bench.words import english

_SEED: Final = 11
_UNTIL_BUSY: Final = 0.05
_DOCUMENTS: Final = 400
_TEXTS, _WORDS = 200, 150


class Pace:
    """A piece of work that never changes, and how long it took each time."""

    def __init__(self) -> None:
        places, texts = _dictionary()
        self._find = places.get
        self._texts = itertools.cycle(texts)
        self._taken: list[float] = []

    def step(self) -> None:
        """Look up the words of one text."""
        text, find = next(self._texts), self._find
        started = time.perf_counter()
        for word in text:
            find(word)
        self._taken.append(time.perf_counter() - started)

    def median_us(self) -> float:
        """The median of all steps, in microseconds."""
        return percentile(self._taken, 0.5) * 1e6


@functools.cache
def _dictionary() -> tuple[dict[str, int], list[list[str]]]:
    """Return words by their places, and texts of equal words that are other objects, which a lookup compares."""
    source = random.Random(_SEED)
    words = english(source).words
    texts = [["".join(list(w)) for w in source.choices(words, k=_WORDS)] for _ in range(_TEXTS)]
    return {word: place for place, word in enumerate(words)}, texts


def busy_pace_us(python: str) -> float:
    """Return the microseconds of a computation while another process computes: two cores may be threads of one."""
    document = _document()
    with subprocess.Popen([python, "-I", "-c", "while True: pass"]) as busy:
        time.sleep(_UNTIL_BUSY)
        taken = [_written(document) for _ in range(_DOCUMENTS)]
        busy.kill()
    return percentile(taken, 0.5) * 1e6


def _written(document: list[Json]) -> float:
    """Return the seconds that `json` takes to write a document with indents, which is Python code."""
    started = time.perf_counter()
    json.dumps(document, indent=1)
    return time.perf_counter() - started


def _document() -> list[Json]:
    source = random.Random(_SEED)
    return [
        {
            "id": source.getrandbits(48),
            "text": " ".join(f"w{source.randrange(999)}" for _ in range(12)),
            "numbers": [source.randrange(99) for _ in range(6)],
            "on": {"a": None, "b": True, "c": source.random()},
        }
        for _ in range(6)
    ]
