"""What a hook costs: the registered command line, `sh` included, × a bare interpreter."""

import re
import statistics
import time
from itertools import count, cycle
from typing import Final

from tests.bench.base import interleaved, percentile, run
from tests.bench.corpus import TOPIC, Corpus
from tests.bench.home import Home

Figures = dict[str, float]

PAYLOAD_BYTES: Final = 4096
_LONG_SESSION: Final = "7b0c9a52-3f1e-5d84-8a6b-1c2d3e4f5a6b"
_STEPS: Final = 60
_ITEM: Final = re.compile(rb" \[[1-9a-z][0-9a-z]{7}(?:\]| \xc2\xb7 )")
"""How a note names its record, in what a hook prints."""


def measure(home: Home, corpus: Corpus, base: str, rounds: int) -> Figures:
    """Ratios of a recording run and of each recalling one, the resident running and its index up to date.

    A recording run sends 4 KB; that each was acknowledged after the flush is seen in the log, which
    has them all. The brief of a session and the notes before a tool have at least three items.
    """
    home.start()
    calls = HookCalls(home, corpus)
    before = home.recorded("PostToolUse")
    taken = interleaved(
        {
            "base": lambda: run([base, "-I", "-c", "pass"], {}).seconds,
            "empty": lambda: run([base, "-I", "-S", "-c", "pass"], {}).seconds,
            "record": calls.record,
            "session_start": calls.session_start,
            "before_tool": calls.before_tool,
            "prompt": calls.prompt,
        },
        rounds,
    )
    home.wait_until_indexed()
    assert home.recorded("PostToolUse") - before == calls.recordings, (
        "a recording hook was not acknowledged"
    )
    items = calls.items()
    assert min(items["items_session_start"], items["items_before_tool"]) >= 3, items
    return compute_figures(taken) | items


def measure_long_session(home: Home, corpus: Corpus, base: str, rounds: int) -> Figures:
    """Ratios of a prompt and of a failure in a session that has gone on for a while."""
    calls = HookCalls(home, corpus)
    calls.work()
    taken = interleaved(
        {
            "base": lambda: run([base, "-I", "-c", "pass"], {}).seconds,
            "later_prompt": calls.later_prompt,
            "failure": calls.failure,
        },
        rounds,
    )
    home.wait_until_indexed()
    names = ("later_prompt", "failure")
    return {f"hook_{name}_x": _ratio(taken[name], taken["base"]) for name in names}


def compute_figures(taken: dict[str, list[float]]) -> Figures:
    """Return the figures of hooks from the seconds that the runs took, by task, in the order of the rounds."""
    base = taken["base"]
    ratios = {
        f"hook_{name}_x": _ratio(each, base) for name, each in taken.items() if each is not base
    }
    recalling = ("session_start", "before_tool", "prompt")
    return {
        "base_ms": statistics.median(base) * 1e3,
        **ratios,
        "hook_recall_x": max(ratios[f"hook_{name}_x"] for name in recalling),
        "hook_record_p95_ms": percentile(taken["record"], 0.95) * 1e3,
    }


def _ratio(taken: list[float], base: list[float]) -> float:
    """Return the median ratio of the rounds: a host that is slow for some seconds slows both of a round."""
    return statistics.median(each / beside for each, beside in zip(taken, base, strict=True))


class HookCalls:
    """Hook calls that are no two alike; each gives its seconds."""

    def __init__(self, home: Home, corpus: Corpus) -> None:
        self._home = home
        self._numbers = count(time.time_ns())
        self._prompts = cycle(corpus.bearing_prompts(200, 12))
        self._items: dict[str, list[int]] = {}
        self.recordings = 0

    def record(self) -> float:
        self.recordings += 1
        given = self._home.result(f"record-{self._next()}", PAYLOAD_BYTES)
        return self._run("record", "PostToolUse", given)

    def session_start(self) -> float:
        session = f"session-{self._next()}"
        given = self._home.payload("SessionStart", session, source="startup")
        return self._run("session_start", "SessionStart", given)

    def before_tool(self) -> float:
        number = self._next()
        given = self._home.payload(
            "PreToolUse",
            f"tool-{number}",
            tool_name="Bash",
            tool_input={"command": f"release {TOPIC}", "description": "go on"},
            tool_use_id=f"bench-{number}",
        )
        return self._run("before_tool", "PreToolUse", given)

    def prompt(self) -> float:
        number = self._next()
        given = self._home.payload(
            "UserPromptSubmit", f"prompt-{number}", prompt=next(self._prompts)
        )
        return self._run("prompt", "UserPromptSubmit", given)

    def work(self) -> None:
        """Have the steps of a long session recorded: some passed, some failed, some were spoken of."""
        for number in range(_STEPS):
            self._home.hook("PostToolUse", self._step(number))
            if number % 4 == 0:
                self.failure()
            if number % 10 == 0:
                self.later_prompt()
        self._home.wait_until_indexed()

    def later_prompt(self) -> float:
        """Return the seconds that a prompt of that session took."""
        given = self._home.payload("UserPromptSubmit", _LONG_SESSION, prompt=next(self._prompts))
        return self._run("later_prompt", "UserPromptSubmit", given)

    def failure(self) -> float:
        """Return the seconds that a failure took there, one of five that come again and again."""
        number = self._next()
        test = f"tests/test_part{number % 5}.py"
        error = f"E   AssertionError: {number % 5} rows are missing\nFAILED {test}::test_rows"
        given = self._home.payload(
            "PostToolUseFailure",
            _LONG_SESSION,
            tool_name="Bash",
            tool_input={"command": f"pytest {test}", "description": "run the test"},
            tool_use_id=f"toolu_{number:024x}",
            error=f"Exit code 1\n{error} - AssertionError\n1 failed in 0.1s",
            is_interrupt=False,
        )
        return self._run("failure", "PostToolUseFailure", given)

    def _step(self, number: int) -> bytes:
        return self._home.payload(
            "PostToolUse",
            _LONG_SESSION,
            tool_name="Bash",
            tool_input={"command": f"pytest tests/test_part{number}.py", "description": "run it"},
            tool_response={"stdout": f"{number} passed in 0.2s", "stderr": ""},
            tool_use_id=f"toolu_{self._next():024x}",
        )

    def _next(self) -> int:
        return next(self._numbers)

    def _run(self, name: str, event: str, payload: bytes) -> float:
        ran = self._home.hook(event, payload)
        assert ran.status == 0
        self._items.setdefault(name, []).append(len(_ITEM.findall(ran.stdout)))
        return ran.seconds

    def items(self) -> Figures:
        return {f"items_{name}": statistics.median(counts) for name, counts in self._items.items()}
