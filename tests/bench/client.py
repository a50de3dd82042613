"""What the hooks cost in the real Claude Code, a tool call: against hooks that do nothing, and none."""

import json
import os
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from tests.bench.home import Home
from tests.claude.api import Turn, bash, say
from tests.claude.session import Claude

Figures = dict[str, float]

_CALLS: Final = 12
_ROUNDS: Final = 4


def measure(home: Home, binary: Path, directory: Path) -> Figures:
    """Milliseconds from one request of the model to the next, with a tool call between them.

    One Pre and one Post hook run at each. The sessions with our hooks, with hooks of
    `python3 -I -S -c pass` and with none take turns.
    """
    ours = json.loads((home.directory / ".claude" / "settings.json").read_text())
    kinds: dict[str, Mapping[str, Any]] = {"none": {}, "empty": _emptied(ours), "ours": ours}
    clients = {name: _client(home, binary, directory / name, each) for name, each in kinds.items()}
    for client in clients.values():
        _intervals(client)
    taken: dict[str, list[float]] = {name: [] for name in clients}
    for _ in range(_ROUNDS):
        for name, client in clients.items():
            taken[name] += _intervals(client)
    middle = {name: statistics.median(times) for name, times in taken.items()}
    return {
        **{f"client_{name}_ms": seconds * 1e3 for name, seconds in middle.items()},
        "client_against_empty_x": middle["ours"] / middle["empty"],
        "client_against_none_x": middle["ours"] / middle["none"],
    }


def _emptied(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same registrations, with hooks that do nothing."""
    emptied = json.loads(json.dumps(settings))
    python = os.path.realpath(sys.executable)
    for groups in emptied["hooks"].values():
        for group in groups:
            for hook in group["hooks"]:
                hook["command"] = f'"{python}" -I -S -c pass || exit 0'
    return dict(emptied)


def _client(home: Home, binary: Path, config: Path, settings: Mapping[str, Any]) -> Claude:
    """The client in our home and project, its own configuration elsewhere."""
    config.mkdir(parents=True)
    (config / "settings.json").write_text(json.dumps(settings))
    client = Claude(binary, home.directory, home.project)
    return replace(client, env={"CLAUDE_CONFIG_DIR": str(config)})


def _intervals(client: Claude) -> list[float]:
    """Seconds from each answer of the model that asks for a tool to its next request."""
    marks: list[float] = []
    turns = [_marking(bash("true"), marks) for _ in range(_CALLS)]
    session = client.run("go on", [*turns, _marking(say("done"), marks)])
    assert session.rc == 0
    assert len(marks) == _CALLS + 1
    return [after - before for before, after in pairwise(marks[1:])]


def _marking(turn: Turn, marks: list[float]) -> Turn:
    return replace(turn, meanwhile=lambda: marks.append(time.perf_counter()))
