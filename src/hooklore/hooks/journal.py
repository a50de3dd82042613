"""Hooklore's lines about itself: on stderr, which in a resident is a file beside its socket.

Nothing else on the hook path writes to stderr (a test holds that), so every line passes the sanitiser.
"""

import contextlib
import os
import sys
import threading
from pathlib import Path

from hooklore.hooks.log_sanitizer import (
    format_append_line,
    format_traceback,
    sanitize_log_line,
)
from hooklore.records.record import Record

_LOG_BYTES = 256 * 1024


def redirect_to(path: Path) -> bool:
    """Redirect stderr to a small file, where `hooks doctor` looks, and return whether that was possible.

    A full file is emptied.
    """
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(path, flags, 0o600)
        if os.fstat(fd).st_size > _LOG_BYTES:
            os.ftruncate(fd, 0)
        os.dup2(fd, 2)
        os.close(fd)
    except OSError:
        return False
    return True


def write_line(text: str) -> None:
    """Write one line, sanitised."""
    sys.stderr.write(sanitize_log_line(text) + "\n")


def write_append(record: Record, status: str, id_: str | None) -> None:
    """Write the status and the id of one append. Never raises: the record may be in the log already."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(format_append_line(record, status, id_) + "\n")


def write_error(what: str, error: BaseException) -> None:
    """Write a bug of hooklore's: `what` could not be done, and where, without the data."""
    sys.stderr.write(f"{sanitize_log_line(what)}\n{format_traceback(error)}\n")


def install_error_hooks() -> None:
    """Write uncaught errors like all others. Python itself would print their messages."""
    sys.excepthook = lambda _kind, error, _frames: write_error("hooklore: ended by a bug", error)
    threading.excepthook = lambda found: write_error(
        "hooklore: a thread ended by a bug", found.exc_value or RuntimeError()
    )
    sys.unraisablehook = lambda found: write_error(
        "hooklore: ignored a bug", found.exc_value or RuntimeError()
    )
