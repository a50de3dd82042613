"""Which redaction rules a store was last scanned with: one number in the file `rules`."""

import contextlib
import os
from pathlib import Path

from hooklore.config import Place
from hooklore.errors import StoreError
from hooklore.log import files
from hooklore.redaction import RULES_VERSION


def path_of(place: Place) -> Path:
    """Where the number is kept."""
    return place.directory / "rules"


def kept(place: Place) -> int | None:
    """The version of the rules that everything was scanned with; None when nobody knows."""
    try:
        fd = files.open_regular(path_of(place), os.O_RDONLY)
    except OSError:
        return None
    with os.fdopen(fd, "rb") as content:
        found = content.read(32).strip()
    return int(found) if found.isdigit() else None


def keep(place: Place) -> None:
    """Remember that everything was scanned with today's rules. Raises StoreError."""
    if kept(place) == RULES_VERSION:
        return
    temporary = path_of(place).with_suffix(".tmp")
    try:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        fd = files.open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            files.write_all(fd, b"%d\n" % RULES_VERSION)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(temporary, path_of(place))
    except OSError as error:
        raise StoreError(str(path_of(place)), error.strerror or str(error)) from None


def begin(place: Place) -> None:
    """Remember it of a store that is about to get its first record: nothing of it need be scanned again."""
    with contextlib.suppress(StoreError):  # then it is scanned once
        keep(place)
