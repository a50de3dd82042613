"""The start of a resident with what its first hook imports. `later_imports` loads what others need."""

import contextlib
import gc
import os
import sys

from hooklore.config import Settings, StoreLocation, load_settings
from hooklore.hooks import journal
from hooklore.resident import heap
from hooklore.resident.lifecycle import Lifecycle
from hooklore.resident.listener import Listener
from hooklore.resident.server import START_ANEW, Server, Unused

_SWITCH_SECONDS = 0.0005
_COLLECT_AFTER = 50_000
"""Objects that are made before garbage is looked for: a prompt makes thousands, and hardly any of them in circles.
A quiet second looks for it."""


def serve_store(
    place: StoreLocation, listener: Listener, lifecycle: Lifecycle, before: Unused | None
) -> Unused | None:
    """Serve this store until there is a reason to stop.

    `lifecycle` knows the state that this process started from, `before` is what a resident that has started
    anew was handed. Return the same when it is to start anew, and None when it is to end.
    """
    journal.redirect_to(place.socket.with_suffix(".log"))
    journal.install_error_hooks()
    heap.use_one_arena()
    server = Server(place, _settings(place), listener, lifecycle, before)
    with contextlib.suppress(OSError):
        os.unlink(place.socket.with_suffix(".hung"))
    # With the default of 5 ms, each system call of an answer would wait that long while indexing runs.
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()  # objects that live as long as the process need no further collection
    gc.set_threshold(_COLLECT_AFTER)
    reason = server.serve()
    if reason == START_ANEW:
        return server.hand_on()
    journal.write_line(f"hooklore: left: {reason}")
    return None


def _settings(place: StoreLocation) -> Settings:
    """Return the user's settings, and log which keys of the file are not used."""
    settings = load_settings(place.config)
    for problem in settings.problems:
        journal.write_line(f"hooklore: {problem}")
    return settings
