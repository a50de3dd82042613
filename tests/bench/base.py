"""What a time is measured against: a bare interpreter, in the same run, in turns with what is measured."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ran:
    """One process from its start to its end: seconds on the clock, and what it printed."""

    seconds: float
    stdout: bytes
    status: int


def run(command: list[str], env: Mapping[str, str], stdin: bytes = b"") -> Ran:
    """Run a program to its end, its input and output pipes; the input must fit into a pipe (64 KiB)."""
    give, given = os.pipe()
    os.write(given, stdin)
    os.close(given)
    got, answer = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, give, 0),
        (os.POSIX_SPAWN_DUP2, answer, 1),
    ]
    started = time.perf_counter()
    pid = os.posix_spawn(command[0], command, env, file_actions=actions)
    status = os.waitpid(pid, 0)[1]
    seconds = time.perf_counter() - started
    os.close(give)
    os.close(answer)
    with os.fdopen(got, "rb") as pipe:
        return Ran(seconds, pipe.read(), os.waitstatus_to_exitcode(status))


def begin(command: list[str], env: Mapping[str, str], stdin: bytes = b"") -> int:
    """Start the same without waiting for it, its output to nobody; its pid."""
    give, given = os.pipe()
    os.write(given, stdin)
    os.close(given)
    actions = [
        (os.POSIX_SPAWN_DUP2, give, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    pid = os.posix_spawn(command[0], command, env, file_actions=actions)
    os.close(give)
    return pid


def make_environment(directory: Path) -> str:
    """The interpreter of a new, empty environment of the interpreter that runs this.

    The base is `python -I -c pass` by an environment's own path: through the launcher's link it
    would look into another site-packages. Not by this environment's, where an editable install,
    setuptools or coverage put `.pth` files that every start reads, and some that import: a slower
    base would make every ratio look better.
    """
    subprocess.run(
        [sys.executable, "-I", "-m", "venv", "--without-pip", str(directory)], check=True
    )
    python = str(directory / "bin" / "python")
    assert_no_pth(python)
    return python


def assert_no_pth(python: str) -> None:
    """Fail when an interpreter's start would read a `.pth` file, or import a customisation."""
    found = subprocess.run(
        [python, "-I", "-c", _SITES], check=True, capture_output=True, text=True
    ).stdout.split("\n")
    assert found[0] == "True", "the environment's own site-packages is not on its path"
    assert found[1:] == [""], f"the base interpreter reads {found[1:]}"


_SITES = """
import glob, site, sys
print(sys.prefix != sys.base_prefix)
for folder in site.getsitepackages():
    for path in glob.glob(folder + "/*.pth"):
        print(path)
for name in ("sitecustomize", "usercustomize"):
    if name in sys.modules:
        print(name)
"""


def interleaved(
    tasks: Mapping[str, Callable[[], float]], rounds: int, warm: int = 3
) -> dict[str, list[float]]:
    """The seconds of each task, done in turns, so that a busy machine slows all of them alike."""
    for _ in range(warm):
        for task in tasks.values():
            task()
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            taken[name].append(task())
    return taken


def medians(taken: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median of each."""
    return {name: statistics.median(times) for name, times in taken.items()}


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share of them does not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def fdatasync_median(directory: Path, times: int = 200) -> float:
    """Seconds that this disk takes to flush a line appended to a file, by itself."""
    path = directory / "fdatasync"
    taken = []
    with path.open("ab", buffering=0) as file:
        for _ in range(times):
            file.write(b"x" * 649 + b"\n")
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append(time.perf_counter() - started)
    path.unlink()
    return statistics.median(taken)
