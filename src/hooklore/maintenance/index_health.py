"""Compare the index of a store with its log, and look for damage. Nothing is repaired."""

import contextlib
import json
import os
import re
import sqlite3
import struct
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.index import generation
from hooklore.index.catalog import Stat
from hooklore.index.view import View

_FOOTER = struct.Struct("<II")
_FOOTER_MAGIC = 1337
_SQLITE_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""

_LOCKED_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_PRIMARY_CODE = 0xFF
"""Bits of an error code that are left when SQLite's extended code is cut."""


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """The index compared with the log.

    `generation` is the name of its folder, None when nothing is indexed yet. `lag` counts the records
    that it lacks. `damage` says why it cannot be trusted. `stats` are its counts.
    """

    generation: str | None
    lag: int
    damage: str | None
    stats: tuple[Stat, ...]


def index_health(place: StoreLocation, seconds: float = 1.5) -> IndexHealth:
    """Compare the index with the log, and look for damage for at most `seconds`.

    Raise StoreUnreadable when the log cannot be read.
    """
    directory = generation.current_generation(place)
    if directory is None:
        pointer = generation.index_directory(place) / "current"
        leads_nowhere = f"`{pointer}` names no index" if os.path.lexists(pointer) else None
        with contextlib.closing(View(place)) as view:
            view.refresh()
            return IndexHealth(None, view.lag, leads_nowhere, ())
    deadline = time.monotonic() + seconds
    damage = (
        _missing(directory)
        or _damaged_catalog(directory / "catalog.sqlite", deadline)
        or _damaged_text(directory / "text", deadline)
    )
    if damage is not None and generation.current_generation(place) == directory:
        return IndexHealth(directory.name, 0, damage, ())
    with contextlib.closing(View(place)) as view:
        view.refresh()
        stats = tuple(view.stats())
        return IndexHealth(directory.name, view.lag, view.problem, stats)


def _missing(directory: Path) -> str | None:
    """Return which part of an index is missing. Opening an index would create that part."""
    parts = (directory / "catalog.sqlite", directory / "text" / "meta.json")
    gone = [str(part) for part in parts if not part.is_file()]
    return f"`{gone[0]}` is missing" if gone else None


def _damaged_catalog(path: Path, deadline: float) -> str | None:
    """Return the problem that SQLite's own check finds. A check that the deadline ends finds none."""
    try:
        db = sqlite3.connect(f"file:{_quoted(path)}?mode=ro", uri=True, timeout=0.2)
    except sqlite3.Error as error:
        return f"`{path}`: {error}"

    def is_late() -> bool:
        return time.monotonic() > deadline

    try:
        db.set_progress_handler(is_late, _SQLITE_STEPS)
        answer = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        return None if is_late() or _is_locked(error) else f"`{path}`: {error}"
    except sqlite3.Error as error:
        return f"`{path}`: {error}"
    finally:
        db.close()
    return None if answer == ("ok",) else f"`{path}`: {answer and answer[0]}"


def _is_locked(error: sqlite3.OperationalError) -> bool:
    """Return whether SQLite met another process's lock. Errors of Python's own module have no code."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & _PRIMARY_CODE in _LOCKED_CODES


def _quoted(path: Path) -> str:
    return re.sub(r"[%?#]", lambda found: f"%{ord(found[0]):02X}", str(path))


def _damaged_text(directory: Path, deadline: float) -> str | None:
    """Return the problem of a text index with a wrong checksum. The library checks only on demand."""
    for path in sorted(directory.iterdir()):
        if time.monotonic() > deadline:
            return None
        try:
            if path.suffix and path.is_file() and not _is_whole(path.read_bytes()):
                return f"`{path}`: its checksum does not fit"
        except FileNotFoundError:
            continue  # merged away meanwhile
        except OSError as error:
            return f"`{path}`: {error.strerror}"
    return None


def _is_whole(raw: bytes) -> bool:
    """Return whether the footer of a file has the checksum of the bytes before it."""
    if len(raw) < _FOOTER.size:
        return True
    length, magic = _FOOTER.unpack(raw[-_FOOTER.size :])
    if magic != _FOOTER_MAGIC:
        return True
    body, footer = raw[: -_FOOTER.size - length], raw[-_FOOTER.size - length : -_FOOTER.size]
    try:
        return bool(json.loads(footer)["crc"] == zlib.crc32(body))
    except (ValueError, KeyError, TypeError):
        return False
