"""One frame, handled in a process of its own if no resident starts: slower, with the same result."""

import contextlib
import time
from typing import IO

from hooklore.broker import Broker
from hooklore.config import Settings, load_settings, locate_store, read_environment
from hooklore.errors import ConfigError, HookloreError
from hooklore.hooks import journal
from hooklore.hooks.runner import Runner
from hooklore.records.draft import ACKNOWLEDGED
from hooklore.resident.wire import FrameBuffer, InvalidFrame

_LOCK_SECONDS = 5.0


def run_once(stdin: IO[bytes]) -> int:
    """Record the frame on `stdin`, and return 0 if it is stored, or left out by a rule."""
    env = read_environment()
    here = locate_store(env)
    try:
        delivery = FrameBuffer(bytearray()).feed(stdin.read())
    except InvalidFrame:
        return 1
    if delivery is None:
        return 1
    try:
        settings = load_settings(here.config)
    except ConfigError:
        settings = Settings()  # a broken file must not stop the recording
    log = None
    if settings.debug and journal.redirect_to(here.socket.with_suffix(".log")):
        log = journal.write_append
    broker = Broker(here, settings, wait=_LOCK_SECONDS, log=log)
    with contextlib.suppress(HookloreError):  # what cannot be read must not stop the recording
        broker.refresh()
    answer = Runner(broker, env.get("HOME", "/"), time.time_ns).run(delivery)
    if broker.needs_indexing():
        broker.index()
    broker.close()
    return 0 if answer.status in {*ACKNOWLEDGED, "left-out", "refused"} else 1
