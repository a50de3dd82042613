"""Maintain the index as the resident does: one process at a time writes it."""

from hooklore.broker.broker import AppendLog
from hooklore.config import StoreLocation
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Projector, YieldToHooks
from hooklore.maintenance.scrub import CancelCheck, describe_outdated_scan, rescan_store


class IndexMaintainer:
    """Keeps the index up to date while this process holds the index's writer lock. For one thread."""

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
        self.holds_lock = False
        self._has_rescanned = False

    def advance(self, *, is_damaged: bool = False) -> bool:
        """Index new records, and rebuild an index that a reader found damaged. Raise HookloreError.

        Return False if another process holds the lock.
        """
        self.holds_lock = self._lock.take()
        if self.holds_lock and is_damaged:
            self._projector.rebuild()
        if self.holds_lock:
            self._projector.advance()
        return self.holds_lock

    def rescan(self, should_cancel: CancelCheck) -> None:
        """Scan a store again whose last scan had other rules, if the lock is held. Raise HookloreError.

        Each process tries once. `hooks doctor` names a scan that failed.
        """
        if self._has_rescanned or not self.holds_lock:
            return
        self._has_rescanned = True
        is_outdated = describe_outdated_scan(self._place) is not None
        if is_outdated and rescan_store(self._place, should_cancel, self._log):
            self._projector.advance()

    def run_janitor(self, should_cancel: CancelCheck) -> None:
        """Let the janitor inspect the store when that is due, if the lock is held. Raise HookloreError."""
        from hooklore.maintenance.janitor import inspect_store_if_due

        if self.holds_lock:
            inspect_store_if_due(self._place, should_cancel, self._log)
            self._projector.advance()  # secrets may have left the log, and the index with it

    def rest(self) -> None:
        """Release memory until new records come."""
        self._projector.close()

    def close(self) -> None:
        """Release the lock, so that another process can index."""
        self._projector.close()
        self._lock.give_back()
        self.holds_lock = False
