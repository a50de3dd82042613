"""Reads how and where the store lies: modes, file system, git, synced folders, room."""

import os
import re
import stat
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from hooklore.cli.doctor.facts import LoosePath, StoreFacts
from hooklore.cli.doctor.file_systems import MARKS, mount_of, synced_by
from hooklore.cli.doctor.part import unless_refused
from hooklore.cli.doctor.settings_files import repository_top
from hooklore.cli.process_group import run_in_group
from hooklore.config import StoreLocation, is_foreign_log

_MOUNTS = Path("/proc/self/mounts")
_LOOKED_AT = 5_000
_NAMED = 5
_SECONDS = 2.0
_KEEPS_SECRETS = re.compile(
    r"(?i)^\.env|^\.(?:netrc|npmrc|pypirc|pgpass)$|^id_[a-z0-9]+$|\.(?:pem|p12|pfx|key|keystore|jks)$"
    r"|^(?:auth|secrets?|tokens?|credentials?)(?:\.\w+)?$|[._-](?:token|credentials?)(?:\.\w+)?$"
)
"""Names by which tools call files of keys, tokens and passwords."""


def store_facts(place: StoreLocation) -> StoreFacts:
    """Return the facts of the store's folder, without opening a record."""
    directory, named = Path(place.directory), Path(place.root)
    nearest = next(each for each in (directory, *directory.parents) if os.path.isdir(each))
    real = Path(os.path.realpath(directory))
    top = repository_top(real)
    room = os.statvfs(nearest)
    mounts = unless_refused(lambda: _MOUNTS.read_text("utf-8", "surrogateescape"), None)
    every = list(_everything(directory))
    return StoreFacts(
        root=place.root,
        directory=str(directory),
        log=str(place.log),
        exists=os.path.isdir(directory),
        nearest=str(nearest),
        obstacle=_obstacle(place),
        is_writable=os.access(nearest, os.W_OK | os.X_OK)
        and (not os.path.lexists(place.log) or os.access(place.log, os.R_OK | os.W_OK)),
        is_read_only=bool(room.f_flag & os.ST_RDONLY),
        is_beside_foreign=place.log.parent.name == "hooklore"
        and (is_foreign_log(named) or is_foreign_log(named / "events.jsonl")),
        loose=tuple(_loose(directory, every, Path(place.log), place.config)),
        git_top=str(top) if top else None,
        git_ignores=top is not None and _is_ignored(real, top),
        synced_by=synced_by(
            str(real),
            [n for each in (real, *real.parents) for n in MARKS if os.path.exists(each / n)],
        ),
        file_system=mount_of(str(real), mounts) if mounts is not None else None,
        free_bytes=room.f_bavail * room.f_frsize,
        # Nothing of ours is called like a file of keys, tokens or an agent's transcripts.
        credentials=tuple([str(p) for p in every if _KEEPS_SECRETS.search(p.name)][:_NAMED]),
        # A write that ends well renames its own temporary file.
        leftovers=tuple(
            (str(path), found.st_mtime)
            for path in every
            if path.suffix in (".tmp", ".rewrite")
            and (found := unless_refused(path.lstat, None)) is not None
        ),
    )


def _obstacle(place: StoreLocation) -> tuple[str, str] | None:
    for path in (place.directory, place.log.parent):
        if os.path.lexists(path) and not os.path.isdir(path):
            return str(path), "is not a folder"
    try:
        found = os.lstat(place.log)
    except FileNotFoundError:
        return None
    except OSError as error:
        return str(place.log), f"cannot be reached: {error.strerror}"
    if not stat.S_ISREG(found.st_mode):
        return str(place.log), "is not a regular file"
    if found.st_uid != os.getuid():
        return str(place.log), f"belongs to user {found.st_uid}, not to you"
    return None


def _loose(directory: Path, every: list[Path], log: Path, config: Path) -> Iterator[LoosePath]:
    """Yield the files of ours that others may enter or read. `config.toml` is the user's own."""
    found = 0
    # AI_MEMORY_PATH may put the log beside its folder.
    for path in (*([] if log.parent == directory else [log]), *every):
        if path == config or found >= _NAMED:
            continue
        status = unless_refused(path.lstat, None)
        mode = status.st_mode if status else 0
        if not stat.S_ISLNK(mode) and mode & 0o077:
            found += 1
            yield LoosePath(str(path), stat.S_IMODE(mode), path == directory)


def _everything(directory: Path) -> Iterator[Path]:
    if not os.path.isdir(directory):
        return
    yield directory
    left = _LOOKED_AT
    for folder, folders, names in os.walk(directory):
        for name in (*folders, *names):
            left -= 1
            if left < 0:
                return
            yield Path(folder) / name


def _is_ignored(path: Path, top: Path) -> bool:
    """Return whether git ignores the store: people keep their whole home under version control."""
    words = ["git", "-C", str(top), "check-ignore", "-q", "--", str(path / "events.jsonl")]
    with suppress(OSError, subprocess.TimeoutExpired):
        return run_in_group(words, _SECONDS).returncode == 0
    return False
