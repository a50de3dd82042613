"""Remove a store: only the files that are ours, by name. Other files in its directory stay."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from hooklore.config import StoreLocation, is_foreign_log, is_private_directory, root_digest
from hooklore.errors import StoreError

_FOLDERS = ("segments", "archive", "spool", "quarantine", "index")
_FILES = (
    "audit.jsonl",
    "config.toml",
    "paused.json",
    "paused.lock",
    "paused.tmp",
    "reserve",
    "rules",
)


def purge(place: StoreLocation) -> list[Path]:
    """Remove a store, and return the paths left in its directory, which are not ours. Raise StoreError.

    The resident must have been stopped. Derived files go first and the log last, so that an
    interrupted removal leaves a store.
    """
    try:
        for name in _FOLDERS:
            if (place.directory / name).is_dir():
                shutil.rmtree(place.directory / name)
        for path in (*(place.directory / name for name in _FILES), place.log):
            if path != place.log or not is_foreign_log(path):
                path.unlink(missing_ok=True)
    except OSError as error:
        cause = error.strerror or str(error)
        raise StoreError(str(error.filename or place.directory), cause) from None
    forget_socket(place)
    with suppress(OSError):
        os.rmdir(place.directory)
    return sorted(place.directory.iterdir()) if place.directory.is_dir() else []


def forget_socket(place: StoreLocation) -> None:
    """Remove the files that a store's resident leaves beside its socket, the spool there included."""
    for directory in (place.runtime, place.own_runtime):
        if not is_private_directory(directory):
            continue
        for path in directory.glob(f"{root_digest(place.root)}.*"):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    with suppress(OSError):
        os.rmdir(place.own_runtime)
