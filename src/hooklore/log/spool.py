"""Drafts that could not be appended, redacted, each batch in a file of its own.

One file a batch, made under a temporary name and renamed, so that whoever drains it sees it whole and
may delete it: a file that two processes write and one empties would lose what came between.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import orjson

from hooklore.config import Place, root_digest, runtime_directory
from hooklore.errors import LogError
from hooklore.log import files
from hooklore.model.draft import Draft, ProjectKeys


class Spool:
    """The spool of one store: in the store, else (it is full or read-only) beside the socket."""

    def __init__(self, place: Place) -> None:
        self.directories = (
            place.directory / "spool",
            runtime_directory() / f"{root_digest(place.root)}.spool",
        )
        self._last = 0

    def put(self, drafts: list[Draft]) -> Path:
        """Keep these drafts, flushed. Raises OSError when no directory takes them."""
        error: OSError | None = None
        for directory in self.directories:
            try:
                return self._put(directory, drafts)
            except OSError as failed:
                error = failed
            except LogError as failed:
                error = OSError(0, failed.cause)
        raise error or OSError(0, "no spool directory")

    def _put(self, directory: Path, drafts: list[Draft]) -> Path:
        files.make_directory(directory)
        self._last = max(self._last + 1, time.time_ns())
        path = directory / f"{self._last:020d}-{os.getpid()}.jsonl"
        temporary = path.with_suffix(".tmp")
        fd = files.open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            _write_all(fd, b"".join(_line(d) for d in drafts))
            os.fsync(fd)
            os.rename(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        finally:
            os.close(fd)
        files.sync_directory(directory)
        return path

    def batches(self) -> Iterator[tuple[Path, list[Draft]]]:
        """Every waiting batch, oldest first; unreadable lines in it are left out."""
        for directory in self.directories:
            try:
                names = sorted(n for n in os.listdir(directory) if n.endswith(".jsonl"))
            except OSError:
                continue
            for name in names:
                yield directory / name, _drafts(directory / name)

    def waiting(self) -> int:
        """How many batches wait."""
        return sum(1 for _ in self.batches())


def _line(draft: Draft) -> bytes:
    keys = draft.keys
    parts = None if keys is None else [list(keys.keys), keys.name, keys.root, keys.branch]
    return orjson.dumps({"fields": draft.fields, "keys": parts}) + b"\n"


def _drafts(path: Path) -> list[Draft]:
    drafts = []
    try:
        fd = files.open_regular(path, os.O_RDONLY)
    except OSError:
        return []
    with os.fdopen(fd, "rb") as lines:
        for line in lines:
            try:
                item = orjson.loads(line)
                keys = item["keys"]
                found = None if keys is None else ProjectKeys(tuple(keys[0]), *keys[1:])
                drafts.append(Draft(item["fields"], found))
            except (ValueError, KeyError, TypeError, IndexError):
                continue
    return drafts


def _write_all(fd: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
