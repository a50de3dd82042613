"""The look at the log and the index of a store, and the canary that passes through both.

A `canary` is a record that recall never shows.
"""

import os
from typing import Any

from hooklore.cli.doctor.facts import LockFacts, ResidentFacts, StoreProof, Unknown
from hooklore.cli.doctor.part import LATE, Part, guarded, wait_for
from hooklore.cli.doctor.processes import lock_holder
from hooklore.config import StoreLocation, load_settings
from hooklore.errors import LogError, LogLockTimeout
from hooklore.hooks.delivery import Delivery
from hooklore.maintenance.canary import append_canary, follow_canary
from hooklore.maintenance.health import log_health, spool_health, wait_for_lock
from hooklore.maintenance.index_health import IndexHealth, index_health
from hooklore.resident import call
from hooklore.resident.wire import CONTROL

_LOCK_SECONDS = 1.0
_WRITE_SECONDS = 1.0
_INDEX_SECONDS = 6.0
"""The indexer gathers for two seconds, and one that has just started loads its libraries first."""
_REASON = 200
_INDEXED_HERE = 2_000
"""Records that this process indexes for its canary when no resident runs: more would take too long."""


class StoreLook(Part):
    """The log, the index, then the canary that passes through both and changes them."""

    def __init__(self, place: StoreLocation, lock: Part, resident: Part, deadline: float) -> None:
        self._place, self._lock, self._resident = place, lock, resident
        self._deadline = deadline
        self.log: Any = LATE
        self.index: Any = LATE
        self.spool: Any = LATE
        self.proof: StoreProof | Unknown = LATE
        super().__init__(self._follow)

    def _follow(self) -> None:
        place = self._place
        self.spool = guarded(lambda: spool_health(place))
        self.log = guarded(lambda: log_health(place))
        self.index = guarded(lambda: index_health(place))
        wait_for((self._lock, self._resident), self._deadline)
        self.proof = guarded(self._prove)
        if isinstance(self.proof, StoreProof) and self.proof.trace is not None:
            # The canary's writer drained the spool and followed the log: look again.
            self.spool = guarded(lambda: spool_health(place))
            if isinstance(self.index, IndexHealth) and self.index.damage is None:
                self.index = guarded(lambda: index_health(place, 0.0))

    def _prove(self) -> StoreProof | Unknown:
        lock, resident, index = self._lock.found, self._resident.found, self.index
        if isinstance(lock, LockFacts) and lock.problem:
            return Unknown("the log's lock is held")
        if isinstance(resident, ResidentFacts) and resident.problem:
            return Unknown("the resident does not answer")
        is_resident = isinstance(resident, ResidentFacts) and resident.status is not None
        # A broken index is for `hooklore rebuild`.
        is_whole = isinstance(index, IndexHealth) and index.damage is None
        may_index = is_whole and (is_resident or index.lag <= _INDEXED_HERE)
        place, token = self._place, os.urandom(16).hex()
        if is_resident:
            via, sent = (
                "the resident",
                call.send_delivery(place, Delivery(CONTROL, "Canary", token, b"")),
            )
            status, reason = (sent[0], sent[1].decode("utf-8", "replace")) if sent else ("lost", "")
        else:
            via, settings = "this process", load_settings(place.config)
            receipt = append_canary(place, settings, token, _WRITE_SECONDS, index=may_index)
            status, reason = receipt.status, receipt.reason or ""
        if status not in ("stored", "duplicate"):
            return StoreProof(via, status, reason[:_REASON], None)
        trace = follow_canary(place, token, _INDEX_SECONDS, index=may_index)
        return StoreProof(via, status, reason, trace)


def lock_facts(place: StoreLocation) -> LockFacts:
    """Return whether the log's lock is free, and its holder when it is not."""
    if not os.path.isdir(place.directory):
        return LockFacts(None, None)
    try:
        wait_for_lock(place, _LOCK_SECONDS)
    except LogLockTimeout as error:
        return LockFacts(str(error), lock_holder(place.directory))
    except LogError as error:
        return LockFacts(str(error), None)
    return LockFacts(None, None)
