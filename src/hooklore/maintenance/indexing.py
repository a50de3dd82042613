"""The index's one writer, as the resident holds it."""

import threading

from hooklore.config import Place
from hooklore.index.generation import WriterLock
from hooklore.index.projector import GiveWay, Projector
from hooklore.maintenance.scrub import Breathe, open_rescan, rescan


class Indexing:
    """Takes the index's writer lock when it can, and keeps the index up to date while it has it."""

    def __init__(self, place: Place, give_way: GiveWay | None = None) -> None:
        self._place = place
        self._lock = WriterLock(place)
        self._projector = Projector(place, give_way)
        self._busy = threading.Lock()
        self.is_ours = False
        self._is_scanned = False

    def advance(self) -> bool:
        """Index what is new; False when another process holds the lock. Raises HookloreError."""
        with self._busy:
            self.is_ours = self._lock.take()
            if self.is_ours:
                self._projector.advance()
            return self.is_ours

    def rebuild(self) -> None:
        """Make the index again, where it is ours: a reader found it damaged. Raises HookloreError."""
        with self._busy:
            if self._lock.take():
                self._projector.rebuild()

    def rescan(self, breathe: Breathe) -> None:
        """Scan what was kept under other rules, once, where the index is ours. Raises HookloreError."""
        with self._busy:
            if self._is_scanned or not self.is_ours:
                return
            self._is_scanned = True  # one try a process: what stays open is named by `hooks doctor`
            if open_rescan(self._place) is not None and rescan(self._place, breathe):
                self._projector.advance()

    def look_through(self, breathe: Breathe) -> None:
        """The janitor's look, where the index is ours. Raises HookloreError."""
        from hooklore.maintenance.janitor import look_by_itself

        if self.is_ours:
            look_by_itself(self._place, breathe)

    def rest(self) -> None:
        """Give memory back until there is more."""
        with self._busy:
            self._projector.rest()

    def close(self) -> None:
        """Let another process index."""
        with self._busy:
            self._projector.close()
            self._lock.give_back()
            self.is_ours = False
