"""Run a program so that nothing of it is left when it takes too long."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path


def run_in_group(
    words: Sequence[str],
    seconds: float,
    *,
    payload: bytes | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program with its children in a process group of their own, and return how it ended.

    `subprocess.run` ends the program alone: a shim's children would run on after `seconds`. Raise
    `subprocess.TimeoutExpired` when the program takes longer, and OSError when it cannot be started.
    """
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL if payload is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
        start_new_session=True,
    ) as child:
        try:
            out, err = child.communicate(payload, timeout=seconds)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(words, child.returncode, out, err)
