"""Remember which redaction rules a store was last scanned with, in the file `rules`."""

import contextlib
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
        found = files.read_regular(rules_version_path(place), 32).strip()
    except OSError:
        return None
    return int(found) if found.isdigit() else None


def write_rules_version(place: StoreLocation) -> None:
    """Note that the whole store was scanned with today's rules. Raise StoreError."""
    if read_rules_version(place) == RULES_VERSION:
        return
    try:
        files.replace_file(rules_version_path(place), b"%d\n" % RULES_VERSION)
    except OSError as error:
        raise StoreError(str(rules_version_path(place)), error.strerror or str(error)) from None


def stamp_new_store(place: StoreLocation) -> None:
    """Note today's rules for a store without records, which needs no scan."""
    with contextlib.suppress(StoreError):  # then it is scanned once
        write_rules_version(place)
