"""Reads what lies beside the resident's socket, and asks the resident itself."""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hooklore.cli.doctor.facts import Process, ResidentFacts
from hooklore.cli.doctor.part import unless_refused
from hooklore.cli.doctor.processes import listener
from hooklore.config import StoreLocation, is_squatted, runtime_directory
from hooklore.errors import ResidentUnreachable
from hooklore.resident import call

_LOG_BYTES = 256 * 1024
_TRACEBACK = "Traceback (most recent call last):"


def resident_facts(place: StoreLocation) -> ResidentFacts:
    """Return whether the resident of this store answers, and what it left on its way."""
    log = place.socket.with_suffix(".log")
    text, log_time = _tail(log)
    process, status, problem = _ask(place)
    shared = runtime_directory()
    directory = shared if is_squatted(shared) else place.runtime
    hung = None
    with suppress(OSError, ValueError):
        # The mark of a hook that got no answer: when, and from which pid.
        when, _, pid = place.socket.with_suffix(".hung").read_text("ascii").partition(" ")
        hung = float(when), int(pid)
    return ResidentFacts(
        socket=str(place.socket),
        log=str(log),
        directory=str(directory),
        unsafe=_unsafe(directory),
        process=process,
        status=status,
        problem=problem,
        hung=hung,
        tracebacks=text.count(_TRACEBACK),
        last_error=_last_error(text),
        log_time=log_time,
    )


def _ask(place: StoreLocation) -> tuple[Process | None, Mapping[str, Any] | None, str | None]:
    """Return the listening process and its status. A stopped process is not asked: it would not answer."""
    try:
        process = listener(place.socket)
    except OSError as error:
        return None, None, error.strerror or str(error)
    if process is not None and process.is_stopped:
        return process, None, "it is stopped"
    try:
        return process, call.request_status(place), None
    except ResidentUnreachable as error:
        return process, None, str(error)
    except ValueError:
        return process, None, "its answer is not understood"


def _unsafe(directory: Path) -> str | None:
    """Return why hooks refuse the socket's directory; None when they accept it, or it does not exist yet."""
    try:
        found = os.lstat(directory)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    if not stat.S_ISDIR(found.st_mode):
        return "it is not a folder"
    if found.st_uid != os.getuid():
        return f"it belongs to user {found.st_uid}"
    if found.st_mode & 0o077:
        return f"others may enter it (mode {stat.S_IMODE(found.st_mode):04o})"
    return None


def _tail(path: Path) -> tuple[str, float]:
    """Return the end of the resident's log, and when it was last written to."""

    def read() -> tuple[str, float]:
        with path.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _LOG_BYTES))
            return stream.read(_LOG_BYTES).decode("utf-8", "replace"), path.stat().st_mtime

    return unless_refused(read, ("", 0.0))


def last_error(path: Path) -> str | None:
    """Return the last bug that a resident left in its log."""
    return _last_error(_tail(path)[0])


def _last_error(text: str) -> str | None:
    _, found, rest = text.rpartition(_TRACEBACK)
    lines = [line for line in rest.splitlines() if line and not line.startswith(" ")]
    return lines[0][:200] if found and lines else None
