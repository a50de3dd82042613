"""A disk that forgets: what a power cut may leave of the calls that were made (C23).

`record` notes every call that changes files below a folder; `Disk` replays them. Bytes are safe
after the file's `fsync`, names after their directory's, each on its own, in any order; a rename is one step,
as POSIX has it, and safe when one of its directories is flushed.
"""

import contextlib
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

Step = tuple[Any, ...]


@contextlib.contextmanager
def record(below: Path, patch: pytest.MonkeyPatch) -> Iterator[list[Step]]:
    """The steps that change what lies below this folder, in order; tests add ("ack", name)."""
    steps: list[Step] = []
    files: dict[int, int] = {}
    real = {n: getattr(os, n) for n in ("open", "write", "fsync", "rename", "unlink", "mkdir")}
    real |= {n: getattr(os, n) for n in ("fdatasync", "ftruncate", "close")}

    def is_ours(path: Any) -> bool:
        return Path(os.fsdecode(path)).is_relative_to(below)

    def open_(path: Any, flags: int, *mode: int) -> int:
        is_new = not os.path.lexists(path)
        fd: int = real["open"](path, flags, *mode)
        if is_ours(path):
            files[fd] = os.fstat(fd).st_ino
            if flags & os.O_CREAT and is_new:
                steps.append(("create", str(path), files[fd]))
        else:
            files.pop(fd, None)
        return fd

    def write(fd: int, content: bytes) -> int:
        start = os.fstat(fd).st_size if fd in files else 0
        count: int = real["write"](fd, content)
        if fd in files:
            steps.append(("write", files[fd], start, bytes(content[:count])))
        return count

    def sync(name: str) -> Any:
        def call(fd: int) -> None:
            real[name](fd)
            if fd in files:
                steps.append(("sync", files[fd]))

        return call

    def ftruncate(fd: int, size: int) -> None:
        real["ftruncate"](fd, size)
        if fd in files:
            steps.append(("truncate", files[fd], size))

    def close(fd: int) -> None:
        files.pop(fd, None)
        real["close"](fd)

    def rename(source: Any, target: Any) -> None:
        real["rename"](source, target)
        steps.append(("rename", str(source), str(target)))

    def unlink(path: Any, **named: Any) -> None:
        real["unlink"](path, **named)
        if is_ours(path):
            steps.append(("unlink", str(path)))

    def mkdir(path: Any, *mode: int) -> None:
        real["mkdir"](path, *mode)
        if is_ours(path):
            steps.append(("mkdir", str(path), os.stat(path).st_ino))

    with patch.context() as patched:
        for name, call in (
            ("open", open_), ("write", write), ("ftruncate", ftruncate), ("close", close),
            ("rename", rename), ("unlink", unlink), ("mkdir", mkdir),
            ("fsync", sync("fsync")), ("fdatasync", sync("fdatasync")),
        ):  # fmt: skip
            patched.setattr(os, name, call)
        yield steps


@dataclass
class _File:
    safe: bytes = b""
    unsafe: list[tuple[int, bytes | None]] = field(default_factory=list)


@dataclass
class _Naming:
    """A name given or, without an inode, taken; both halves of a rename have one `step`."""

    step: int
    name: str
    inode: int | None


@dataclass
class _Folder:
    safe: dict[str, int] = field(default_factory=dict)
    unsafe: list[_Naming] = field(default_factory=list)


class Disk:
    """Files and folders by inode, each with what is safe and what is not yet."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._top = os.stat(root).st_ino
        self._files: dict[int, _File] = {}
        self._folders: dict[int, _Folder] = {self._top: _Folder()}
        self._inodes: dict[str, int] = {str(root): self._top}
        self._steps = 0
        self.acknowledged: list[str] = []

    def apply(self, step: Step) -> None:
        """Replay one step."""
        self._steps += 1
        getattr(self, f"_{step[0]}")(*step[1:])

    def _ack(self, name: str) -> None:
        self.acknowledged.append(name)

    def _create(self, path: str, inode: int) -> None:
        self._files[inode] = _File()
        self._name(path, inode)

    def _mkdir(self, path: str, inode: int) -> None:
        self._folders[inode] = _Folder()
        self._name(path, inode)

    def _write(self, inode: int, start: int, content: bytes) -> None:
        self._files[inode].unsafe.append((start, content))

    def _truncate(self, inode: int, size: int) -> None:
        self._files[inode].unsafe.append((size, None))

    def _sync(self, inode: int) -> None:
        if inode in self._files:
            file = self._files[inode]
            file.safe, file.unsafe = _changed(file.safe, file.unsafe), []
        elif inode in self._folders:
            flushed = {naming.step for naming in self._folders[inode].unsafe}
            for folder in self._folders.values():
                folder.safe = _named(folder.safe, [n for n in folder.unsafe if n.step in flushed])
                folder.unsafe = [n for n in folder.unsafe if n.step not in flushed]

    def _rename(self, source: str, target: str) -> None:
        inode = self._inodes[source]
        self._name(target, inode)
        self._unlink(source)

    def _unlink(self, path: str) -> None:
        self._name(path, None)
        self._inodes.pop(path, None)

    def _name(self, path: str, inode: int | None) -> None:
        folder = self._inodes[os.path.dirname(path)]
        self._folders[folder].unsafe.append(_Naming(self._steps, os.path.basename(path), inode))
        if inode is not None:
            self._inodes[path] = inode

    def after_a_power_cut(self, target: Path, chance: random.Random | None) -> None:
        """Lay out what is left: nothing that is unsafe, or some of it as chance has it."""
        kept = set(_some(list(range(self._steps + 1)), chance))
        self._lay_out(self._top, target, kept, chance)

    def _lay_out(
        self, inode: int, target: Path, kept: set[int], chance: random.Random | None
    ) -> None:
        target.mkdir(parents=True)
        folder = self._folders[inode]
        unsafe = [naming for naming in folder.unsafe if naming.step in kept]
        for name, child in _named(folder.safe, unsafe).items():
            if child in self._folders:
                self._lay_out(child, target / name, kept, chance)
            else:
                file = self._files[child]
                changes = [_torn(change, chance) for change in _some(file.unsafe, chance)]
                (target / name).write_bytes(_changed(file.safe, changes))


def _some(changes: list[Any], chance: random.Random | None) -> list[Any]:
    return [change for change in changes if chance is not None and chance.random() < 0.5]


def _torn(change: tuple[int, bytes | None], chance: random.Random | None) -> Any:
    start, content = change
    if content is None or chance is None or chance.random() < 0.5:
        return change
    return (start, content[: chance.randrange(len(content) + 1)])


def _changed(content: bytes, changes: list[tuple[int, bytes | None]]) -> bytes:
    for start, written in changes:
        if written is None:
            content = content[:start]
        else:  # a hole reads as zeros
            content = (
                content[:start].ljust(start, b"\0") + written + content[start + len(written) :]
            )
    return content


def _named(names: dict[str, int], changes: list[_Naming]) -> dict[str, int]:
    names = dict(names)
    for change in changes:
        if change.inode is None:
            names.pop(change.name, None)
        else:
            names[change.name] = change.inode
    return names
