"""The commit that a comparison measures against, which `.ci/baseline` names, and its moves in BENCHMARKS."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_MOVES: Final = ROOT / "tests" / "BENCHMARKS.md"
_ROW: Final = re.compile(
    r"^\| \d{4}-\d\d-\d\d \| `(?P<commit>[0-9a-f]{7,40})` \| [^|]* \| (?P<ratios>[^|]*) \|$",
    re.MULTILINE,
)
_RATIO: Final = re.compile(r"(\w+) (\d+\.\d+)")


class BaselineMissing(Exception):
    """The commit that `.ci/baseline` names cannot be had here; the text is the cause."""


def commit_of_baseline() -> str:
    """Return the commit that `.ci/baseline` names: its first word."""
    return (ROOT / ".ci" / "baseline").read_text("ascii").split()[0]


def name_of_head() -> tuple[str, str]:
    """Return the short name of this checkout's commit and its date."""
    told = subprocess.run(
        ["git", "log", "-1", "--format=%h %cs"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    commit, date = told.stdout.split()
    return commit, date


def lay_out(commit: str, folder: Path) -> str:
    """Write the files of a commit below `folder`, with an environment of their own; its interpreter.

    A shallow checkout fetches the commit. Raise BaselineMissing where that fails.
    """
    _have(commit)
    folder.mkdir()
    with subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "-x", "-C", str(folder)], stdin=archive.stdout, check=True)
    return _environment(folder)


def _have(commit: str) -> None:
    known = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    if subprocess.run(known, cwd=ROOT, capture_output=True, check=False).returncode == 0:
        return
    fetch = ["git", "fetch", "-q", "--depth=1", "origin", commit]
    fetched = subprocess.run(fetch, cwd=ROOT, capture_output=True, text=True, check=False)
    if fetched.returncode:
        raise BaselineMissing(fetched.stderr.strip() or f"git fetch exited {fetched.returncode}")


def _environment(folder: Path) -> str:
    """Make an environment of the versions that the commit pins, and install the commit into it."""
    python = str(folder / ".venv" / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", str(folder / ".venv")], check=True)
    pinned = os.environ | {"PIP_CONSTRAINT": str(folder / ".ci" / "requirements.txt")}
    subprocess.run([python, "-m", "pip", "install", "-q", "-U", "pip"], check=True)
    wanted = ["-e", ".[mcp]", "--group", "dev"]
    subprocess.run(
        [python, "-m", "pip", "install", "-q", *wanted], check=True, cwd=folder, env=pinned
    )
    return python


def moved_so_far(commit: str) -> Mapping[str, float]:
    """Return, for each figure, the baseline's ratio to that of the table's first line; 1 for what is not named.

    The line of `commit` counts, else the last one.
    """
    rows = list(_ROW.finditer(_MOVES.read_text("utf-8")))
    row = next((each for each in rows if commit.startswith(each["commit"])), rows[-1])
    return {name: float(ratio) for name, ratio in _RATIO.findall(row["ratios"])}
