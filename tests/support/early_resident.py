"""A resident that runs before a client does, where the time of a session's first hook is not what is shown."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from hooklore.cli.install.launcher import launcher_directory
from hooklore.config import DEPTH_VARIABLE, StoreLocation, locate_store, make_private_directory
from hooklore.errors import HookloreError, ResidentUnreachable
from hooklore.resident import call
from tests.conftest import wait_until

_DETACHED = ("/bin/sh", "-c", '"$@" </dev/null >/dev/null 2>&1 &', "sh")
"""Starts a program that belongs to nobody, as the resident which a hook has started does."""


def start_early(environment: Mapping[str, str]) -> None:
    """Start the resident of a user whose launcher is installed, and wait until it answers.

    Otherwise the first hook starts it, and on a busy machine has no answer within the time of a hook. That a
    hook starts it is shown in `tests/e2e/test_hook_process.py`.
    """
    launcher = launcher_directory(Path(environment["HOME"]))
    if "HOOKLORE_OFF" in environment or not (launcher / "client.py").exists():
        return
    with suppress(
        HookloreError
    ):  # what a store that cannot be served costs a session is the test's own
        place = locate_store(environment)
        if _is_started(place, launcher, environment):
            wait_until(lambda: _answers(place), "the resident", seconds=20.0)


def _is_started(place: StoreLocation, launcher: Path, environment: Mapping[str, str]) -> bool:
    """Start a resident with the lock that makes it the only one. Return False where there is one."""
    make_private_directory(place.runtime)
    lock = os.open(place.socket.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        words = [sys.executable, "-I", "-m", "hooklore.resident", "--root", place.root]
        words += ["--lock-fd", str(lock), "--launcher", str(launcher)]
        env = {**environment, DEPTH_VARIABLE: "1"}
        subprocess.run([*_DETACHED, *words], env=env, cwd="/", pass_fds=[lock], check=True)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True


def _answers(place: StoreLocation) -> bool:
    with suppress(ResidentUnreachable):
        return call.request_status(place) is not None
    return False
