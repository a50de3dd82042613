"""A resident that runs before a client does, where the time of a session's first hook is not what is shown."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

from hooklore.cli.install.launcher import launcher_directory
from hooklore.config import StoreLocation, locate_store
from hooklore.errors import HookloreError, ResidentUnreachable
from hooklore.resident import call
from hooklore.resident.asking import start_resident
from tests.conftest import wait_until


def start_early(environment: Mapping[str, str]) -> None:
    """Start the resident of a user whose launcher is installed, and wait until it answers.

    Otherwise the first hook starts it, and on a busy machine has no answer within the time of a hook. That a
    hook starts it is shown in `tests/e2e/test_hook_process.py`. A store that cannot be served is left to the test.
    """
    launcher = launcher_directory(Path(environment["HOME"]))
    if "HOOKLORE_OFF" in environment or not (launcher / "client.py").exists():
        return
    with suppress(HookloreError):
        place = locate_store(environment)
        with patch.dict(os.environ, environment, clear=True):
            is_started = start_resident(place)
        if is_started:
            wait_until(lambda: _answers(place), "the resident", seconds=20.0)


def _answers(place: StoreLocation) -> bool:
    with suppress(ResidentUnreachable):
        return call.request_status(place) is not None
    return False
