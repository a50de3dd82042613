"""Remove a store: only the files that their content proves to be ours. Everything else in its directory stays.

A store may lie in a folder that is shared with other programs, where a name alone proves nothing.
"""

import os
import re
import shutil
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import orjson

from hooklore.config import (
    Settings,
    StoreLocation,
    is_foreign_log,
    is_private_directory,
    root_digest,
)
from hooklore.errors import StoreError
from hooklore.maintenance.health import RESERVE_BYTES

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_HEAD_BYTES = 4096
_TABLES = {"meta", "keys", "stats"}
"""Tables of the catalog, in every schema."""

_TABLES_OF_REPLIES = {"secret", "reply"}

_GENERATION = r"index/g\d+"
_BEFORE_TABLES = {f"catalog.sqlite{end}" for end in ("", "-journal", "-shm", "-wal")}
"""The files that a generation may have before its catalog has tables."""


def require_removable(place: StoreLocation) -> None:
    """Raise StoreError for a store in a git work tree, whose other files may be what the repository keeps.

    A store may lie there, as in a repository of a user's settings. `/` and the home directory are no store.
    """
    directory = Path(os.path.realpath(place.directory))
    for folder in (directory, *directory.parents):
        if os.path.lexists(folder / ".git"):
            why = f"it lies in the git work tree `{folder}`, so nothing in it is deleted"
            raise StoreError(str(place.directory), why, fix="delete its files yourself")


def purge(place: StoreLocation) -> list[Path]:
    """Remove a store, and return the paths left in its directory, which are not ours. Raise StoreError.

    The resident must have been stopped. Derived files go first and the log last, so that an
    interrupted removal leaves a store.
    """
    require_removable(place)
    directory = place.directory
    try:
        ours = list(_proven(place))
        named = [*(path for name, _ in _PROOFS for path in _matching(place, name)), place.log]
        empty = [*filter(_is_empty, named), *filter(_is_begun, _matching(place, _GENERATION))]
        for path in (*ours, *(empty if ours else ())):
            _remove(path)
        for folder in (directory / name for name in _FOLDERS):
            _remove_if_empty(folder)
    except OSError as error:
        cause = error.strerror or str(error)
        raise StoreError(str(error.filename or directory), cause) from None
    forget_socket(place)
    _remove_if_empty(directory)
    # What is left: of our own folders each file, of the directory itself each entry.
    left: list[Path] = []
    for path in directory.iterdir() if directory.is_dir() else ():
        is_folder = path.name in _FOLDERS and path.is_dir() and not path.is_symlink()
        left += path.iterdir() if is_folder else (path,)
    return sorted(left)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _remove_if_empty(path: Path) -> None:
    with suppress(OSError):
        os.rmdir(path)


def _matching(place: StoreLocation, pattern: str) -> Iterator[Path]:
    """Yield the files of a name, in one of our folders or in the directory itself. Links are not followed."""
    inner, _, name = pattern.rpartition("/")
    folder = place.directory / inner if inner else place.directory
    if folder.is_dir() and not (inner and folder.is_symlink()):
        yield from (path for path in sorted(folder.iterdir()) if re.fullmatch(name, path.name))


def _proven(place: StoreLocation) -> Iterator[Path]:
    """Yield the files and the generations of the index whose content proves them ours: the log last."""
    for pattern, is_ours in _PROOFS:
        for path in _matching(place, pattern):
            if not path.is_symlink() and is_ours(path):
                yield path
    if _is_log(place.log):
        yield place.log


def _head(path: Path) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES)


def _matches(pattern: bytes) -> Callable[[Path], bool]:
    return lambda path: re.fullmatch(pattern, _head(path), re.DOTALL) is not None


def _is_log(path: Path) -> bool:
    return bool(_head(path)) and not path.is_symlink() and not is_foreign_log(path)


def _is_damaged_piece(path: Path) -> bool:
    """Return whether a quarantined piece is as long as its name says, or a copy of the spool."""
    return path.is_file() and path.name.endswith(f"-{path.stat().st_size}.bin")


def _is_generation(path: Path) -> bool:
    """Return whether a folder is a generation of the index, also a damaged one that is in force."""
    pointer = path.parent / "current"
    is_in_force = not pointer.is_symlink() and _head(pointer) == path.name.encode()
    return path.is_dir() and (is_in_force or _is_catalog(path / "catalog.sqlite"))


def _is_empty(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size == 0


def _is_begun(path: Path) -> bool:
    """Return whether a folder is a generation whose process was killed before its catalog had tables."""
    if path.is_symlink() or not path.is_dir():
        return False
    catalog = path / "catalog.sqlite"
    is_bare = not os.path.lexists(catalog) or _is_empty(catalog) or _tables(catalog) == set()
    return is_bare and {each.name for each in path.iterdir()} <= _BEFORE_TABLES


def _is_catalog(path: Path) -> bool:
    return _has_tables(path, _TABLES)


def _is_replies(path: Path) -> bool:
    return _has_tables(path, _TABLES_OF_REPLIES)


def _is_beside_replies(path: Path) -> bool:
    """Return whether a file is SQLite's own beside the replies."""
    return path.is_file() and _is_replies(path.with_name("replies.sqlite"))


def _has_tables(path: Path, names: set[str]) -> bool:
    found = _tables(path)
    return found is not None and found >= names


def _tables(path: Path) -> set[str] | None:
    """Return the names in a database's schema, or None for a file that is no database."""
    if not _head(path).startswith(b"SQLite format 3\0"):
        return None
    # A reader cannot open a file beside the journal of a killed process, unless told that nothing changes.
    how = "immutable=1" if os.path.lexists(f"{path}-journal") else "mode=ro"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?{how}", uri=True)) as db:
            return {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    except sqlite3.Error:
        return None


def _is_reserve(path: Path) -> bool:
    return path.is_file() and path.stat().st_size == RESERVE_BYTES and not _head(path).strip(b"\0")


def _has_keys(*names: str) -> Callable[[Path], bool]:
    """Return a test for a file whose first line, or whole content, is a JSON object with these keys."""

    def test(path: Path) -> bool:
        try:
            found = orjson.loads(path.read_bytes().partition(b"\n")[0]) if _head(path) else None
        except ValueError:
            return False
        return isinstance(found, dict) and found.keys() >= set(names)

    return test


def _is_settings(path: Path) -> bool:
    """Return whether a TOML file has a setting of ours, and no key that is none."""
    try:
        found = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    except (OSError, ValueError, RecursionError):
        return False
    return bool(found) and found.keys() <= set(Settings.model_fields)


_IS_PID = _matches(rb"\d{1,10}")
_IS_SPOOLED = _matches(rb'\{"fields":.*')
_PROOFS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    (_GENERATION, _is_generation),
    (r"index/current(?:\.tmp)?", _matches(rb"g\d+")),
    (r"index/janitor\.json", _has_keys("ts")),
    (r"index/scores\.json", _has_keys("scores", "unused")),
    (r"index/(?:writer|janitor)\.lock", _IS_PID),
    (
        rf"archive/(?:[A-Za-z0-9_-]{{1,64}}\.)?{_UUID}\.md(?:\.\d+\.tmp)?",
        _matches(rb"---\nkey: .*"),
    ),
    (r"spool/\d{20}-\d+\.(?:jsonl|tmp)", _IS_SPOOLED),
    (r"quarantine/\d{6}-\d{10}-\d+\.bin", _is_damaged_piece),
    (r"quarantine/\d{20}-\d+\.jsonl", _IS_SPOOLED),
    (r"gateway/replies\.sqlite", _is_replies),
    (
        r"gateway/replies\.sqlite-(?:wal|shm)",
        _is_beside_replies,
    ),  # which the look before may have made
    (r"audit\.jsonl", _has_keys("event_id", "rule", "redaction")),
    (r"audit\.jsonl", _has_keys("event_id", "act", "decision")),
    (r"confirmations/[0-9a-f]{32}", _matches(rb"\d+ [0-9a-f]{32}")),
    (r"config\.toml", _is_settings),
    (r"paused\.(?:json|tmp)", _has_keys("everywhere", "projects", "sessions")),
    (r"paused\.lock", _IS_PID),
    (r"reserve", _is_reserve),
    (r"rules(?:\.tmp)?", _matches(rb"\d{1,4}\n")),
    (r"segments/\d{6,}\.jsonl(?:\.rewrite)?", _is_log),
    (r"events\.jsonl\.rewrite", _is_log),
)
"""The names of our files, as regular expressions, each with the proof that a file of the name is ours."""

_FOLDERS = ("segments", "archive", "spool", "quarantine", "index", "confirmations", "gateway")


def forget_socket(place: StoreLocation) -> None:
    """Remove the files that a store's resident leaves beside its socket, the spool there included."""
    for directory in (place.runtime, place.own_runtime):
        if not is_private_directory(directory):
            continue
        for path in directory.glob(f"{root_digest(place.root)}.*"):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    with suppress(OSError):
        os.rmdir(place.own_runtime)
