"""Look for the division of the prefilters into sets that takes the least memory and time.

`python -m tests.redaction.prefilter_sets [SECONDS]` moves prefilters between the sets of `READ_TOGETHER`, keeps
what is better, and prints the sets with their bytes and their time on the texts of the bench, on secrets in
carriers and on honest paragraphs. It needs glibc, which tells how much is allocated.
"""

import ctypes
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import re2

from hooklore.redaction.folding import FOLDABLE
from hooklore.redaction.json_redaction import _plain_texts
from hooklore.redaction.pattern import Rule, quiet_options
from hooklore.redaction.rules import all_rules
from tests.bench.redaction import Events
from tests.redaction.cases import build_cases
from tests.redaction.honest import paragraphs

_BYTES_OF_A_MICROSECOND: Final = 20_000
"""Memory that may be spent to save a microsecond of each text."""

Group = frozenset[str]
Cost = tuple[int, float]
"""Bytes of an automaton's states, and microseconds that a text takes."""


class _Usage(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks mapped usmblks fsmblks used free keepcost".split()
    )


def _allocated() -> int:
    usage = ctypes.CDLL(None).mallinfo2
    usage.restype = _Usage
    found = usage()
    return int(found.used + found.mapped)


def texts() -> list[bytes]:
    """Return a thousand texts of each kind, mixed."""
    events = Events(650)
    bodies = ["\n\n".join(_plain_texts(events.body(size)) or ()) for size in (650, 4000) * 500]
    some = [bodies, [case.text for case in build_cases()], [each.text for each in paragraphs()]]
    drawn = random.Random(1)
    mixed = [text for kind in some for text in drawn.sample(kind, 1000)]
    drawn.shuffle(mixed)
    return [text.encode("utf-8", "replace") for text in mixed]


def measure(group: Group, raws: Sequence[bytes]) -> Cost:
    """Return what the automaton of a set costs on the texts."""
    gates = re2.Set.SearchSet(quiet_options())
    for pattern in sorted(group):
        gates.Add(pattern)
    gates.Compile()
    match: Callable[[bytes], Any] = gates._set.Match
    before = _allocated()
    for raw in raws:
        match(raw)
    states = _allocated() - before
    started = time.perf_counter()
    for raw in raws:
        match(raw)
    return states, (time.perf_counter() - started) / len(raws) * 1e6


def improved(
    sets: list[Group], cost: Callable[[Group], float], seconds: float
) -> Iterator[list[Group]]:
    """Yield better and better divisions."""
    drawn = random.Random(1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        one, other = drawn.sample(range(len(sets)), 2)
        moved = _some(drawn, sets[one], 1)
        back = _some(drawn, sets[other], drawn.randrange(2))
        new = sets.copy()
        new[one], new[other] = sets[one] - moved | back, sets[other] - back | moved
        if sum(map(cost, new)) < sum(map(cost, sets)):
            sets = new
            yield sets


def _some(drawn: random.Random, group: Group, count: int) -> Group:
    return frozenset(drawn.sample(sorted(group), min(count, len(group))))


def main(seconds: float) -> None:
    """Print the best sets that were found, with the names of their rules."""
    raws = texts()
    known: dict[Group, Cost] = {}

    def cost(group: Group) -> float:
        if group not in known:
            known[group] = measure(group, raws) if group else (0, 0.0)
        states, microseconds = known[group]
        return states + microseconds * _BYTES_OF_A_MICROSECOND

    divisions = [[frozenset(some) for some in all_rules.READ_TOGETHER]]
    divisions += improved(divisions[0], cost, seconds)
    for name, sets in (("today", divisions[0]), ("best", divisions[-1])):
        lines = [_described(group, known[group]) for group in sets]
        sys.stdout.write("\n".join((f"{name}: {sum(map(cost, sets)) / 1e6:.2f}", *lines, "")))


def _described(group: Group, cost: Cost) -> str:
    names = {FOLDABLE: "FOLDABLE"}
    for name, rule in vars(all_rules).items():
        if isinstance(rule, Rule):
            names[rule.prefilter] = f"{names.get(rule.prefilter, '')} {name}".strip()
    return f"{cost} {', '.join(sorted(names[pattern] for pattern in group))}"


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 120.0)
