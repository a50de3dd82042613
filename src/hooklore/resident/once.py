"""One frame, handled in a process of its own: slower, with the same result.

`run_once` is for when no resident starts. `spool_once` is for when so many hooks wait for the resident
that more would keep it busy.
"""

import contextlib
import os
import time
from dataclasses import replace
from typing import IO

from hooklore.broker import Broker
from hooklore.config import load_settings, locate_store, read_environment
from hooklore.errors import HookloreError
from hooklore.hooks import journal
from hooklore.hooks.delivery import Delivery
from hooklore.hooks.pending import LATE_FACT
from hooklore.hooks.runner import Runner
from hooklore.records.draft import ACKNOWLEDGED
from hooklore.resident.later_imports import load_later_imports
from hooklore.resident.program import Program
from hooklore.resident.wire import FrameBuffer, InvalidFrame

_LOCK_SECONDS = 5.0
NO_SPOOL = 2
"""The exit status that tells the client to try no longer."""


def run_once(stdin: IO[bytes], program: Program) -> int:
    """Record the frame on `stdin`, and return 0 if it is stored, or left out by a rule.

    Return 1 as well when `program` is being replaced, so that the frame is handed in again.
    """
    delivery = _read_delivery(stdin)
    if delivery is None or not _is_whole(program):
        return 1
    broker, runner = _open_store(program)
    with contextlib.suppress(HookloreError):  # what cannot be read must not stop the recording
        broker.refresh()
    try:
        answer = runner.run(replace(delivery, facts={**delivery.facts, LATE_FACT: "1"}))
    except Exception:
        if not program.is_replaced():
            raise
        return 1
    if broker.needs_indexing():
        broker.index()
    broker.close()
    return 0 if answer.status in {*ACKNOWLEDGED, "left-out", "refused"} else 1


def spool_once(stdin: IO[bytes], program: Program) -> int:
    """Put the frame on `stdin` in the spool, redacted, and return 0.

    Return `NO_SPOOL` when no spool takes it, and 1 when `program` is being replaced.
    """
    delivery = _read_delivery(stdin)
    if delivery is None:
        return NO_SPOOL
    if not _is_whole(program):
        return 1
    broker, runner = _open_store(program)
    try:
        (pending,) = runner.record([delivery], broker.put_aside)
    except Exception:
        if not program.is_replaced():
            raise
        return 1
    broker.close()
    return NO_SPOOL if pending.status == "lost" else 0


def _is_whole(program: Program) -> bool:
    """Return whether all that hooks import later is there, and of the version of this process."""
    try:
        load_later_imports(lambda: None)
    except ImportError:
        return False
    return not program.is_replaced()


def _read_delivery(stdin: IO[bytes]) -> Delivery | None:
    try:
        delivery = FrameBuffer(bytearray()).feed(stdin.read())
    except InvalidFrame:
        return None
    return replace(delivery, process=os.getppid()) if delivery else None


def _open_store(program: Program) -> tuple[Broker, Runner]:
    env = read_environment()
    here = locate_store(env)
    settings = load_settings(here.config)
    log = None
    if settings.debug and journal.redirect_to(here.socket.with_suffix(".log")):
        log = journal.write_append
    broker = Broker(here, settings, wait=_LOCK_SECONDS, log=log)
    return broker, Runner(
        broker, env.get("HOME", "/"), time.time_ns, is_replaced=program.is_replaced
    )
