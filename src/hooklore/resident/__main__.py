"""`python -I -m hooklore.resident`: serve a store, or handle one frame from stdin (`--once`, `--spool`).

The socket is bound before anything heavy is imported, so that the hook that started us can already
wait in line.
"""

import fcntl
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

    from hooklore.resident.program import Program
    from hooklore.resident.server import Unused


_KEPT_OPTIONS = ("--root", "--launcher")


def main(arguments: list[str]) -> int:
    """Return 0 after serving or when the one frame is kept, else 1; `NO_SPOOL` of `once` when no spool takes it.

    1 says also that another resident serves this store.
    """
    from hooklore.resident.program import Program

    program = Program()
    if "--once" in arguments:
        from hooklore.resident.once import run_once

        return run_once(sys.stdin.buffer, program)
    if "--spool" in arguments:
        from hooklore.resident.once import spool_once

        return spool_once(sys.stdin.buffer, program)
    return _serve(dict(zip(arguments[::2], arguments[1::2], strict=False)), program)


def _serve(options: dict[str, str], program: "Program") -> int:
    from pathlib import Path

    from hooklore.resident import heap

    heap.leave_openssl_out()
    with heap.no_package_metadata():
        from hooklore.config import locate_store, make_private_directory, read_environment

    here = locate_store(read_environment())
    make_private_directory(here.runtime)
    lock = _lock(options, here.socket.with_suffix(".lock"))
    if lock is None:
        return 1
    from hooklore.resident.listener import Listener, bind_socket

    given = options.get("--listen-fd", "")
    listener = Listener(_adopt(int(given)) if given.isdigit() else bind_socket(here.socket))
    from hooklore.resident.lifecycle import Lifecycle
    from hooklore.resident.run import serve_store
    from hooklore.resident.server import Unused

    launcher, idle = options.get("--launcher"), options.get("--idle")
    lifecycle = Lifecycle(here, Path(launcher) if launcher else None, program=program)
    before = Unused(float(idle), _read_all(options.get("--secrets-fd", ""))) if idle else None
    unused = serve_store(here, listener, lifecycle, before)
    if unused is not None:
        _start_anew(options, lock, listener.fileno(), unused)
    # At once, though a thread may be indexing (what it leaves half done is made again): the lock
    # goes with the process, and hooks wait for it.
    os._exit(0)


def _adopt(fd: int) -> "socket.socket":
    """Return the socket that listens since before the resident started anew."""
    import socket

    os.set_inheritable(fd, False)
    return socket.socket(fileno=fd)


def _read_all(descriptor: str) -> bytes:
    """Return all bytes that the program before left in its pipe: no file ever has them."""
    if not descriptor.isdigit():
        return b""
    try:
        with os.fdopen(int(descriptor), "rb") as pipe:
            return pipe.read()
    except OSError:
        return b""


def _hand_on(secrets: bytes) -> int | None:
    """Return the reading end of a pipe that holds `secrets`, or None where there is none that takes them at once.

    Nobody reads before this program has been replaced, so that a write that waits would wait for ever.
    """
    try:
        reading, writing = os.pipe()
    except OSError:
        return None
    os.set_blocking(writing, False)
    try:
        is_whole = os.write(writing, secrets) == len(secrets)
    except OSError:
        is_whole = False
    os.close(writing)
    if not is_whole:
        os.close(reading)
        return None
    os.set_inheritable(reading, True)
    return reading


def _start_anew(options: dict[str, str], lock: int, listening: int, unused: "Unused") -> None:
    """Replace this program by a new one, which keeps the lock and the socket, so that no hook is turned away.

    A heap that has served keeps more in pieces than any cache that could be emptied.
    """
    for fd in (lock, listening):
        os.set_inheritable(fd, True)
    kept = {name: value for name, value in options.items() if name in _KEPT_OPTIONS}
    kept |= {"--lock-fd": str(lock), "--listen-fd": str(listening)}
    kept |= {"--idle": f"{unused.idle_seconds:.0f}"}
    if (secrets := _hand_on(unused.secrets)) is not None:
        kept["--secrets-fd"] = str(secrets)
    words = [word for pair in kept.items() for word in pair]
    os.execv(sys.executable, [sys.executable, "-I", "-m", "hooklore.resident", *words])  # noqa: S606 - itself


def _lock(options: dict[str, str], path: "os.PathLike[str]") -> int | None:
    """The start lock, held for life: handed over by the client, or taken by ourselves."""
    given = options.get("--lock-fd", "")
    if given.isdigit():
        os.set_inheritable(int(given), False)
        return int(given)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return fd


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
