"""Processes of this machine, told by their command lines: from `/proc`, or from `ps` where there is none.

`python -m tests.processes FOLDER` prints those that name a folder, and exits 1 when there is one.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_HAS_PROC = (_PROC / "self" / "cmdline").exists()
_ONE_FRAME = frozenset((b"--once", b"--spool"))
"""The words of a broker that handles one frame and ends: it serves nobody else."""


_STARTING = frozenset(
    ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen")
)
"""The audit events by which Python starts a process."""


class StartCounter:
    """Counts the processes that this one starts, from its creation on."""

    def __init__(self) -> None:
        self.started = 0
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _STARTING:
            self.started += 1


@dataclass(frozen=True, slots=True)
class Process:
    """One running process and the words of its command line."""

    pid: int
    words: tuple[bytes, ...]

    @property
    def is_resident(self) -> bool:
        """Return True for a resident, and for a broker that handles one frame (`--once`, `--spool`)."""
        return b"hooklore.resident" in self.words

    @property
    def is_hook(self) -> bool:
        """Return True for a hook, and for the child in which a hook goes on after its deadline."""
        return any(b"/hooklore/hooks/" in word for word in self.words)

    @property
    def root(self) -> str:
        """Return the root of the store that a resident serves, "" for none."""
        at = self.words.index(b"--root") + 1 if b"--root" in self.words else len(self.words)
        return os.fsdecode(self.words[at]) if at < len(self.words) else ""

    def names(self, path: Path | str) -> bool:
        """Return True when a word holds `path`, or the path of something below it."""
        named = re.compile(re.escape(os.fsencode(path)) + rb"(?![\w.-])")
        return any(named.search(word) for word in self.words)

    def kill(self) -> None:
        """Send SIGKILL; a process that has ended is left alone."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def naming(path: Path | str) -> list[Process]:
    """Return the processes whose command line names `path`, this process excepted."""
    raw = os.fsencode(path)
    found = (Process(pid, tuple(line.split(b"\0"))) for pid, line in _lines() if raw in line)
    return [each for each in found if each.names(path) and each.pid != os.getpid()]


def residents(root: str) -> list[int]:
    """Return the pids of the residents that serve the store at `root`."""
    return [
        each.pid
        for each in naming(root)
        if each.is_resident and each.root == root and not _ONE_FRAME.intersection(each.words)
    ]


def state(pid: int) -> str:
    """Return the letter that `ps` prints for a process's state, "" when there is no process."""
    if not _HAS_PROC:
        return _ps("-o", "stat=", "-p", str(pid)).strip()[:1].decode()
    try:
        return (_PROC / str(pid) / "stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return ""


def is_alive(pid: int) -> bool:
    """Return True for a process that is there and is no zombie."""
    return state(pid) not in ("", "Z", "X")


def _lines() -> Iterator[tuple[int, bytes]]:
    """Yield the pid and the command line of each process, its words separated by NUL."""
    return _lines_of_proc() if _HAS_PROC else _lines_of_ps()


def _lines_of_proc() -> Iterator[tuple[int, bytes]]:
    for name in filter(str.isdigit, os.listdir(_PROC)):
        try:
            yield int(name), (_PROC / name / "cmdline").read_bytes()
        except OSError:
            continue


def _lines_of_ps() -> Iterator[tuple[int, bytes]]:
    """Yield the same from `ps`, which prints a space where words end."""
    for line in _ps("-axww", "-o", "pid=,stat=,command=").splitlines():
        pid, letters, *words = line.split()
        if not letters.startswith(b"Z"):
            yield int(pid), b"\0".join(words)


def _ps(*arguments: str) -> bytes:
    return subprocess.run(["ps", *arguments], capture_output=True, check=False).stdout


def main(folder: str) -> int:
    """Print the processes that name `folder`; return the exit status."""
    found = naming(folder)
    for each in found:
        line = b" ".join(each.words).decode(errors="replace").strip()
        sys.stdout.write(f"left running: {each.pid} {line}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
