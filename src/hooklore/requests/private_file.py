"""A file that only its user may read, and that is changed in one step."""

import os
import stat
from pathlib import Path

from hooklore.agents.check import shell
from hooklore.config import read_owned_file
from hooklore.errors import StoreUnreadable


def read_private_file(path: Path) -> bytes:
    """Return the content of a file. Raise FileNotFoundError, and StoreUnreadable for one that is not safe."""
    try:
        _require_private(path)
        return read_owned_file(path, follow=False)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreUnreadable(str(path), error.strerror or str(error)) from None


def replace_private_file(path: Path, content: bytes) -> None:
    """Put `content` in the place of a file in one step, flushed: a revoked token must not come back.

    Raise OSError, with nothing left of the new content.
    """
    temporary = path.with_suffix(".tmp")
    try:
        _write(temporary, content)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    _flush(path.parent)


def remove_private_file(path: Path) -> None:
    """Remove a file, flushed: a code that was used must not come back."""
    path.unlink(missing_ok=True)
    _flush(path.parent)


def _flush(directory: Path) -> None:
    folder = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(path, flags, 0o600), "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _require_private(path: Path) -> None:
    """Raise StoreUnreadable for a file that is not the user's own, or that others may read."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid():
        raise StoreUnreadable(
            str(path),
            "it is a link, no file, or another user's",
            fix=f"run `{shell('ls', '-l', str(path))}`",
        )
    if found.st_mode & 0o077:
        raise StoreUnreadable(
            str(path), "others may read it", fix=f"run `{shell('chmod', '600', str(path))}`"
        )
