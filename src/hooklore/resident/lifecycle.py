"""Decide when a resident ends: idle for longer than sessions lie apart, told to, or something was replaced."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.resident.program import Program, stamp

IDLE_SECONDS = 15 * 60.0
_EVERY_SECONDS = 1.0

REPLACED = "the version, the settings, the store or the socket changed"

Identity = tuple[object, ...]


@dataclass
class Lifecycle:
    """Compares the present state with the state at the start, at most once a second."""

    place: StoreLocation
    launcher: Path | None
    now: Callable[[], float] = time.monotonic
    idle_seconds: float = IDLE_SECONDS
    program: Program = field(default_factory=Program)
    keep: Callable[[], float] | None = None
    """Returns for how many seconds to stay in all. It is asked once, after the first `idle_seconds`."""

    def __post_init__(self) -> None:
        self._kept: float | None = None
        self._had_store = False
        self._start = self._identity()
        self._used = self._checked = self.now()
        self.stopping: str | None = None

    def used(self, seconds_ago: float = 0.0) -> None:
        """Note that a hook was served."""
        self._used, self._kept = self.now() - seconds_ago, None

    def idle_for(self) -> float:
        """Return the seconds since the last hook."""
        return self.now() - self._used

    def reason_to_leave(self) -> str | None:
        """Return why to stop after the queue is served, or None to continue."""
        now = self.now()
        if self.stopping is None and now - self._checked >= _EVERY_SECONDS:
            self._checked = now
            if self.program.is_replaced() or self._identity() != self._start:
                self.stopping = REPLACED
            elif now - self._used > self.idle_seconds:
                if self._kept is None:
                    self._kept = self.keep() if self.keep is not None else self.idle_seconds
                self.stopping = "idle" if now - self._used > self._kept else None
        return self.stopping

    def _identity(self) -> Identity:
        """Return the state of the store, its settings, the launcher's link and our socket."""
        if self.place.directory.exists():
            self._had_store = True
        return (
            self._had_store and not self.place.directory.exists(),
            stamp(self.place.config),
            stamp(self.place.vendor_rows),
            _read(os.readlink, self.launcher / "python") if self.launcher else None,
            _read(lambda path: os.lstat(path).st_ino, self.place.socket),
        )


def _read(what: Callable[[Path], object], path: Path) -> object:
    try:
        return what(path)
    except OSError:
        return None
