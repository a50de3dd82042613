"""The folder in which Claude Code keeps the memory files of a project (auto memory)."""

import re
import unicodedata

from hooklore.agents.memory_files import MemoryFiles

_LONGEST_SLUG = 200
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def find_memory_folders(transcript: str, tops: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folders that may hold a session's memory files.

    The client names the folder after the top of the repository, which worktrees share. Outside of a repository,
    and where its own variable names the folder, that is the folder of the transcript.
    """
    folder, _, name = transcript.rpartition("/")
    projects, _, slug = folder.rpartition("/")
    if not name or not slug or not projects.endswith("/projects"):
        return ()
    slugs = dict.fromkeys((*map(_slug, tops), slug))
    return tuple(f"{projects}/{each}/memory" for each in slugs)


def _slug(path: str) -> str:
    """Return the client's name for a folder: a dash for each UTF-16 unit that is no ASCII letter or digit."""
    units = unicodedata.normalize("NFC", path).encode("utf-16-le", "surrogatepass")
    numbers = [int.from_bytes(units[n : n + 2], "little") for n in range(0, len(units), 2)]
    slug = re.sub("[^a-zA-Z0-9]", "-", "".join(map(chr, numbers)))
    if len(slug) <= _LONGEST_SLUG:
        return slug
    # a 32-bit hash tells long names apart, without its sign and in base 36
    found, digits = 0, ""
    for number in numbers:
        found = (found * 31 + number) & 0xFFFFFFFF
    found = min(found, 2**32 - found)
    while found:
        found, digit = divmod(found, 36)
        digits = _DIGITS[digit] + digits
    return f"{slug[:_LONGEST_SLUG]}-{digits or '0'}"


MEMORY_FILES = MemoryFiles(find_memory_folders)
