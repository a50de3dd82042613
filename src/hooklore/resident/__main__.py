"""`python -I -m hooklore.resident`: serve a store, or handle one frame from stdin (`--once`, `--spool`).

The socket is bound before anything heavy is imported, so that the hook that started us can already
wait in line.
"""

import fcntl
import os
import sys


def main(arguments: list[str]) -> int:
    """0 after serving; 1 when another resident serves this store, or the one frame was not kept."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=False))
    if "--once" in arguments:
        from hooklore.resident.once import run_once

        return run_once(sys.stdin.buffer)
    if "--spool" in arguments:
        from hooklore.resident.once import spool_once

        return spool_once(sys.stdin.buffer)
    return _serve(options)


def _serve(options: dict[str, str]) -> int:
    from pathlib import Path

    from hooklore.config import locate_store, make_private_directory, read_environment

    here = locate_store(read_environment())
    make_private_directory(here.runtime)
    lock = _lock(options, here.socket.with_suffix(".lock"))
    if lock is None:
        return 1
    from hooklore.resident.listener import Listener, bind_socket

    listener = Listener(bind_socket(here.socket))
    from hooklore.resident.run import serve_store

    launcher = options.get("--launcher")
    serve_store(here, listener, Path(launcher) if launcher else None)
    # At once, though a thread may be indexing (what it leaves half done is made again): the lock
    # goes with the process, and hooks wait for it.
    os._exit(0)


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
