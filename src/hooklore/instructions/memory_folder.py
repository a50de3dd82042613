"""Read an agent's memory folder: the state of its files, and the text of one that is safe to read.

Anybody may have put anything there. The folder and its files are no links, nothing but a regular file of this user
with one name is opened, and what is checked is what was read. A folder above may be a link, as it is to the client.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice

MAX_FILES = 2_000
"""Files of one folder that are looked at."""

_MAX_ENTRIES = 10_000

_MAX_BYTES = 256 * 1024
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC

Stamp = tuple[int, int, int, int]
"""The times, the size and the number of a file: another one says that the file may have changed."""

SeenFolders = dict[str, dict[str, Stamp]]
"""The files of each place and folder as this process took them last: an unchanged folder costs a few stats."""


class ChangingFile(Exception):
    """A file changed while it was read: the next look reads it."""


@dataclass(frozen=True, slots=True)
class FolderState:
    """The regular files of a folder by name. `is_whole` is false where it has more than are looked at."""

    path: str
    files: dict[str, Stamp]
    is_whole: bool = True


def find_state(folders: tuple[str, ...], names: tuple[str, ...]) -> FolderState | None:
    """Return the state of the first of `folders` that exists, else the empty one of the first that is gone.

    A folder is gone where the one around it can be read. Return None where there is neither, or a link.
    """
    for path in folders:
        with contextlib.suppress(OSError), _opened(path, _FOLDER) as folder:
            return _state_of(path, folder, names)
    gone = (path for path in folders if not os.path.lexists(path))
    return next((FolderState(p, {}) for p in gone if os.path.isdir(os.path.dirname(p))), None)


def _state_of(path: str, folder: int, names: tuple[str, ...]) -> FolderState:
    with os.scandir(folder) as entries:
        listed = [entry.name for entry in islice(entries, _MAX_ENTRIES)]
    found = sorted(each for each in listed if _is_named(each, names))
    files: dict[str, Stamp] = {}
    for name in found[:MAX_FILES]:
        with contextlib.suppress(OSError):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                files[name] = _stamp(status)
    is_whole = len(listed) < _MAX_ENTRIES and len(found) <= MAX_FILES
    return FolderState(path, files, is_whole)


def read_file(state: FolderState, name: str) -> str | None:
    """Return the text of a file of a folder; None for one that is no text of this user's, or too large.

    Raise ChangingFile for one that is not as `state` has it, or changes while it is read.
    """
    try:
        with _opened(state.path, _FOLDER) as folder, _opened(name, _FILE, folder) as file:
            before = os.fstat(file)
            raw = _read(file) if _may_read(before) else None
            if not _stamp(before) == _stamp(os.fstat(file)) == state.files[name]:
                raise ChangingFile(name)
        return None if raw is None else raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    except OSError as error:
        raise ChangingFile(name) from error


def _read(file: int) -> bytes | None:
    """Return the content of a file, None where it is larger than its size says."""
    with os.fdopen(os.dup(file), "rb") as opened:
        raw = opened.read(_MAX_BYTES + 1)
    return raw if len(raw) <= _MAX_BYTES else None


def _may_read(status: os.stat_result) -> bool:
    is_own = status.st_uid == os.getuid()
    is_plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    return is_plain and is_own and status.st_size <= _MAX_BYTES


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _is_named(name: str, patterns: tuple[str, ...]) -> bool:
    return not name.startswith(".") and any(fnmatchcase(name, each) for each in patterns)


@contextlib.contextmanager
def _opened(path: str, flags: int, folder: int | None = None) -> Iterator[int]:
    """Open a file or a folder, and close it."""
    number = os.open(path, flags, dir_fd=folder)
    try:
        yield number
    finally:
        os.close(number)
