"""The index's one writer, as the resident holds it."""

import threading

from hooklore.config import StoreLocation
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Projector, YieldToHooks
from hooklore.maintenance.scrub import CancelCheck, rescan_reason, rescan_store


class IndexMaintainer:
    """Takes the index's writer lock when it can, and keeps the index up to date while it has it."""

    def __init__(self, place: StoreLocation, give_way: YieldToHooks | None = None) -> None:
        self._place = place
        self._lock = WriterLock(place)
        self._projector = Projector(place, give_way)
        self._busy = threading.Lock()
        self.holds_lock = False
        self._is_scanned = False

    def advance(self) -> bool:
        """Index what is new; False when another process holds the lock. Raises HookloreError."""
        with self._busy:
            self.holds_lock = self._lock.take()
            if self.holds_lock:
                self._projector.advance()
            return self.holds_lock

    def rebuild(self) -> None:
        """Make the index again, where it is ours: a reader found it damaged. Raises HookloreError."""
        with self._busy:
            if self._lock.take():
                self._projector.rebuild()

    def rescan(self, breathe: CancelCheck) -> None:
        """Scan what was kept under other rules, once, where the index is ours. Raises HookloreError."""
        with self._busy:
            if self._is_scanned or not self.holds_lock:
                return
            self._is_scanned = True  # one try a process: what stays open is named by `hooks doctor`
            if rescan_reason(self._place) is not None and rescan_store(self._place, breathe):
                self._projector.advance()

    def run_janitor(self, breathe: CancelCheck) -> None:
        """The janitor's look, where the index is ours. Raises HookloreError."""
        from hooklore.maintenance.janitor import inspect_store_if_due

        if self.holds_lock:
            inspect_store_if_due(self._place, breathe)

    def rest(self) -> None:
        """Give memory back until there is more."""
        with self._busy:
            self._projector.rest()

    def close(self) -> None:
        """Let another process index."""
        with self._busy:
            self._projector.close()
            self._lock.give_back()
            self.holds_lock = False
