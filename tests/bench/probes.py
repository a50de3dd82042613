"""What a comparison takes from each of two commits: probes, each with its figures of one sample.

Every figure is better the smaller it is. A probe that changes what it measures moves the baseline (`.ci/baseline`)
in a commit of its own, for the two sides of a comparison each run their own.
"""

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench import (
    agents,
    broker,
    corpus,
    firsthook,
    hooks,
    idle,
    ingest,
    mcp_recall,
    memory,
    opening,
    query,
    rebuild,
    redaction,
)
from tests.bench.home import Home, furnished

Figures = dict[str, float]
Sample = Callable[[], Figures]

EVENTS: Final = 100_000
_BURST: Final = 1_000
_PROMPTS: Final = 200
_TURNS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Probe:
    """One kind of sample. `rounds` of it are taken, each beside one of the other commit's.

    A probe that `rests` waits more than it works: both commits' are taken at the same time. Of one that
    `is_least` the least of each commit's samples counts: it does the same work each time.
    """

    name: str
    rounds: int
    rests: bool = False
    is_least: bool = False


PROBES: Final = (
    Probe("rebuild", 2, is_least=True),
    Probe("query", 10, is_least=True),
    Probe("hook_record", 60),
    Probe("hook_session_start", 60),
    Probe("hook_before_tool", 60),
    Probe("hook_prompt", 60),
    Probe("hook_later_prompt", 60),
    Probe("hook_failure", 60),
    Probe("agents", 20),
    Probe("opening", 20),
    Probe("idle_connections", 60),
    Probe("mcp_recall", 100),
    Probe("ingest", 5),
    Probe("redaction", 5),
    Probe("dear_texts", 3, is_least=True),
    Probe("broker", 4),
    Probe("broker_p99", 30),
    Probe("first_hook", 8),
    Probe("memory", 2, rests=True),
)


class Sampler:
    """Takes samples from this commit, in a home with a store of `EVENTS` events.

    What a probe needs beforehand is made when the probe is first asked for. What only computes is measured by the
    processor's time, which other work on the host does not lengthen.
    """

    def __init__(self, home: Home, year: corpus.Corpus, held: ExitStack) -> None:
        self._home, self._year, self._open = home, year, held
        self._samples: dict[str, Sample] = {}

    def take(self, probe: str) -> Figures:
        """Return the figures of one sample of a probe; none of a probe that this commit does not have."""
        if not hasattr(self, f"_{probe}"):
            return {}
        if probe not in self._samples:
            self._samples[probe] = getattr(self, f"_{probe}")()
        return self._samples[probe]()

    def _rebuild(self) -> Sample:
        names = ("rebuild_s_per_million", "index_to_log")

        def sample() -> Figures:
            self._home.stop()
            taken = rebuild.measure(self._home, EVENTS, time.process_time)
            return {name: taken[name] for name in names}

        return sample

    def _query(self) -> Sample:
        names = ("query_p50_ms", "query_40_words_p50_ms")

        def sample() -> Figures:
            taken = query.measure(self._home, self._year, _PROMPTS, time.process_time)
            return {name: taken[name] for name in names}

        return sample

    def _hook(self, name: str) -> Sample:
        return _milliseconds(f"hook_{name}_ms", getattr(self._calls, name))

    @functools.cached_property
    def _calls(self) -> hooks.HookCalls:
        self._home.start()
        return hooks.HookCalls(self._home, self._year)

    @functools.cached_property
    def _long_session(self) -> hooks.HookCalls:
        self._calls.work()
        return self._calls

    def _hook_record(self) -> Sample:
        return self._hook("record")

    def _hook_session_start(self) -> Sample:
        return self._hook("session_start")

    def _hook_before_tool(self) -> Sample:
        return self._hook("before_tool")

    def _hook_prompt(self) -> Sample:
        return self._hook("prompt")

    def _hook_later_prompt(self) -> Sample:
        return _milliseconds("hook_later_prompt_ms", self._long_session.later_prompt)

    def _hook_failure(self) -> Sample:
        return _milliseconds("hook_failure_ms", self._long_session.failure)

    def _agents(self) -> Sample:
        others = agents.install_others(self._home, self._year)
        self._home.start()
        return lambda: {f"hooks_of_{each.id}_ms": 1e3 * each.session() for each in others}

    def _opening(self) -> Sample:
        tasks = opening.openings(self._home)
        return lambda: {f"opening_{name}_cpu_ms": 1e3 * take() for name, take in tasks.items()}

    def _idle_connections(self) -> Sample:
        beside = idle.beside_idle(self._home, self._calls.record)
        return _milliseconds("hook_beside_idle_connections_ms", beside)

    def _mcp_recall(self) -> Sample:
        self._home.start()
        ask = self._open.enter_context(mcp_recall.open_questions(self._home, self._year))
        return _milliseconds("mcp_recall_ms", ask)

    def _ingest(self) -> Sample:
        self._home.start()

        def sample() -> Figures:
            seconds = ingest.ingest(self._home, f"bench {time.time_ns()}", turns=_TURNS)
            self._home.wait_until_indexed()
            return {"ingest_turn_us": 1e6 * seconds / _TURNS}

        return sample

    def _redaction(self) -> Sample:
        return redaction.Rounds().take

    def _dear_texts(self) -> Sample:
        return redaction.DearTexts().take

    def _broker(self) -> Sample:
        self._home.start()
        return lambda: {"broker_cpu_us": broker.burst(self._home, _BURST)["broker_cpu_us"]}

    def _broker_p99(self) -> Sample:
        self._home.start()
        return lambda: {"broker_p99_ms": broker.calm_p99_ms(self._home)}

    def _first_hook(self) -> Sample:
        return lambda: {"first_hook_s": firsthook.first_of_all(self._home)}

    def _memory(self) -> Sample:
        """Measure a new resident that has served a burst and some of each recalling hook."""
        calls = self._long_session

        def sample() -> Figures:
            self._home.stop()
            self._home.start()
            broker.burst(self._home, _BURST)
            for call in (calls.session_start, calls.before_tool, calls.prompt, calls.failure):
                for _ in range(10):
                    call()
            return {"memory_mb": memory.measure(self._home)["memory_mb"]}

        return sample


def _milliseconds(figure: str, take: Callable[[], float]) -> Sample:
    return lambda: {figure: 1e3 * take()}


@contextmanager
def furnished_sampler(folder: Path) -> Iterator[Sampler]:
    """A sampler whose home is below `folder`; no process of it is left afterwards."""
    with furnished(folder) as home, ExitStack() as held:
        year = corpus.Corpus(home.keys)
        corpus.write(home.place, year, EVENTS)
        yield Sampler(home, year, held)
