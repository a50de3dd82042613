"""Which redaction rules a store was last scanned with: one number in the file `rules`."""

import contextlib
import os
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import StoreError
from hooklore.log import files
from hooklore.redaction import RULES_VERSION


def rules_version_path(place: StoreLocation) -> Path:
    """Where the number is kept."""
    return place.directory / "rules"


def read_rules_version(place: StoreLocation) -> int | None:
    """The version of the rules that everything was scanned with; None when nobody knows."""
    try:
        fd = files.open_regular(rules_version_path(place), os.O_RDONLY)
    except OSError:
        return None
    with os.fdopen(fd, "rb") as content:
        found = content.read(32).strip()
    return int(found) if found.isdigit() else None


def write_rules_version(place: StoreLocation) -> None:
    """Remember that everything was scanned with today's rules. Raises StoreError."""
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
    """Remember it of a store that is about to get its first record: nothing of it need be scanned again."""
    with contextlib.suppress(StoreError):  # then it is scanned once
        write_rules_version(place)
