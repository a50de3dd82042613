"""The launcher's own `hooklore`, and the mark that agents are to run it by its path.

The installer decides that from the PATH of the shell that runs it, and leaves the mark: an empty file. A hook's
own PATH is its client's, which says nothing about the shells that the client starts.
"""

import os
import shlex

from hooklore.agents.program_name import PROGRAM
from hooklore.agents.registration import LAUNCHER_PATH

BY_PATH = "by-path"
"""The mark's name in the launcher."""


def launcher_program(home: str) -> str:
    """Return the path of the launcher's `hooklore`."""
    return f"{home}/{LAUNCHER_PATH}/{PROGRAM}"


def quoted_program(home: str) -> str:
    """Return the launcher's `hooklore` as a shell takes it."""
    return shlex.quote(launcher_program(home))


def find_program(home: str) -> str:
    """Return what an agent's shell runs hooklore by: its name, or the launcher's path where that is marked."""
    is_by_path = os.path.exists(f"{home}/{LAUNCHER_PATH}/{BY_PATH}")
    return quoted_program(home) if is_by_path else PROGRAM
