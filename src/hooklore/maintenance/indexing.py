"""Maintain the index as the resident does: one process at a time writes it."""

import threading

from hooklore.broker.broker import AppendLog
from hooklore.config import StoreLocation
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Projector, YieldToHooks
from hooklore.maintenance.scrub import CancelCheck, find_outdated_scan, rescan_store


class IndexMaintainer:
    """Keep the index up to date while this process holds the index's writer lock."""

    def __init__(
        self,
        place: StoreLocation,
        give_way: YieldToHooks | None = None,
        log: AppendLog | None = None,
    ) -> None:
        """`log` is called with what a new scan and the janitor append."""
        self._place = place
        self._log = log
        self._lock = WriterLock(place)
        self._projector = Projector(place, give_way)
        self._busy = threading.Lock()
        self.holds_lock = False
        self._has_rescanned = False

    def advance(self) -> bool:
        """Index new records. Return False if another process holds the lock. Raise HookloreError."""
        with self._busy:
            self.holds_lock = self._lock.take()
            if self.holds_lock:
                self._projector.advance()
            return self.holds_lock

    def rebuild(self) -> None:
        """Rebuild an index that a reader found damaged, if the lock is free. Raise HookloreError."""
        with self._busy:
            if self._lock.take():
                self._projector.rebuild()

    def rescan(self, should_cancel: CancelCheck) -> None:
        """Scan a store again whose last scan had other rules, if the lock is held. Raise HookloreError.

        Each process tries once. `hooks doctor` names a scan that failed.
        """
        with self._busy:
            if self._has_rescanned or not self.holds_lock:
                return
            self._has_rescanned = True
            is_outdated = find_outdated_scan(self._place) is not None
            if is_outdated and rescan_store(self._place, should_cancel, self._log):
                self._projector.advance()

    def run_janitor(self, should_cancel: CancelCheck) -> None:
        """Let the janitor inspect the store when that is due, if the lock is held. Raise HookloreError."""
        from hooklore.maintenance.janitor import inspect_store_if_due

        if self.holds_lock:
            inspect_store_if_due(self._place, should_cancel, self._log)
            with self._busy:
                self._projector.advance()  # secrets may have left the log, and the index with it

    def rest(self) -> None:
        """Release memory until new records come."""
        with self._busy:
            self._projector.rest()

    def close(self) -> None:
        """Release the lock, so that another process can index."""
        with self._busy:
            self._projector.close()
            self._lock.give_back()
            self.holds_lock = False
