"""The launcher: the folder in the home that every registered command names.

`python` links to the interpreter that has hooklore, `client.py` is a copy, compiled (without its
`.pyc` a hook costs a quarter more), `hooks/` holds the entry files, `in-settings` the places that
are registered. Sessions run hooks out of it meanwhile: each thing is replaced in one step.
"""

import os
import py_compile
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hooklore.cli.install.files import (
    DRAFT,
    make_directories,
    read_regular,
    replace_file,
    replace_link,
    sweep,
)
from hooklore.cli.install.registration import REGISTRATIONS, client_source, entry_directory
from hooklore.errors import InstallError

_OURS = ("python", "client.py", "in-settings", "manifest.json")


def launcher_directory(home: Path) -> Path:
    """Where the launcher lies."""
    return home / ".local" / "share" / "hooklore"


def lay_out(home: Path, *, interpreter: str = sys.executable, client: Path | None = None) -> None:
    """Fill the launcher, modes 0700 and 0600; twice is once, the last one wins.

    `interpreter` is linked as it is named: a virtual environment is found by its own path, not by
    what that links to. `client` is the source to copy, by default the package's. Raises
    InstallError.
    """
    folder = launcher_directory(home)
    try:
        _make_folders(folder)
        _lay_out_client(folder, client or client_source())
        for each in REGISTRATIONS:
            raw = (entry_directory() / each.entry).read_bytes()
            _put(folder / "hooks" / each.entry, raw)
        _link_interpreter(folder, interpreter)
    except OSError as error:
        raise InstallError(
            f"the launcher in `{folder}`", f"`{error.filename}`: {error.strerror}"
        ) from None


def _make_folders(folder: Path) -> None:
    make_directories(folder.parent, 0o700)
    for each in (folder, folder / "hooks", folder / "__pycache__"):
        each.mkdir(mode=0o700, exist_ok=True)
        each.chmod(0o700)
        sweep(each)


def _lay_out_client(folder: Path, source: Path) -> None:
    """The compiled form first, and marked never to be checked against its source.

    So a hook that starts between the two steps runs the new one, and none compiles it again. What
    another interpreter's version compiled of an older client goes.
    """
    target = folder / "client.py"
    raw = source.read_bytes()
    compiled = folder / "__pycache__" / f"client.{sys.implementation.cache_tag}.pyc"
    draft = folder / f"{DRAFT}{os.getpid()}.py"
    replace_file(draft, raw, 0o600)
    try:
        py_compile.compile(
            str(draft), str(compiled), str(target), doraise=True, optimize=0,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )  # fmt: skip
    except py_compile.PyCompileError as error:
        raise InstallError("the client", str(error)) from None
    finally:
        draft.unlink()
    replace_file(target, raw, 0o600)
    for other in compiled.parent.glob("client.*.pyc"):
        if other != compiled:
            other.unlink(missing_ok=True)


def _put(path: Path, raw: bytes) -> None:
    if read_regular(path) != raw:
        replace_file(path, raw, 0o600)


def _link_interpreter(folder: Path, interpreter: str) -> None:
    if not os.access(interpreter, os.X_OK):
        raise InstallError("the launcher", f"`{interpreter}` is not an interpreter")
    link = folder / "python"
    if not (link.is_symlink() and os.readlink(link) == interpreter):
        replace_link(link, interpreter)


def write_places(home: Path, lines: Iterable[str]) -> None:
    """Say where settings register the hooks: `user`, or a project's absolute path, one a line.

    While a line is `user` or the session's project, a plugin's commands leave the work to those
    in the settings. A path with a line end cannot be said, and is left out.
    """
    path = launcher_directory(home) / "in-settings"
    kept = sorted({each for each in lines if "\n" not in each})
    if kept:
        _put(path, os.fsencode("".join(f"{each}\n" for each in kept)))
    else:
        path.unlink(missing_ok=True)


def read_places(home: Path) -> list[str]:
    """The lines of `in-settings`."""
    raw = read_regular(launcher_directory(home) / "in-settings") or b""
    return [line for line in os.fsdecode(raw).split("\n") if line]


def remove(home: Path) -> bool:
    """Take the launcher away, and what is ours in it only; whether nothing is left of it."""
    folder = launcher_directory(home)
    sweep(folder)
    for name in _OURS:
        with suppress(OSError):
            (folder / name).unlink()
    for name in ("hooks", "__pycache__"):
        shutil.rmtree(folder / name, ignore_errors=True)
    with suppress(OSError):
        folder.rmdir()
    return not folder.exists()
