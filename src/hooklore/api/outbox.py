"""Writes that a gateway did not take yet, a file each, in the order in which they were made.

A file holds what a program wants kept, so only the user may read it. It names the write by the key under which
it was sent, or would have been: a gateway that has it already knows it by that key.
"""

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import orjson

from hooklore.config import is_private_directory, make_private_directory, read_owned_file
from hooklore.errors import HookloreError, StoreError
from hooklore.requests.private_file import replace_private_file

_MOST_WRITES: Final = 5_000
_MOST_BYTES: Final = 64 * 1024 * 1024
_MOST_BYTES_OF_ONE: Final = 1024 * 1024
_SECONDS_OF_A_TEMPORARY: Final = 3_600.0
_REFUSED: Final = "refused"
_NAME: Final = re.compile(r"\d{20}-\w{1,64}\.json")


class OutboxFull(HookloreError):
    """A write cannot wait for its gateway: too much waits already, or it is too long."""

    code = "unavailable"

    def __init__(self, url: str, cause: str) -> None:
        super().__init__(
            f"could not queue the write for `{url}`: {cause}", fix="start the gateway, then send it"
        )


@dataclass(frozen=True, slots=True)
class QueuedWrite:
    """A write: its verb and arguments, the parameters that say who asks where, and its key.

    `url` is the gateway that is to take it. One that the gateway refused has its `problem`.
    """

    verb: str
    arguments: Mapping[str, Any]
    parameters: Mapping[str, str]
    key: str
    url: str
    problem: str = ""

    def to_json(self) -> bytes:
        """Return the content of a file."""
        return orjson.dumps({
            "url": self.url, "verb": self.verb, "arguments": dict(self.arguments),
            "parameters": dict(self.parameters), "key": self.key, "problem": self.problem,
        })  # fmt: skip

    @classmethod
    def of_json(cls, raw: bytes) -> Self:
        """Return the write of a file's content. Raise ValueError for other bytes."""
        given = orjson.loads(raw)
        try:
            named = {name: given[name] for name in cls.__slots__}
            return cls(**named)
        except (KeyError, TypeError):
            raise ValueError("it is no write") from None


@dataclass(frozen=True, slots=True)
class OutboxState:
    """The state of an outbox: `waiting` writes for the gateway at `url`, the oldest `since` then, `refused` ones.

    `problem` is that of the last one that was refused. `since` is in seconds of the epoch, 0.0 for none.
    """

    folder: str
    url: str
    waiting: int
    since: float
    refused: int
    problem: str


class Outbox:
    """The writes that wait for one gateway, in a folder that processes share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def paths(self) -> list[Path]:
        """Return the files of the writes that wait, the oldest first."""
        return _files_of(self.folder)

    def refused(self) -> list[Path]:
        """Return the files of the writes that the gateway refused."""
        return _files_of(self.folder / _REFUSED)

    def look(self) -> OutboxState | None:
        """Return the state of an outbox with anything in it, else None. Nothing is changed."""
        waiting, refused = self.paths(), self.refused()
        ends = [*waiting[:1], *refused[-1:]]
        found = [write for path in ends if (write := _read(path)) is not None]
        if not found:
            return None
        since = int(waiting[0].name[:20]) / 1e9 if waiting else 0.0
        url, problem = found[0].url, found[-1].problem
        return OutboxState(str(self.folder), url, len(waiting), since, len(refused), problem)

    def put(self, write: QueuedWrite) -> None:
        """Add a write, flushed. Raise OutboxFull, and StoreError where nothing can be written."""
        raw, url = write.to_json(), write.url
        waiting = self.paths()
        kept = [*waiting, *self.refused()]
        size = len(raw) + sum(map(_size_of, kept))
        if len(raw) > _MOST_BYTES_OF_ONE:
            raise OutboxFull(url, f"it has more than {_MOST_BYTES_OF_ONE:,} bytes")
        if len(kept) >= _MOST_WRITES or size > _MOST_BYTES:
            raise OutboxFull(url, f"{len(kept):,} writes wait in `{self.folder}` already")
        last = int(waiting[-1].name[:20]) if waiting else 0  # a clock may have gone back
        path = self.folder / f"{max(time.time_ns(), last + 1):020d}-{write.key}.json"
        try:
            make_private_directory(self.folder)
            if not is_private_directory(self.folder):
                raise StoreError(str(self.folder), "others may enter it, or it is a link")
            replace_private_file(path, raw)
        except OSError as error:
            raise StoreError(str(self.folder), error.strerror or str(error)) from None

    def read(self, path: Path) -> QueuedWrite | None:
        """Return a write that waits; None for one that another process has sent. One that is none is set aside."""
        try:
            return QueuedWrite.of_json(read_owned_file(path, follow=False))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            self._set_aside(path)
            return None

    def refuse(self, path: Path, write: QueuedWrite) -> None:
        """Keep a write apart that the gateway refused, with its problem: a person decides on it.

        Where the disk takes nothing it waits on, and is refused again.
        """
        with contextlib.suppress(OSError):
            replace_private_file(path, write.to_json())
            self._set_aside(path)

    def replace(self, path: Path, write: QueuedWrite | None) -> None:
        """Put a write in the place of another, or remove that one. Raise OSError."""
        if write is None:
            path.unlink(missing_ok=True)
        else:
            replace_private_file(path, write.to_json())

    def remove(self, path: Path) -> None:
        """Remove a write that the gateway took. One that stays is sent again, and known there by its key."""
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def sending(self) -> Iterator[bool]:
        """Hold the right to send. Yield False where another process sends."""
        from filelock import FileLock, Timeout  # a program that is online needs none

        lock = FileLock(self.folder / "lock", mode=0o600)
        try:
            lock.acquire(timeout=0)
        except (Timeout, OSError):  # another process sends, or the folder is gone or read-only
            yield False
            return
        with lock:
            lock.release()  # the block holds it once more
            self._remove_temporary()
            yield True

    def _set_aside(self, path: Path) -> None:
        with contextlib.suppress(OSError):
            make_private_directory(self.folder / _REFUSED)
            os.replace(path, self.folder / _REFUSED / path.name)

    def _remove_temporary(self) -> None:
        """Remove what a killed process left half written."""
        for path in self.folder.glob("*.tmp"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _SECONDS_OF_A_TEMPORARY:
                    path.unlink()


def outbox_folder(home: str) -> Path:
    """Return the folder of all outboxes of a user. It lies in no store: a program's gateway may be elsewhere."""
    return Path(home) / ".config" / "hooklore" / "outbox"


def outbox_of(home: str, url: str, holder: str) -> Outbox:
    """Return the outbox for a gateway and whoever writes there: an agent's name, or a token where none is given."""
    name = hashlib.sha256(f"{url}\n{holder}".encode()).hexdigest()[:16]
    return Outbox(outbox_folder(home) / name)


def list_outboxes(home: str) -> list[Outbox]:
    """Return all outboxes of a user."""
    with contextlib.suppress(OSError):
        return [Outbox(each) for each in sorted(outbox_folder(home).iterdir()) if each.is_dir()]
    return []


def _read(path: Path) -> QueuedWrite | None:
    with contextlib.suppress(OSError, ValueError):
        return QueuedWrite.of_json(read_owned_file(path, follow=False))
    return None


def _files_of(folder: Path) -> list[Path]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [folder / name for name in sorted(names) if _NAME.fullmatch(name)]


def _size_of(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.lstat().st_size
    return 0
