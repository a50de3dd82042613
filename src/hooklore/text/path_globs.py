"""The globs in a memory's `paths`, relative to the project's folder, and file names in a text."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

_MAX_TEXT_LENGTH = 4_000
_MAX_DEPTH = 32
"""Parts of a path that are compared. A glob with more parts matches nothing."""

_FILE = re.compile(
    r"(?<![\w./@-])(?:[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}\b|(?<![\w./@-])(?:[\w@.-]+/)+[\w@.-]+"
)


def matches_path_glob(globs: Iterable[str], path: str) -> bool:
    """Return whether one of `globs` matches the file at `path` below the project's folder.

    `*` stays within one part of a path, and `**` is any number of folders. A folder matches all its contents,
    and a glob without `/` matches a file or folder of that name anywhere (`*.sql`).
    """
    parts = tuple(part for part in path.split("/") if part not in ("", "."))[:_MAX_DEPTH]
    return any(_matches(_parts(glob), parts) for glob in globs if isinstance(glob, str))


def extract_file_paths(text: str) -> list[str]:
    """Return the paths and names of files in the first 4,000 characters of `text`."""
    return [found.rstrip(".") for found in _FILE.findall(text[:_MAX_TEXT_LENGTH])]


@lru_cache(maxsize=256)
def _parts(glob: str) -> tuple[str, ...]:
    parts = [part for part in glob.split("/") if part not in ("", ".")]
    if len(parts) > _MAX_DEPTH:
        return ()
    is_name = "/" not in glob.strip("/") and bool(parts)
    return ("**", *parts) if is_name else tuple(parts)


def _matches(glob: Sequence[str], path: Sequence[str]) -> bool:
    """Return whether the glob matches the path, by the positions in the glob that each part may reach."""
    at = _skip_double_stars(glob, {0})
    for part in path:
        stepped = {
            i + (glob[i] != "**") for i in at if i < len(glob) and _matches_part(glob[i], part)
        }
        at = _skip_double_stars(glob, stepped)
        if len(glob) in at:
            return True
    return False


def _skip_double_stars(glob: Sequence[str], at: set[int]) -> set[int]:
    """Return the positions `at` and those behind a `**`, which may be no folder at all."""
    found = set(at)
    for i in range(len(glob)):
        if i in found and glob[i] == "**":
            found.add(i + 1)
    return found


def _matches_part(pattern: str, part: str) -> bool:
    return pattern == "**" or fnmatchcase(part, pattern)
