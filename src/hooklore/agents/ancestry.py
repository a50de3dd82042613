"""Read the marks of the processes above a process: they tell who started it, whatever it took off itself.

Only Linux tells with which environment a process began, in `/proc`. Elsewhere nothing is known of those above.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from hooklore.agents.registry import known_agents

_MOST = 64
"""Processes above one that are asked at most."""

_PART = 16 * 1024
"""Bytes that are read at once. The system gives as many, or all that are left."""


class Process(NamedTuple):
    """A process that runs: its number, its parent's, and when it began, in ticks since the machine's start."""

    number: int
    parent: int
    began: int


class Ancestor(NamedTuple):
    """A process above another: the environment with which it began, and the names of the program that it runs.

    The environment of another user's process, which nobody may read, is empty. `title` names the process.
    """

    environment: Mapping[str, str]
    programs: frozenset[str]
    title: str = ""


def find_ancestors(number: int) -> Iterator[Ancestor]:
    """Yield the processes above a process, the nearest first."""
    return islice(find_lineage(number), 1, None)


def find_lineage(number: int) -> Iterator[Ancestor]:
    """Yield a process and those above it, the nearest first."""
    process = find_process(number)
    for _ in range(_MOST + 1):
        if process is None:
            return
        number = process.number
        pairs = (pair.partition(b"=") for pair in _environment(number).split(b"\0") if pair)
        environment = {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
        programs = _programs(number)
        title = f"`{min(programs, key=len)}` (process {number})" if programs else ""
        yield Ancestor(environment, programs, title)
        process = _parent_of(process)


def _parent_of(process: Process) -> Process | None:
    """Return the process that started another; None where its number was given to a later one since."""
    parent = find_process(process.parent)
    return parent if parent and parent.began <= process.began else None


def _programs(number: int) -> frozenset[str]:
    """Return the names of a process' program: its file's, the word that called it, an interpreter's script."""
    words = [os.fsdecode(word) for word in _read(f"/proc/{number}/cmdline").split(b"\0")]
    try:
        file = os.path.basename(os.readlink(f"/proc/{number}/exe"))
    except OSError:
        file = ""
    given = [word for word in words[1:_SCRIPT_WORDS] if word and word[:1] != "-"]
    script = next((word for word in given if "/" in word), given[0] if given else "")
    called = (words[0], script if _INTERPRETER.match(file) else "")
    return frozenset(filter(None, (file, *map(os.path.basename, called))))


_INTERPRETER = re.compile(r"node|bun|deno|python")
_SCRIPT_WORDS = 5
"""Words of an interpreter's command line of which the first path, or else the first that is no option, is its
script. The value of an option (`--require fs`) stands before the script and is seldom a path."""


def is_from_client(number: int) -> bool:
    """Return whether a client started a hook's process, as against a command that its model runs.

    Some clients mark commands alone. Others mark both, and give hooks the project's folder besides. A process
    that has ended proves nothing. Where no process can be asked nothing speaks against any.
    """
    process = find_process(number)
    if process is None:
        return not tells_of_processes()
    return _is_from_client(process, _MOST)


@lru_cache(maxsize=1)
def tells_of_processes() -> bool:
    """Return whether this system tells of processes at all."""
    return find_process(os.getpid()) is not None


@lru_cache(maxsize=256)
def _is_from_client(process: Process, most: int) -> bool:
    """Return whether no process from `process` up is a command of a model. More than `most` prove nothing."""
    environment = b"\0" + _environment(process.number)
    for marks, project in _marks_of_agents():
        if marks.search(environment) and not (project and project.search(environment)):
            return False
    parent = _parent_of(process)
    return parent is None or (most > 0 and _is_from_client(parent, most - 1))


@lru_cache(maxsize=1)
def _marks_of_agents() -> tuple[tuple[re.Pattern[bytes], re.Pattern[bytes] | None], ...]:
    """Return what finds the marks of each agent's processes in an environment, and that of its hooks."""
    return tuple(
        (
            _finder(agent.marks.process),
            _finder((agent.marks.project_dir,)) if agent.marks.project_dir else None,
        )
        for agent in known_agents()
    )


def _finder(names: Iterable[str]) -> re.Pattern[bytes]:
    """Return a pattern of a variable with one of these names and a value: an emptied one marks nothing."""
    return re.compile(rb"\0(?:%b)=[^\0]" % b"|".join(re.escape(name.encode()) for name in names))


def find_process(number: int) -> Process | None:
    """Return a process that runs; None for one that has ended, or where the system does not tell."""
    try:
        fields = _read(f"/proc/{number}/stat").rpartition(b")")[2].split()
        return Process(number, int(fields[1]), int(fields[19]))
    except (ValueError, IndexError):
        return None


def _environment(number: int) -> bytes:
    return _read(f"/proc/{number}/environ")


def _read(path: str) -> bytes:
    """Return the bytes of a file of the system's, none where it is not there or another user's."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    parts = [b""]
    try:
        while len(parts[-1]) == _PART or len(parts) == 1:
            parts.append(os.read(descriptor, _PART))
    except OSError:
        return b""
    finally:
        os.close(descriptor)
    return b"".join(parts)
