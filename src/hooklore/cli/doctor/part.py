"""One part of the facts, read in a thread of its own, and why a part is not known."""

import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from hooklore.agents.check import shell
from hooklore.cli.doctor.facts import MEND_ABOVE, Unknown
from hooklore.errors import HookloreError

T = TypeVar("T")

LOOK_SECONDS = 10.0
LATE = Unknown(f"it took longer than {LOOK_SECONDS} s")


class Part(threading.Thread):
    """One part, read in a thread of its own: a file system that hangs must not hold up the other parts."""

    def __init__(self, look: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._look = look
        self.done = threading.Event()
        self.found: Any = LATE
        self.start()

    def run(self) -> None:
        """Look, and say that it is done."""
        self.found = guarded(self._look)
        self.done.set()


def guarded(look: Callable[[], T]) -> T | Unknown:
    """Return what was found, or why nothing was. Catch every error: the doctor runs when all else is broken."""
    try:
        return look()
    except PermissionError as error:
        return Unknown(str(error), _opening(error.filename))
    except (HookloreError, OSError) as error:
        return Unknown(str(error))
    except Exception as error:
        return Unknown(f"{type(error).__name__}: {error}", "report this line")


def _opening(path: object) -> str:
    """Return the command that opens a path which was refused: the folder above refuses it."""
    if not isinstance(path, str | bytes):
        return MEND_ABOVE
    folder = os.path.dirname(os.fsdecode(path))
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return shell("chmod", "u+rwx", folder)


def unless_refused(read: Callable[[], T], otherwise: T) -> T:
    """Return what is read, or `otherwise` where the system refuses it."""
    try:
        return read()
    except OSError:
        return otherwise


def wait_for(parts: Iterable[Part], deadline: float) -> None:
    """Wait until each part is done. After a ^C `join` would believe that the thread has ended."""
    for part in parts:
        part.done.wait(max(0.0, deadline - time.monotonic()))
