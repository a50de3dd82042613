"""`python -m tests.bench [--full] [--check]`: measure all goals, in a quiet hour, and print JSON.

At 100,000 events; `--full` at 1,000,000, too. `--check` exits with 1 when a goal is not met. What a landing must
pass is the comparison of `compare.py`.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.bench import (
    agents,
    broker,
    client,
    corpus,
    firsthook,
    hooks,
    idle,
    ingest,
    large_prompt,
    mcp_recall,
    memory,
    opening,
    query,
    rebuild,
    redaction,
)
from tests.bench.base import fdatasync_median, make_environment
from tests.bench.goals import Size, judge
from tests.bench.home import Home, furnished
from tests.claude.binary import claude_binary

_SIZES: Final[Mapping[Size, int]] = {"100k": 100_000, "1M": 1_000_000}
_ROUNDS: Final = 100
_EVENTS: Final = 2_000


@dataclass(slots=True)
class Measured:
    """Figures by size of the store; figures that could not be taken, with the reason."""

    figures: dict[Size, dict[str, float]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)


def main(
    arguments: Sequence[str], measure: Callable[[Sequence[Size]], Measured] | None = None
) -> int:
    """0; 1 when a goal is not met and `--check` asks for it."""
    options = _options(arguments)
    sizes: Sequence[Size] = ("100k", "1M") if options.full else ("100k",)
    measured = (measure or measure_all)(sizes)
    verdicts = judge(measured.figures, measured.skipped)
    report = {
        "commit": _commit(),
        "machine": measured.machine,
        "goals": [verdict.row() for verdict in verdicts],
        "figures": measured.figures,
    }
    print(json.dumps(_rounded(report), indent=1))  # noqa: T201 - the report is what this is for
    for verdict in verdicts:
        if not verdict.is_ok:
            row = verdict.row()
            sys.stderr.write(
                f"{row['figure']} at {row['events']}: {row['value']}, goal {row['must']}\n"
            )
    return 1 if options.check and not all(verdict.is_ok for verdict in verdicts) else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--full", action="store_true", help="at a million events, too: 15 minutes")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a goal is not met")
    return parser.parse_args(arguments)


def measure_all(sizes: Sequence[Size]) -> Measured:
    """Everything, in a temporary folder on the disk that temporary files are on."""
    measured = Measured()
    with tempfile.TemporaryDirectory(prefix="hooklore-bench-") as folder:
        directory = Path(folder)
        base = make_environment(directory / "base")
        measured.machine = _machine(directory)
        for size in sizes:
            with furnished(directory / size) as home:
                measured.figures[size] = _measure(home, _SIZES[size], base)
                if size == "100k":
                    measured.figures[size] |= redaction.measure()
                    _measure_client(home, directory, measured)
        measured.machine["load_after"] = os.getloadavg()[0]
    return measured


def _measure(home: Home, events: int, base: str) -> dict[str, float]:
    """All but the real client, at one size.

    The resident's memory is taken twice: when it has served one agent's hooks, which is what the goal was
    set for, and when it has served a long session with failures, other agents, an MCP server and conversations
    as well.
    """
    started = time.monotonic()
    events_of_a_year = corpus.Corpus(home.keys)
    corpus.write(home.place, events_of_a_year, events)
    figures = rebuild.measure(home, events)
    figures |= query.measure(home, events_of_a_year)
    figures |= hooks.measure(home, events_of_a_year, base, _ROUNDS)
    figures |= opening.measure(home, base, _ROUNDS)
    figures |= idle.measure(home)
    figures |= large_prompt.measure(home)
    figures |= broker.measure(home, _EVENTS)
    figures |= memory.measure(home)
    figures |= hooks.measure_long_session(home, events_of_a_year, base, _ROUNDS)
    figures |= agents.measure(home, events_of_a_year, _ROUNDS)
    figures |= mcp_recall.measure(home, events_of_a_year, _ROUNDS)
    if events == _SIZES["100k"]:
        figures |= ingest.measure(home, base, _ROUNDS)
    figures["memory_of_all_mb"] = memory.measure(home)["memory_mb"]
    figures |= firsthook.measure(home, base)
    return figures | {"seconds": time.monotonic() - started}


def _measure_client(home: Home, directory: Path, measured: Measured) -> None:
    """Where the real client is installed; with HOOKLORE_REQUIRE_CLIENT=1 it must be."""
    binary = claude_binary()
    if binary is not None:
        measured.figures["100k"] |= client.measure(home, binary, directory / "clients")
    elif os.environ.get("HOOKLORE_REQUIRE_CLIENT") != "1":
        measured.skipped["client_against_empty_x"] = "the real client is not installed"


def _machine(directory: Path) -> dict[str, Any]:
    return {
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "python": platform.python_version(),
        "fdatasync_ms": fdatasync_median(directory) * 1e3,
        "load_before": os.getloadavg()[0],
    }


def _commit() -> str | None:
    """What was measured; `-dirty` when the tree is not that commit's."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip() or None


def _rounded(value: Any) -> Any:
    """Four digits are more than the machine's noise leaves."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
