"""Proof that the store works: a `canary`, which recall never shows, goes through the real log and the index."""

import os

from hooklore.cli.doctor.facts import StoreProof
from hooklore.config import Settings, StoreLocation
from hooklore.hooks.delivery import Delivery
from hooklore.maintenance.canary import append_canary, follow_canary
from hooklore.resident import call
from hooklore.resident.wire import CONTROL

_LOCK_SECONDS = 1.0
_REASON = 200


def prove_store(
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
        receipt = append_canary(place, settings, token, _LOCK_SECONDS, index=index)
        status, reason = receipt.status, receipt.reason or ""
    if status not in ("stored", "duplicate"):
        return StoreProof(via, status, reason[:_REASON], None)
    return StoreProof(via, status, reason, follow_canary(place, token, seconds, index=index))


def _send_canary(place: StoreLocation, token: str) -> tuple[str, str]:
    """Have the resident append a canary. Return its status and the reason."""
    found = call.send_delivery(place, Delivery(CONTROL, "Canary", token, b""))
    return (found[0], found[1].decode("utf-8", "replace")) if found else ("lost", "")
