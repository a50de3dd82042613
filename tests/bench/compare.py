"""`python -m tests.bench.compare [--line]`: this commit beside the baseline, in turn, in one run.

Both furnish a home and take the samples of `probes.PROBES`, one of this commit and one of the baseline at a time,
each by its own bench in its own environment. What counts is the median of the ratios of the pairs: a host that is
slow for some seconds slows both of a pair. Of what does the same work each time the least counts. A figure beyond
its bound is measured once more. Exit with 1 where one is beyond it twice. `--line` prints the line of BENCHMARKS
that a move of the baseline to this commit adds.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.bench import baseline
from tests.bench.probes import PROBES, Figures, Probe

WORSE_TIME: Final = 0.15
WORSE_SIZE: Final = 0.05
WORSE_P99: Final = 0.20
WORSE_IN_SUM: Final = 0.30
"""Against the first line of the table of moves: small steps add up."""
_NAMED_FROM: Final = 0.02
"""A line of the table names a figure whose ratio to the first line is further from 1 than that."""


def bound_of(figure: str) -> float:
    """Return how much worse a figure may be than the baseline's."""
    if figure.endswith(("_mb", "_to_log")):
        return WORSE_SIZE
    return WORSE_P99 if "_p99_" in figure else WORSE_TIME


@dataclass(frozen=True)
class Side:
    """One of the two commits: the process that takes its samples."""

    process: "subprocess.Popen[str]"

    def ask(self, probe: Probe) -> None:
        """Have one sample taken."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{probe.name}\n")
        self.process.stdin.flush()

    def answer(self) -> Figures:
        """Return the figures of the sample that was asked for; its own error was printed."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"error: a side of the comparison ended: exit {self.process.wait()}")
        return dict(json.loads(line))

    def take(self, probe: Probe) -> Figures:
        """Return the figures of one sample."""
        self.ask(probe)
        return self.answer()


@dataclass(slots=True)
class Pairs:
    """Samples of both commits by figure, each of the first beside one of the second."""

    ours: dict[str, list[float]] = field(default_factory=dict)
    theirs: dict[str, list[float]] = field(default_factory=dict)
    probes: dict[str, Probe] = field(default_factory=dict)
    """The probe that gives each figure."""

    def add(self, probe: Probe, ours: Figures, theirs: Figures) -> None:
        """Add one sample of each; a figure that one side does not have is left out."""
        for name in ours.keys() & theirs.keys():
            self.probes[name] = probe
            self.ours.setdefault(name, []).append(ours[name])
            self.theirs.setdefault(name, []).append(theirs[name])

    def keep_least(self, earlier: "Pairs") -> None:
        """Add earlier samples of the figures of which the least counts."""
        for name in self.ours.keys() & earlier.ours.keys():
            if self.probes[name].is_least:
                self.ours[name] += earlier.ours[name]
                self.theirs[name] += earlier.theirs[name]

    def ratio(self, figure: str) -> float:
        """Return the median of the ratios of the pairs, or the ratio of the least of both."""
        if self.probes[figure].is_least:
            return min(self.ours[figure]) / min(self.theirs[figure])
        pairs = zip(self.ours[figure], self.theirs[figure], strict=True)
        return statistics.median(our / their for our, their in pairs)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One figure: medians of both commits, their ratio, and the ratio to the first line of the table."""

    figure: str
    ours: float
    theirs: float
    ratio: float
    in_sum: float

    @property
    def is_ok(self) -> bool:
        """Whether the figure is within both bounds; no number is not."""
        return self.ratio <= 1 + bound_of(self.figure) and self.in_sum <= 1 + WORSE_IN_SUM

    def line(self) -> str:
        """Return the figure as a line of the report."""
        bound = (
            f"{1 + bound_of(self.figure):.2f}, in sum {self.in_sum:.2f} of {1 + WORSE_IN_SUM:.2f}"
        )
        mark = "" if self.is_ok else "  WORSE"
        return f"{self.figure:34} {self.theirs:10.4g} {self.ours:10.4g} {self.ratio:6.2f} of {bound}{mark}"


def judge(pairs: Pairs, moved: Mapping[str, float]) -> list[Verdict]:
    """Return a verdict on each figure; `moved` has the baseline's ratios to the first line."""
    return [
        Verdict(
            name, statistics.median(pairs.ours[name]), statistics.median(pairs.theirs[name]),
            pairs.ratio(name), pairs.ratio(name) * moved.get(name, 1.0),
        )
        for name in sorted(pairs.ours)
    ]  # fmt: skip


def measure(ours: Side, theirs: Side, probes: Iterable[Probe]) -> Pairs:
    """Take all samples of the probes, the two sides in turn; which is first changes from pair to pair."""
    pairs = Pairs()
    for probe in probes:
        for number in range(probe.rounds):
            pairs.add(probe, *_pair(ours, theirs, probe, is_ours_first=number % 2 == 0))
    return pairs


def _pair(
    ours: Side, theirs: Side, probe: Probe, *, is_ours_first: bool
) -> tuple[Figures, Figures]:
    if probe.rests:
        ours.ask(probe)
        theirs.ask(probe)
        return ours.answer(), theirs.answer()
    if is_ours_first:
        return ours.take(probe), theirs.take(probe)
    their = theirs.take(probe)
    return ours.take(probe), their


def compare(ours: Side, theirs: Side, moved: Mapping[str, float]) -> list[Verdict]:
    """Return a verdict on each figure. One beyond its bound has that of a second measurement."""
    first = measure(ours, theirs, PROBES)
    verdicts = {each.figure: each for each in judge(first, moved)}
    missed = {name: each for name, each in verdicts.items() if not each.is_ok}
    if missed:
        _print("beyond its bound, so measured once more:", missed.values())
        probes = dict.fromkeys(first.probes[name] for name in missed)
        again = measure(ours, theirs, probes)
        again.keep_least(first)
        verdicts |= {each.figure: each for each in judge(again, moved) if each.figure in missed}
    return list(verdicts.values())


def _print(heading: str, verdicts: Iterable[Verdict]) -> None:
    lines = [heading, *(each.line() for each in verdicts)]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def line_of_move(verdicts: Iterable[Verdict], commit: str, date: str) -> str:
    """Return the line of the table of moves for a move to `commit`, with a reason to fill in."""
    named = [v for v in verdicts if abs(v.in_sum - 1) > _NAMED_FROM]
    ratios = ", ".join(f"{v.figure} {v.in_sum:.2f}" for v in named) or "all within .02"
    return f"| {date} | `{commit}` | REASON | {ratios} |"


@contextmanager
def _side(python: str, checkout: Path, folder: Path) -> Iterator[Side]:
    """Start one side and wait until its home is furnished; it ends with its stdin."""
    command = [python, "-m", "tests.bench.sampling", str(folder)]
    with subprocess.Popen(
        command, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        side = Side(process)
        side.answer()
        yield side


@contextmanager
def both_sides(commit: str) -> Iterator[tuple[Side, Side]]:
    """Start this commit's side and that of another. Raise BaselineMissing where the other cannot be had."""
    with tempfile.TemporaryDirectory(prefix="hooklore-bench-") as name:
        folder = Path(name)
        theirs = baseline.lay_out(commit, folder / "baseline")
        with (
            _side(sys.executable, baseline.ROOT, folder / "home-1") as our_side,
            _side(theirs, folder / "baseline", folder / "home-2") as their_side,
        ):
            yield our_side, their_side


def main(arguments: Sequence[str]) -> int:
    """Compare, print a line a figure, and return the exit status."""
    options = _options(arguments)
    commit = options.baseline or baseline.commit_of_baseline()
    try:
        with both_sides(commit) as (ours, theirs):
            verdicts = compare(ours, theirs, baseline.moved_so_far(commit))
    except baseline.BaselineMissing as missing:
        sys.stdout.write(f"nothing was compared: the baseline {commit} is missing: {missing}\n")
        return 0
    _print(f"figure, at {commit[:12]}, here, ratio:", verdicts)
    if options.line:
        sys.stdout.write(line_of_move(verdicts, *baseline.name_of_head()) + "\n")
    return 0 if all(each.is_ok for each in verdicts) else 1


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.compare", description=__doc__)
    parser.add_argument("--baseline", help="a commit, in place of the one that .ci/baseline names")
    parser.add_argument(
        "--line", action="store_true", help="print the line for a move to this commit"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
