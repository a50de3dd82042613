"""`python -m tests.house.measure [FOLDER]`: size, typing and prose of a package, as figures.

`--json` prints the figures for a program, `--list METRIC` each offender as `file:line name`, and
`--since REV` counts commits after that revision. A module's syntax is all that is read.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.house.commits import commits
from tests.house.metrics import METRICS, function_lines
from tests.house.source_tree import SourceTree, python_lines

Figures = dict[str, float | None]

_DEFAULT: Final = Path("src/hooklore")
_SMALLEST_MODULE: Final = 4
"""Modules of fewer lines (a package's docstring, its version) do not count as modules."""


class Spread(NamedTuple):
    """Median, 90th percentile and maximum of a list of sizes."""

    median: float
    p90: int
    largest: int

    def __str__(self) -> str:
        return f"{self.median:g} / {self.p90} / {self.largest}"


def main(arguments: Sequence[str]) -> int:
    """Print the table, the JSON or a list of offenders. Return 0."""
    options = _options(arguments)
    tree = SourceTree(options.folder)
    if options.list:
        lines = [str(offender) for offender in METRICS[options.list].counted(tree).offenders]
        sys.stdout.write("\n".join(lines) + "\n" * bool(lines))
        return 0
    found = figures(tree, options.tests, options.since)
    text = json.dumps(found, indent=1) if options.json else table(tree, found)
    sys.stdout.write(text + "\n")
    return 0


def figures(tree: SourceTree, tests: Path | None = None, since: str | None = None) -> Figures:
    """Return every figure by its name; shares are in per cent."""
    return {
        **_sizes(tree),
        **{name: metric.figure(metric.counted(tree)) for name, metric in METRICS.items()},
        "tests-per-source-line": _tests_per_line(tree, tests),
        **_commit_figures(tree, since),
    }


def table(tree: SourceTree, found: Figures) -> str:
    """Return the figures as one line each."""
    rows = [
        ("modules / lines", f"{found['modules']:g} / {found['lines']:g}"),
        ("module median / p90 / max", str(module_sizes(tree))),
        ("function median / p90 / max", str(function_sizes(tree))),
        *((each.text, each.worded(found[name] or 0)) for name, each in METRICS.items()),
        ("test lines : source lines", _text(found["tests-per-source-line"])),
        (
            "commits with a body",
            f"{_text(found['commits-with-body'])} of {_text(found['commits'])}",
        ),
        ("subjects over 72 characters", _text(found["long-subjects"])),
    ]
    width = max(len(text) for text, _ in rows)
    return "\n".join(f"{text:<{width}}  {value}" for text, value in rows)


def module_sizes(tree: SourceTree) -> Spread:
    """Return the spread of the modules' lengths, blank lines included."""
    return _spread([each.lines for each in tree.modules if each.lines >= _SMALLEST_MODULE])


def function_sizes(tree: SourceTree) -> Spread:
    """Return the spread of the functions' lengths, methods and nested functions included."""
    return _spread([function_lines(each) for module in tree.modules for each in module.functions()])


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.house.measure")
    parser.add_argument("folder", nargs="?", type=Path, default=_DEFAULT, help="the package")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--list", choices=sorted(METRICS), metavar="METRIC",
                        help=f"print each offender: {', '.join(METRICS)}")  # fmt: skip
    parser.add_argument("--since", metavar="REV", help="count commits after this revision")
    parser.add_argument("--tests", type=Path, help="the tests; by default `tests` of the checkout")
    return parser.parse_args(arguments)


def _sizes(tree: SourceTree) -> Figures:
    modules, functions = module_sizes(tree), function_sizes(tree)
    return {
        "modules": sum(each.lines >= _SMALLEST_MODULE for each in tree.modules),
        "lines": tree.lines,
        "module-median": modules.median,
        "module-p90": modules.p90,
        "module-max": modules.largest,
        "function-median": functions.median,
        "function-p90": functions.p90,
        "function-max": functions.largest,
    }


def _tests_per_line(tree: SourceTree, tests: Path | None) -> float | None:
    """Return the ratio of lines, or None where there are no tests."""
    folder = tests or tree.folder.parents[1] / "tests"
    return round(python_lines(folder) / tree.lines, 2) if folder.is_dir() else None


def _commit_figures(tree: SourceTree, since: str | None) -> Figures:
    found = commits(tree.folder, since)
    return {
        "commits": found.number if found else None,
        "commits-with-body": found.with_body if found else None,
        "long-subjects": found.long_subjects if found else None,
    }


def _text(figure: float | None) -> str:
    return "unknown" if figure is None else f"{figure:g}"


def _spread(sizes: Sequence[int]) -> Spread:
    """Return the spread; the 90th percentile is the element at nine tenths of the sorted list."""
    ordered = sorted(sizes)
    if not ordered:
        return Spread(0, 0, 0)
    place = min(len(ordered) - 1, int(0.9 * len(ordered)))
    return Spread(statistics.median(ordered), ordered[place], ordered[-1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
