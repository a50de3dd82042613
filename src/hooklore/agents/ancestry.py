"""Read the marks of the processes above a process: they tell who started it, whatever it took off itself.

Only Linux tells with which environment a process began, in `/proc`. Elsewhere nothing is known of those above.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hooklore.agents.registry import known_agents

_MOST = 64
"""Processes above one that are asked at most."""


class Process(NamedTuple):
    """A process that runs: its number, its parent's, and when it began, in ticks since the machine's start."""

    number: int
    parent: int
    began: int


def environments_above(number: int) -> Iterator[dict[str, str]]:
    """Yield the environment with which each process above a process began, the nearest first.

    That of another user's process, which nobody may read, is empty.
    """
    process = find_process(number)
    for _ in range(_MOST):
        process = find_process(process.parent) if process else None
        if process is None:
            return
        pairs = (pair.partition(b"=") for pair in _environment(process.number).split(b"\0") if pair)
        yield {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}


def is_from_client(number: int) -> bool:
    """Return whether a client started a hook's process, as against a command that its model runs.

    Codex and Gemini CLI mark commands and no hooks, Claude Code marks both, and gives hooks the project's
    folder besides. A process that has ended proves nothing. Where no process can be asked nothing speaks
    against any.
    """
    if find_process(os.getpid()) is None:
        return True
    process = find_process(number)
    return process is not None and _is_from_client(process)


@lru_cache(maxsize=256)
def _is_from_client(process: Process) -> bool:
    environment = b"\0" + _environment(process.number)
    for marks, project in _marks_of_agents():
        if any(mark in environment for mark in marks) and not (project and project in environment):
            return False
    parent = find_process(process.parent)
    return parent is None or _is_from_client(parent)


@lru_cache(maxsize=1)
def _marks_of_agents() -> tuple[tuple[tuple[bytes, ...], bytes], ...]:
    """Return the marks of each agent's processes, and that of its hooks, as an environment has them."""
    return tuple(
        (tuple(map(_mark, agent.marks.process)), _mark(agent.marks.project_dir))
        for agent in known_agents()
    )


def _mark(name: str) -> bytes:
    return b"\0%s=" % name.encode() if name else b""


def find_process(number: int) -> Process | None:
    """Return a process that runs; None for one that has ended, or where the system does not tell."""
    try:
        with open(f"/proc/{number}/stat", "rb", buffering=0) as file:
            fields = file.read().rpartition(b")")[2].split()
        return Process(number, int(fields[1]), int(fields[19]))
    except (OSError, ValueError, IndexError):
        return None


def _environment(number: int) -> bytes:
    try:
        with open(f"/proc/{number}/environ", "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
