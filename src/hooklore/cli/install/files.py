"""Files that others read while they change: replaced whole, never seen half."""

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hooklore.errors import InstallError

DRAFT = ".hooklore-draft-"
"""The beginning of the name of a file that is not yet in its place."""


def read_regular(path: Path) -> bytes | None:
    """Return the bytes of a file, None where there is none. Raise OSError for a FIFO or a device."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with open(fd, "rb") as stream:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(22, "it is not a regular file")
        return stream.read()


def replace_file(path: Path, raw: bytes, mode: int) -> None:
    """Put these bytes in the file's place in one step, flushed. A link is followed, not replaced."""
    target = path.resolve()
    fd, temporary = tempfile.mkstemp(prefix=DRAFT, dir=target.parent)
    try:
        with open(fd, "wb") as stream:
            stream.write(raw)
            stream.flush()
            os.fchmod(fd, mode)
            os.fsync(fd)
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def replace_link(path: Path, target: str) -> None:
    """Make the link point there in one step."""
    temporary = path.with_name(f"{DRAFT}{os.getpid()}")
    with suppress(FileNotFoundError):
        os.unlink(temporary)
    os.symlink(target, temporary)
    os.replace(temporary, path)


def sweep(folder: Path) -> None:
    """Remove drafts that a killed install left there. The caller holds the lock of `installing`."""
    for each in folder.glob(f"{DRAFT}*"):
        with suppress(OSError):
            each.unlink()


def make_directories(path: Path, mode: int) -> list[Path]:
    """Make the missing folders of a path with `mode` and return them, outermost first."""
    if path.is_dir():
        return []
    made = make_directories(path.parent, mode)
    with suppress(FileExistsError):
        path.mkdir(mode)
        made.append(path)
    return made


@contextmanager
def installing(directory: Path) -> Iterator[None]:
    """Hold off other installs of this user. The lock is on a folder that outlives an uninstall."""
    try:
        make_directories(directory, 0o700)
        fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InstallError("the launcher", f"`{directory}`: {error.strerror}") from None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
