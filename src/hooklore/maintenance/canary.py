"""The canary: a record that only shows that writing works, and its way through the log and the index."""

import time
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.config import Settings, StoreLocation
from hooklore.errors import HookloreError
from hooklore.index.view import View
from hooklore.records import keys
from hooklore.records.draft import ACKNOWLEDGED, Draft, Receipt
from hooklore.records.record import Body

_POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class CanaryTrace:
    """The way of a canary and its time in seconds. `lag` counts the records that the index lacks."""

    logged: bool
    indexed: bool
    seconds: float
    lag: int
    problem: str | None = None


def canary_draft(token: str) -> Draft:
    """Return the draft of a record that only shows that writing works. Its delivery is `token`.

    A control record has no text group and no project, so recall never sees a canary.
    """
    return Draft.of(
        stream="control",
        kind="canary",
        agent_id="hooklore",
        delivery_id=token,
        source={"system": "cli", "detail": "doctor"},
        body=Body.of(targets=[]),
    )


def append_canary(
    place: StoreLocation, settings: Settings, token: str, seconds: float, *, index: bool
) -> Receipt:
    """Append a canary in this process, and with `index` index it. Wait for the lock at most `seconds`."""
    broker = Broker(place, settings, wait=seconds)
    try:
        receipt = broker.append([canary_draft(token)])[0]
        if index and receipt.status in ACKNOWLEDGED:
            broker.index()
    finally:
        broker.close()
    return receipt


def follow_canary(place: StoreLocation, token: str, seconds: float, *, index: bool) -> CanaryTrace:
    """Wait at most `seconds` until the canary is in the log, and with `index` until it is indexed."""
    started = time.monotonic()
    view = View(place)
    end, problem = None, None
    try:
        while True:
            try:
                view.refresh()
                if end is None and view.lookup(keys.of_event(token), 1):
                    end = view.end
                problem = view.problem
            except HookloreError as error:
                problem = str(error)
            spent = time.monotonic() - started
            indexed = end is not None and view.problem is None and view.watermark.pos >= end
            if indexed or (end is not None and not index) or spent > seconds:
                return CanaryTrace(end is not None, indexed, spent, view.lag, problem)
            time.sleep(_POLL_SECONDS)
    finally:
        view.close()
