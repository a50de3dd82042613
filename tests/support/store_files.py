"""Look through the files of a store, byte by byte, for text that must not be there."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from hooklore.config import StoreLocation, root_digest, runtime_directory


def files_of(place: StoreLocation) -> Iterator[Path]:
    """Yield every file of a store: log, index, spool, quarantine, and the files beside the socket."""
    roots = [place.directory, place.log]
    roots += runtime_directory().glob(f"{root_digest(place.root)}.*")
    for root in roots:
        # A resident takes folders of its index away meanwhile: `os.walk` passes over what has gone.
        inside = (Path(at) / name for at, _, names in os.walk(root) for name in names)
        yield from (path for path in [root, *inside] if path.is_file())


def holding(place: StoreLocation, secret: str) -> list[str]:
    """Return the files that hold a text, plain, as JSON or a URL escapes it, or in their names."""
    forms = {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    needles = {form.encode() for form in (*forms, quote(secret, safe=""))}
    return sorted(
        str(path)
        for path in files_of(place)
        if any(needle in _content(path) or needle in str(path).encode() for needle in needles)
    )


def below(folder: Path, secret: str) -> list[Path]:
    """Return the files below a folder that hold a text, links left out."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return [path for path in found if secret.encode() in _content(path)]


def _content(path: Path) -> bytes:
    """Return the bytes of a file; none of a file that a resident has just removed."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
