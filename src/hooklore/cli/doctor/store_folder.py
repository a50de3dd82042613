"""Reads how and where the store lies: modes, file system, git, synced folders, room."""

import itertools
import os
import re
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hooklore.cli.doctor.facts import LoosePath, StoreFacts
from hooklore.cli.doctor.file_systems import MARKS, mount_of, synced_by
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
    """The facts of the store's folder, without opening a record."""
    directory = Path(place.directory)
    nearest = _nearest(directory)
    real = Path(os.path.realpath(directory))
    top = repository_top(real)
    room = os.statvfs(nearest)
    return StoreFacts(
        root=place.root,
        directory=str(directory),
        log=str(place.log),
        exists=os.path.isdir(directory),
        nearest=str(nearest),
        obstacle=_obstacle(place),
        is_writable=_is_writable(place, nearest),
        is_read_only=bool(room.f_flag & os.ST_RDONLY),
        is_beside_foreign=_is_beside_foreign(place),
        loose=tuple(_loose(directory, Path(place.log), place.config)),
        git_top=str(top) if top else None,
        git_ignores=top is not None and _is_ignored(real, top),
        synced_by=synced_by(str(real), _marks(real)),
        file_system=_file_system(real),
        free_bytes=room.f_bavail * room.f_frsize,
        credentials=tuple(_credentials(directory)),
        leftovers=tuple(_leftovers(directory)),
    )


def _nearest(path: Path) -> Path:
    """The path itself, or the folder above that exists."""
    while not os.path.isdir(path) and path != path.parent:
        path = path.parent
    return path


def _obstacle(place: StoreLocation) -> tuple[str, str] | None:
    """Return the kind of file at the store's path, and its problem."""
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


def _is_beside_foreign(place: StoreLocation) -> bool:
    named = Path(place.root)
    return place.log.parent.name == "hooklore" and (
        is_foreign_log(named) or is_foreign_log(named / "events.jsonl")
    )


def _is_writable(place: StoreLocation, nearest: Path) -> bool:
    if not os.access(nearest, os.W_OK | os.X_OK):
        return False
    return not os.path.lexists(place.log) or os.access(place.log, os.R_OK | os.W_OK)


def _loose(directory: Path, log: Path, config: Path) -> Iterator[LoosePath]:
    """Return the files of ours that others may enter or read. `config.toml` is the user's own."""
    found = 0
    for path in (*_log_elsewhere(directory, log), *_everything(directory)):
        if path == config or found >= _NAMED:
            continue
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            continue
        if not stat.S_ISLNK(mode) and mode & 0o077:
            found += 1
            yield LoosePath(str(path), stat.S_IMODE(mode), path == directory)


def _log_elsewhere(directory: Path, log: Path) -> list[Path]:
    """The log, where AI_MEMORY_PATH puts it beside its folder."""
    return [] if log.parent == directory else [log]


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


def _credentials(directory: Path) -> Iterator[str]:
    """Files that hold keys, tokens or an agent's transcripts elsewhere: nothing of ours is called so."""
    names = (path for path in _everything(directory) if _KEEPS_SECRETS.search(path.name))
    return itertools.islice(map(str, names), _NAMED)


def _leftovers(directory: Path) -> Iterator[tuple[str, float]]:
    """Files under a temporary name: a write that ends well renames its own."""
    for path in _everything(directory):
        if path.suffix in (".tmp", ".rewrite"):
            try:
                yield str(path), os.lstat(path).st_mtime
            except OSError:
                continue


def _is_ignored(path: Path, top: Path) -> bool:
    """Return whether git ignores the store: people keep their whole home under version control."""
    try:
        done = run_in_group(
            ["git", "-C", str(top), "check-ignore", "-q", "--", str(path / "events.jsonl")],
            _SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _marks(path: Path) -> list[str]:
    """Marks of synced folders, here or above."""
    return [
        name for folder in (path, *path.parents) for name in MARKS if os.path.exists(folder / name)
    ]


def _file_system(path: Path) -> tuple[str, str] | None:
    try:
        text = _MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    return mount_of(str(path), text)
