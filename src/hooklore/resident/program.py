"""The files that this process runs from, as they were when it began to import them.

An upgrade replaces them under a running process. What it imports afterwards is gone, or of another version.
"""

from importlib.util import find_spec
from pathlib import Path

import hooklore

Stamp = tuple[int, int] | None

_IN_PIECES = "phonenumbers"
"""The dependency that imports a module for each region when it meets one."""


class Program:
    """The state of the package, of its metadata and of the dependency that is imported piece by piece."""

    def __init__(self) -> None:
        """Take the state. The first thing that a process does, because its imports follow."""
        spec = find_spec(_IN_PIECES)
        self._files = [Path(each) for each in (hooklore.__file__, spec and spec.origin) if each]
        self._start = self._stamps()

    def is_replaced(self) -> bool:
        """Return whether the files are no longer those that this process began to import.

        It takes up to 250 µs beside many packages, so that no hook waits for it once all is loaded.
        """
        return self._stamps() != self._start

    def _stamps(self) -> list[Stamp]:
        site = Path(hooklore.__file__).parent.parent
        return [
            stamp(path)
            for path in (*self._files, *sorted(site.glob("hooklore-*.dist-info/METADATA")))
        ]


def stamp(path: Path) -> Stamp:
    """Return inode and time of change in nanoseconds, None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns)
