"""Run a command as a person: stdin and stderr are a terminal of its own, and stdout is a pipe or that terminal."""

import os
import pty
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from hooklore.agents.ancestry import Ancestor, find_ancestors
from hooklore.agents.speaker import identify_speaker
from tests.support.prepared_command import finish_command, is_prepared

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
    reader = threading.Thread(target=_read, args=(mine, shown), daemon=True)
    reader.start()
    try:
        with tempfile.TemporaryFile() as file:
            stdout = its if shows_stdout else file.fileno()
            status = _run(words, env, cwd, (its, stdout, its))
            os.close(its)
            file.seek(0)
            printed = file.read().decode("utf-8", "replace")
        reader.join(timeout=_SECONDS)
    finally:
        os.close(mine)
    stderr = b"".join(shown).decode("utf-8", "replace").replace("\r\n", "\n")
    return subprocess.CompletedProcess(list(words), status, printed, stderr)


def _run(
    words: Sequence[str], env: Mapping[str, str], cwd: Path, descriptors: tuple[int, int, int]
) -> int:
    """Run a command to its end with these descriptors as stdin, stdout and stderr; its exit status."""
    if is_prepared(words):
        return finish_command(words, env, cwd, descriptors)
    stdin, stdout, stderr = descriptors
    done = subprocess.run(
        words, env=dict(env), cwd=cwd, stdin=stdin, stdout=stdout, stderr=stderr,
        start_new_session=True, timeout=_SECONDS, check=False,
    )  # fmt: skip
    return done.returncode


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
