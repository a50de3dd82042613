"""Measure the hooks of every other agent: their seconds × those of the first agent's hook for the same step."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Final

from hooklore.agents.agent import Agent
from hooklore.agents.registration import Places
from hooklore.agents.registry import default_agent, known_agents
from hooklore.agents.rehearsal import Step, as_words
from hooklore.cli.install import install
from tests.bench.base import interleaved, medians, run
from tests.bench.corpus import Corpus
from tests.bench.home import Home

Figures = dict[str, float]

_OUTPUT: Final = "4711 passed in 3 ms, 0 failed.\n" * 120
_ROLLOUT_BYTES: Final = 256 * 1024
_STEPS: Final = ("session_start", "prompt", "after_tool")


def measure(home: Home, corpus: Corpus, rounds: int) -> Figures:
    """Return `hook_<agent>_x` of each agent: the largest ratio of its steps. The resident runs.

    The steps are a session's start, a prompt with notes, and a command's output of 4 KB.
    """
    agents = [AgentCalls(home, default_agent(), corpus), *install_others(home, corpus)]
    home.start()
    tasks = {f"{each.id} {step}": partial(each.seconds, step) for step in _STEPS for each in agents}
    middle = medians(interleaved(tasks, rounds))
    home.wait_until_indexed()
    first = agents[0].id
    return {
        f"hook_{each.id}_x": max(middle[f"{each.id} {s}"] / middle[f"{first} {s}"] for s in _STEPS)
        for each in agents[1:]
    }


def install_others(home: Home, corpus: Corpus) -> list["AgentCalls"]:
    """Install hooklore for every agent but the first; the hooks of each."""
    others = [agent for agent in known_agents() if agent is not default_agent()]
    for agent in others:
        install("user", home=home.directory, project_dir=home.project, agent=agent.id, serves=False)
    return [AgentCalls(home, agent, corpus) for agent in others]


class AgentCalls:
    """One agent's client, which runs the command that its settings register for a step."""

    def __init__(self, home: Home, agent: Agent, corpus: Corpus) -> None:
        self.id = agent.id
        self._home, self._agent = home, agent
        self._numbers = count(time.time_ns())
        self._prompts = cycle(corpus.bearing_prompts(200, 12))
        registration = agent.registration()
        path = registration.settings_path("user", Places(home.directory, home.project))
        self._settings = registration.format.read(path.read_text())
        self._transcript = _filled(home.directory / f"{agent.id}-transcript.jsonl")

    def seconds(self, event: str) -> float:
        """Run the hook of one step that is like no other; its seconds."""
        rehearsal, step = self._agent.rehearsal(), self._step(event)
        _, payload = rehearsal.payload(step)
        (command, *_) = rehearsal.commands(self._settings, payload)
        environment = {
            "HOME": str(self._home.directory),
            "PATH": "/usr/bin:/bin",
            **rehearsal.environment(self._home.project),
        }
        ran = run(as_words(command), environment, json.dumps(payload).encode())
        assert ran.status == 0
        return ran.seconds

    def session(self) -> float:
        """Run the hooks of all steps; their seconds together."""
        return sum(self.seconds(step) for step in _STEPS)

    def _step(self, event: str) -> Step:
        number = next(self._numbers)
        step = Step(
            "session_start", f"{self.id}-{number}", str(self._home.project), source="startup",
            transcript=str(self._transcript),
        )  # fmt: skip
        if event == "prompt":
            return replace(step, event="prompt", source=None, prompt=next(self._prompts))
        if event == "after_tool":
            return replace(
                step, event="after_tool", source=None, command="make check", output=_OUTPUT,
                tool_use_id=f"bench-{number}",
            )  # fmt: skip
        return step


def _filled(path: Path) -> Path:
    """Return a transcript as long as that of an hour's work."""
    path.write_text("".join(_lines()))
    return path


def _lines() -> Iterator[str]:
    line = json.dumps({"type": "event_msg", "payload": {"type": "note", "text": "x" * 900}}) + "\n"
    yield from (line for _ in range(_ROLLOUT_BYTES // len(line)))
