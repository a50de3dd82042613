"""Hooklore's lines about itself: on stderr, which in a resident is a file beside its socket.

Nothing else on the hook path writes to stderr (a test holds that), so every line passes the sanitiser.
"""

import sys
import threading

from hooklore.redaction.log_sanitizer import format_traceback, sanitize_log_line


def write_line(text: str) -> None:
    """Write one line, sanitised."""
    sys.stderr.write(sanitize_log_line(text) + "\n")


def write_sanitised(line: str) -> None:
    """Write a line that the sanitiser itself has made."""
    sys.stderr.write(line + "\n")


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
