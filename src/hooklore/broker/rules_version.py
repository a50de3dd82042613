"""Remember which redaction rules a store was last scanned with, in the file `rules`."""

import contextlib
import os
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import StoreError
from hooklore.log import files
from hooklore.redaction import RULES_VERSION


def rules_version_path(place: StoreLocation) -> Path:
    """Return the path of the file that holds the number."""
    return place.directory / "rules"


def read_rules_version(place: StoreLocation) -> int | None:
    """Return the version of the rules that the whole store was scanned with; None when unknown."""
    try:
        fd = files.open_regular(rules_version_path(place), os.O_RDONLY)
    except OSError:
        return None
    with os.fdopen(fd, "rb") as content:
        found = content.read(32).strip()
    return int(found) if found.isdigit() else None


def write_rules_version(place: StoreLocation) -> None:
    """Note that the whole store was scanned with today's rules. Raise StoreError."""
    if read_rules_version(place) == RULES_VERSION:
        return
    temporary = rules_version_path(place).with_suffix(".tmp")
    try:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        fd = files.open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            files.write_all(fd, b"%d\n" % RULES_VERSION)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(temporary, rules_version_path(place))
    except OSError as error:
        raise StoreError(str(rules_version_path(place)), error.strerror or str(error)) from None


def stamp_new_store(place: StoreLocation) -> None:
    """Note today's rules for a store without records, which needs no scan."""
    with contextlib.suppress(StoreError):  # then it is scanned once
        write_rules_version(place)
