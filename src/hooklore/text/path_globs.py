"""Which files a memory is kept for: its `paths`, globs from the project's folder (row SK-11)."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

_LONGEST = 4_000
_MOST = 32
"""Folders deep that a path is looked at; a glob of more parts names nothing."""

_FILE = re.compile(
    r"(?<![\w./@-])(?:[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}\b|(?<![\w./@-])(?:[\w@.-]+/)+[\w@.-]+"
)


def matches_path_glob(globs: Iterable[str], path: str) -> bool:
    """Whether one of these globs names a file, by its path below the project's folder.

    `*` stays within a folder's name, `**` is any number of folders; a folder names all that is in it,
    and a glob without `/` a file or folder of that name anywhere (`*.sql`).
    """
    parts = tuple(part for part in path.split("/") if part not in ("", "."))[:_MOST]
    return any(_names(_parts(glob), parts) for glob in globs if isinstance(glob, str))


def extract_file_paths(text: str) -> list[str]:
    """The paths and names of files in the first 4,000 characters of a text."""
    return [found.rstrip(".") for found in _FILE.findall(text[:_LONGEST])]


@lru_cache(maxsize=256)
def _parts(glob: str) -> tuple[str, ...]:
    parts = [part for part in glob.split("/") if part not in ("", ".")]
    if len(parts) > _MOST:
        return ()
    is_name = "/" not in glob.strip("/") and bool(parts)
    return ("**", *parts) if is_name else tuple(parts)


def _names(glob: Sequence[str], path: Sequence[str]) -> bool:
    """Part by part: which parts of the glob may come next, after each part of the path."""
    at = _with_any(glob, {0})
    for part in path:
        stepped = {i + (glob[i] != "**") for i in at if i < len(glob) and _fits(glob[i], part)}
        at = _with_any(glob, stepped)
        if len(glob) in at:
            return True
    return False


def _with_any(glob: Sequence[str], at: set[int]) -> set[int]:
    """These places, and those behind a `**`, which may be no folder at all."""
    found = set(at)
    for i in range(len(glob)):
        if i in found and glob[i] == "**":
            found.add(i + 1)
    return found


def _fits(pattern: str, part: str) -> bool:
    return pattern == "**" or fnmatchcase(part, pattern)
