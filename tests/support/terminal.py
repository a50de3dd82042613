"""Run a command as a person: stdin and stderr are a terminal of its own, and stdout is a pipe or that terminal."""

import os
import pty
import subprocess
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from hooklore.agents.ancestry import Ancestor, find_ancestors
from hooklore.agents.speaker import identify_speaker

_SECONDS = 60


def run_at_terminal(
    words: Sequence[str],
    env: Mapping[str, str],
    cwd: Path,
    typed: str = "",
    *,
    shows_stdout: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Return the outcome of a command at a terminal where somebody types `typed`.

    Skip the test where an agent runs it: what an agent runs is no person's. With `shows_stdout` the terminal
    shows stdout, too: `stderr` then has both, in the order of a screen.
    """
    if identify_speaker({}, is_at_terminal=True, above=_above()).kind == "agent":
        pytest.skip("an agent runs the tests: run them from a terminal of your own")
    mine, its = pty.openpty()
    shown: list[bytes] = []
    if typed:
        os.write(mine, typed.encode())
    try:
        process = subprocess.Popen(
            words, env=dict(env), cwd=cwd, stdin=its, stderr=its, text=True, start_new_session=True,
            stdout=its if shows_stdout else subprocess.PIPE,
        )  # fmt: skip
        reader = threading.Thread(target=_read, args=(mine, shown), daemon=True)
        os.close(its)
        reader.start()
        stdout, _ = process.communicate(timeout=_SECONDS)
        reader.join(timeout=_SECONDS)
    finally:
        os.close(mine)
    stderr = b"".join(shown).decode("utf-8", "replace").replace("\r\n", "\n")
    return subprocess.CompletedProcess(list(words), process.returncode, stdout or "", stderr)


@lru_cache(maxsize=1)
def _above() -> tuple[Ancestor, ...]:
    return tuple(find_ancestors(os.getpid()))


def _read(descriptor: int, into: list[bytes]) -> None:
    """Read what a terminal shows, until the last process that has it open ends."""
    while True:
        try:
            piece = os.read(descriptor, 4096)
        except OSError:
            return
        if not piece:
            return
        into.append(piece)
