"""Measure an agent's `hooklore get` and `recall`: CPU time of the whole command × a bare interpreter."""

import os
import statistics
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hooklore.records.draft import Draft
from tests.bench.base import interleaved
from tests.bench.home import Home

Figures = dict[str, float]

_TITLE: Final = "Opening costs little"
_AGENT: Final = {
    "CLAUDECODE": "1",
    "CLAUDE_CODE_SESSION_ID": "3f1f7bb0-6f0e-4d0c-9d4e-1f2a3b4c5d6e",
}


def measure(home: Home, base: str, rounds: int) -> Figures:
    """Ratios of the CPU time of both commands, the resident running, to that of `python -I -c pass`.

    The command is the script beside this interpreter, whose `.pth` files count against it.
    """
    tasks = {"base": lambda: _cpu_seconds([base, "-I", "-c", "pass"], {}), **openings(home)}
    taken = interleaved(tasks, rounds)
    middle = {name: statistics.median(seconds) for name, seconds in taken.items()}
    ratios = {f"opening_{name}_x": middle[name] / middle["base"] for name in ("get", "recall")}
    return {
        "opening_base_cpu_ms": middle["base"] * 1e3,
        **ratios,
        "opening_cpu_x": max(ratios.values()),
    }


def openings(home: Home) -> dict[str, Callable[[], float]]:
    """Keep a memory; what opens it by its title and by a question, and gives the CPU seconds that it takes."""
    with home.broker() as broker:
        broker.append([_memory()])
    home.start()
    command = str(Path(sys.executable).parent / "hooklore")
    env = home.environment | _AGENT
    get = [command, "get", _TITLE.upper()]
    recall = [command, "recall", "does opening cost little?"]
    _assert_framed(get, env, home.directory / "opened.txt")
    return {"get": lambda: _cpu_seconds(get, env), "recall": lambda: _cpu_seconds(recall, env)}


def _memory() -> Draft:
    return Draft.of(
        stream="memory", kind="fact", agent_id="claude", basis="user", scope="global",
        body={"content_md": "A title is opened at the cost of a hook.", "title": _TITLE},
    )  # fmt: skip


def _cpu_seconds(words: list[str], env: Mapping[str, str], stdout: str = os.devnull) -> float:
    """Run a command to its end; the processor's time of its process, in user and system mode."""
    flags = os.O_WRONLY | os.O_CREAT
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, stdout, flags, 0o600),
    ]
    pid = os.posix_spawn(words[0], words, env, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, words
    return used.ru_utime + used.ru_stime


def _assert_framed(words: list[str], env: Mapping[str, str], path: Path) -> None:
    _cpu_seconds(words, env, str(path))
    assert path.read_text().startswith("<hooklore-notes>")
