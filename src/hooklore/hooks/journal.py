"""The lines that we write about ourselves: to stderr, which in a resident is a file beside its socket.

Nothing else of the hook path writes there (a test looks), so no line goes past the sanitiser.
"""

import sys
import threading

from hooklore.redaction.log_sanitizer import format_traceback, sanitize_log_line


def write_line(text: str) -> None:
    """One line."""
    sys.stderr.write(sanitize_log_line(text) + "\n")


def write_sanitised(line: str) -> None:
    """One line that the sanitiser itself has made."""
    sys.stderr.write(line + "\n")


def write_error(what: str, error: BaseException) -> None:
    """A bug of ours: what could not be done, and where, without what it was done with."""
    sys.stderr.write(f"{sanitize_log_line(what)}\n{format_traceback(error)}\n")


def install_error_hooks() -> None:
    """Errors that nobody catches are written like all others: Python would print their messages."""
    sys.excepthook = lambda _kind, error, _frames: write_error("hooklore: ended by a bug", error)
    threading.excepthook = lambda found: write_error(
        "hooklore: a thread ended by a bug", found.exc_value or RuntimeError()
    )
    sys.unraisablehook = lambda found: write_error(
        "hooklore: ignored a bug", found.exc_value or RuntimeError()
    )
