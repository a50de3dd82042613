"""Ask the resident a request, and start a resident where none runs."""

import contextlib
import fcntl
import os
import sys
import threading
import time
from typing import Final

from hooklore.config import (
    DEPTH_VARIABLE,
    RESIDENT_ENVIRONMENT,
    StoreLocation,
    locate_store,
    make_private_directory,
    read_environment,
)
from hooklore.errors import ConfigError, ResidentUnreachable, StoreNotItsOwn
from hooklore.hooks.delivery import Delivery
from hooklore.requests.request import Request, RequestInvalid
from hooklore.requests.response import Response, parse_response
from hooklore.resident import call
from hooklore.resident.wire import CONTROL, MOST_PAYLOAD

REQUEST: Final = "Request"
"""The event of a frame whose payload is a request's JSON, and whose answer is the response's."""

ANSWERED: Final = "answered"
_PAUSE_SECONDS = 0.005
_LONGEST_PAUSE_SECONDS = 0.1
_START_SECONDS = 2.0
"""Time between two starts: a resident that ends again at once is not started in a loop."""
_LAUNCHER = ".local/share/hooklore"
_NO_ANSWER = Response(
    success=False,
    problem="could not answer the request: hooklore failed",
    hint="run `hooks doctor`",
    code="failed",
)


def ask_resident(place: StoreLocation, request: Request, *, seconds: float) -> Response | None:
    """Return the resident's response, or None when no resident answers within `seconds`.

    A resident is started where none runs. A connection that breaks is made anew: what was kept already is
    found again by its words, so that nothing is kept twice. Raise RequestInvalid for a request that no
    resident takes.
    """
    delivery = Delivery(CONTROL, REQUEST, os.urandom(16).hex(), request.to_json())
    if len(delivery.payload) > MOST_PAYLOAD:
        raise RequestInvalid([f"it has more than {MOST_PAYLOAD:,} bytes"], "send less at a time")
    next_start = time.monotonic()
    end, pause = next_start + seconds, _PAUSE_SECONDS
    while (left := end - time.monotonic()) > 0:
        with contextlib.suppress(ResidentUnreachable):
            found = call.send_delivery(place, delivery, seconds=left)
            if found is not None:
                status, raw = found
                return parse_response(raw) if status == ANSWERED else _NO_ANSWER
            if time.monotonic() >= next_start and start_resident(place):
                next_start = time.monotonic() + _START_SECONDS
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
    return None


def start_resident(place: StoreLocation) -> bool:
    """Start a resident and hand it the lock for life. Return False when another process has the lock.

    A process that hooklore itself started starts none.
    """
    if DEPTH_VARIABLE in read_environment():
        return False
    make_private_directory(place.runtime)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        lock = os.open(place.socket.with_suffix(".lock"), flags, 0o600)
    except OSError as error:
        raise ResidentUnreachable(str(place.socket), error.strerror or "no lock") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _spawn(place, lock)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True


def _spawn(place: StoreLocation, lock: int) -> None:
    """Start `python -I -m hooklore.resident` with the variables that a resident keeps."""
    import subprocess  # a resident imports this module, and starts none

    command = [sys.executable, "-I", "-m", "hooklore.resident", "--root", place.root]
    command += ["--lock-fd", str(lock), *_launcher()]
    process = subprocess.Popen(
        command, env=_environment(place), cwd="/", pass_fds=[lock], start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    # The resident outlives the request. Its end is waited for, so that it leaves no zombie.
    threading.Thread(target=process.wait, name="resident", daemon=True).start()


def _environment(place: StoreLocation) -> dict[str, str]:
    own = read_environment()
    kept = {name: own[name] for name in RESIDENT_ENVIRONMENT if name in own}
    kept[DEPTH_VARIABLE] = "1"
    with contextlib.suppress(ConfigError, StoreNotItsOwn):
        if locate_store(kept).root == place.root:
            return kept
    return {**kept, "HOOKLORE_HOME": place.root}


def _launcher() -> list[str]:
    """Return the option that names the launcher, whose change ends the resident after an upgrade."""
    folder = f"{read_environment().get('HOME', '')}/{_LAUNCHER}"
    return ["--launcher", folder] if os.path.isfile(f"{folder}/client.py") else []
