"""What a prompt of 15 MB adds to the wait of the hooks beside it."""

import statistics
import tempfile
from collections.abc import Callable
from typing import IO, Final

from tests.bench.home import Home
from tests.bench.idle import recording

Figures = dict[str, float]

_BYTES: Final = 15_000_000
_ROUNDS: Final = 20
_LINE: Final = "the turbine of the copper press stalls again. "


def measure(home: Home) -> Figures:
    """The longest wait for an answer while the prompt is handed in, less that of as many alone, in ms.

    It is the median of the rounds: a longest wait is also the longest of everything else on the machine.
    It has no goal here (20 ms), for it swings by ten: what remains is the recall for 24 sentences.
    """
    home.start()
    record = recording(home)
    with tempfile.TemporaryFile() as prompt:
        prompt.write(
            home.payload("UserPromptSubmit", "large", prompt=_LINE * (_BYTES // len(_LINE)))
        )
        rounds = [_round(home, prompt, record) for _ in range(_ROUNDS)]
    return {"large_prompt_delay_ms": 1e3 * statistics.median(rounds)}


def _round(home: Home, prompt: IO[bytes], record: Callable[[], float]) -> float:
    large = home.open("UserPromptSubmit", prompt)
    beside = []
    while large.poll() is None:
        beside.append(record())
    assert large.returncode == 0
    return max(beside) - max(record() for _ in beside)
