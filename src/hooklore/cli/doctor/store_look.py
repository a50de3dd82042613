"""The look at the log and the index of a store, and the canary that passes through both.

A `canary` is a record that recall never shows.
"""

import os
import threading
from typing import Any

from hooklore.cli.doctor.facts import LockFacts, ResidentFacts, StoreProof, Unknown
from hooklore.cli.doctor.part import LOOK_SECONDS, Part, guarded, wait_for
from hooklore.cli.doctor.processes import lock_holder
from hooklore.config import Settings, StoreLocation, load_settings
from hooklore.errors import LogError, LogLockTimeout
from hooklore.hooks.delivery import Delivery
from hooklore.maintenance.canary import append_canary, follow_canary
from hooklore.maintenance.health import log_health, spool_health, wait_for_lock
from hooklore.maintenance.index_health import IndexHealth, index_health
from hooklore.resident import call
from hooklore.resident.wire import CONTROL

_LOCK_SECONDS = 1.0
_WRITE_SECONDS = 1.0
_INDEX_SECONDS = 3.0
_REASON = 200
_INDEXED_HERE = 2_000
"""Records that this process indexes for its canary when no resident runs: more would take too long."""


class StoreLook(threading.Thread):
    """The log, the index, then the canary that passes through both and changes them."""

    def __init__(self, place: StoreLocation, lock: Part, resident: Part, deadline: float) -> None:
        super().__init__(daemon=True)
        self._place, self._lock, self._resident = place, lock, resident
        self._deadline = deadline
        self.done = threading.Event()
        late = Unknown(f"it took longer than {LOOK_SECONDS} s")
        self.log: Any = late
        self.index: Any = late
        self.spool: Any = late
        self.proof: StoreProof | Unknown = late
        self.start()

    def run(self) -> None:
        """Look, and say that it is done."""
        self._follow()
        self.done.set()

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
        lock, resident = self._lock.found, self._resident.found
        if isinstance(lock, LockFacts) and lock.problem:
            return Unknown("the log's lock is held")
        if isinstance(resident, ResidentFacts) and resident.problem:
            return Unknown("the resident does not answer")
        is_resident = isinstance(resident, ResidentFacts) and resident.status is not None
        return _prove_store(
            self._place,
            load_settings(self._place.config),
            is_resident=is_resident,
            index=_may_index(self.index, is_resident=is_resident),
            seconds=_INDEX_SECONDS,
        )


def _may_index(index: IndexHealth | Unknown, *, is_resident: bool) -> bool:
    """Return whether the canary is to reach the index: a broken index is for `hooklore rebuild`."""
    if isinstance(index, Unknown) or index.damage is not None:
        return False
    return is_resident or index.lag <= _INDEXED_HERE


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


def _prove_store(
    place: StoreLocation, settings: Settings, *, is_resident: bool, index: bool, seconds: float
) -> StoreProof:
    """Append a canary through the resident, or in this process where none runs, and follow the canary.

    `index` asks that the index reads the canary too, within so many seconds.
    """
    token = os.urandom(16).hex()
    via = "the resident" if is_resident else "this process"
    if is_resident:
        status, reason = _send_canary(place, token)
    else:
        receipt = append_canary(place, settings, token, _WRITE_SECONDS, index=index)
        status, reason = receipt.status, receipt.reason or ""
    if status not in ("stored", "duplicate"):
        return StoreProof(via, status, reason[:_REASON], None)
    return StoreProof(via, status, reason, follow_canary(place, token, seconds, index=index))


def _send_canary(place: StoreLocation, token: str) -> tuple[str, str]:
    """Have the resident append a canary. Return its status and the reason."""
    found = call.send_delivery(place, Delivery(CONTROL, "Canary", token, b""))
    return (found[0], found[1].decode("utf-8", "replace")) if found else ("lost", "")
