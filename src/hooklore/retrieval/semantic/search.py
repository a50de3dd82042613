"""Search by meaning beside the search by words: the question's vector is made while words are looked up.

The resident, the evaluation and the commands that explain recall have this search (extra `[semantic]`).
A hook waits `MAX_WAIT_SECONDS` at most and goes on without.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from hooklore.broker.principal_reader import Reader
from hooklore.config import StoreLocation
from hooklore.index import generation
from hooklore.index.backend import Backend
from hooklore.index.encoder import Encoder
from hooklore.index.question import AnalyzedQuery
from hooklore.index.vectors import NAME, VectorTable
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.relevance import gate
from hooklore.retrieval.relevance.sentence_form import is_question
from hooklore.retrieval.semantic import weights
from hooklore.retrieval.semantic.semantic_similarity import (
    SemanticComparison,
    SimilarityRequest,
)

MAX_WAIT_SECONDS = 0.06
"""Seconds for the vectors of a prompt and their comparison, after which words alone answer."""

_ENCODING_SECONDS = 0.05
"""Seconds of these for the encoder. A prompt has 21 to 26 tokens at the median, and a tenth more than 52. A
token takes .6 ms on two cores and 1.1 on one."""

_MAX_PROMPTS = 16
_RECENT_TIMINGS = 3
_MEM0_HITS = 100
_RAREST_TERMS = 12
"""Rarest terms of a sentence that count: a long sentence is not more specific for its length."""


class SharedEncoder:
    """The encoder, loaded once, by the first thread that needs it, never by a hook's.

    With `mem0` also mem0's index of the generation in force, which only one process may have open.
    """

    def __init__(self, load: Callable[[], Encoder] = Encoder, *, mem0: bool = False) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._encoder: Encoder | None = None
        self._is_mem0 = mem0
        self._mem0: tuple[Path, Backend] | None = None

    def mem0(self, directory: Path) -> Backend | None:
        """Return mem0's index in this generation, None where our own table answers. Raise IndexUnusable."""
        if not self._is_mem0:
            return None
        from hooklore.index.mem0_index import Mem0Index

        encoder = self.get()
        with self._lock:
            if self._mem0 is None or self._mem0[0] != directory:
                if self._mem0 is not None:
                    self._mem0[1].close()
                self._mem0 = directory, Mem0Index(directory, encoder)
            return self._mem0[1]

    def get(self) -> Encoder:
        """Return the encoder. Raise ImportError, OSError or RuntimeError when loading fails."""
        with self._lock:
            if self._encoder is None:
                self._encoder = self._load()
            return self._encoder


class SemanticSearch:
    """Compares questions with a store's vectors. `problem` says why the last comparison failed, if it did."""

    def __init__(
        self,
        place: StoreLocation,
        model: SharedEncoder,
        *,
        patience: float | None = MAX_WAIT_SECONDS,
    ) -> None:
        """`patience` is how many seconds a caller waits for a query's vector.

        With None nobody waits: the caller's own thread makes the vector.
        """
        self._place = place
        self._model = model
        self._patience = patience
        self._table: VectorTable | None = None
        self._directory: Path | None = None
        self._vectors: OrderedDict[tuple[str, ...], Any] = OrderedDict()
        self._requests: SimpleQueue[SimilarityRequest | None] = SimpleQueue()
        self._asked: tuple[RecallQuery | None, SimilarityRequest | None] = (None, None)
        self._timings: deque[float] = deque(maxlen=_RECENT_TIMINGS)
        self.problem: str | None = None
        if patience is not None:
            threading.Thread(target=self._work, name="meaning", daemon=True).start()

    def compare(
        self, reader: Reader, question: AnalyzedQuery, query: RecallQuery, bins: Mapping[str, float],
        limit: int,
    ) -> SemanticComparison | None:  # fmt: skip
        """Start to compare a question with the reader's records, for a list of `limit`.

        `question` is the text of `query` or one of its sentences. All sentences are encoded at once, and the
        whole text is as near as its nearest sentence. Return None for a question that is answered by its
        words alone. All comparisons of one query together wait for `patience`.
        """
        weight = weights.semantic_weight(question.text)
        if not weight:
            return None
        request = self._request(reader, query, bins)
        part = None if question.text == query.text else question.text
        if not request.texts or part not in (None, *request.texts):
            return None
        return SemanticComparison(reader, request, bins, part=part, weight=weight, limit=limit)

    def prefetch(self, reader: Reader, text: str) -> None:
        """Start to encode a prompt that will be compared soon. Optional: `compare` encodes what is missing."""
        texts = sentences_by_specificity(reader, text) if self._max_wait() else []
        if texts:
            self._requests.put(SimilarityRequest(texts, (), 0.0))

    def warm(self) -> None:
        """Load the model, and measure its speed on the worker's thread, before a prompt needs it."""
        self._requests.put(None)

    def _request(
        self, reader: Reader, query: RecallQuery, bins: Mapping[str, float]
    ) -> SimilarityRequest:
        """Return the request of a query, made at the first comparison of the query."""
        known, request = self._asked
        if request is not None and query is known and request.bins == tuple(bins):
            return request
        deadline = time.monotonic() + self._max_wait()
        request = SimilarityRequest(sentences_by_specificity(reader, query.text), bins, deadline)
        self._asked = query, request
        if request.texts and self._patience is None:
            self._answer(request)
        elif request.texts:
            self._requests.put(request)
        return request

    def _max_wait(self) -> float:
        """Return the seconds to wait: 0 when the last few vectors came too late to be worth waiting for."""
        timings, patience = self._timings, self._patience or 0.0
        return 0.0 if len(timings) == _RECENT_TIMINGS and min(timings) > patience else patience

    # ---- the worker

    def _work(self) -> None:
        while True:
            waiting = [self._requests.get()]
            while not self._requests.empty():
                waiting.append(self._requests.get())
            if None in waiting:
                self._warm_up()
            requests = [request for request in waiting if request is not None]
            if requests:  # nobody waits for the earlier ones any more
                self._answer(requests[-1])

    def _warm_up(self) -> None:
        try:
            self._model.get().limit_query_time(_ENCODING_SECONDS)
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"

    def _answer(self, request: SimilarityRequest) -> None:
        """Answer a request. A failure is noted as `problem` and stops nobody: words answer, too."""
        try:
            table = self._open_table()
            mem0 = self._model.mem0(self._directory) if table and self._directory else None
            if mem0 is not None:
                request.ranked_hits = mem0.search(request.texts[0], request.bins, _MEM0_HITS)
            elif table is not None:
                request.similarities = table.compare(self._encode(request.texts), request.bins)
            self.problem = None
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"
            self._directory = None
        request.is_ready.set()

    def _encode(self, texts: tuple[str, ...]) -> Any:
        """Return the vectors of sentences, of those made last or new."""
        found = self._vectors.pop(texts, None)
        if found is None:
            started = time.monotonic()
            found = self._model.get().questions(texts)
            self._timings.append(time.monotonic() - started)
        self._vectors[texts] = found
        if len(self._vectors) > _MAX_PROMPTS:
            self._vectors.popitem(last=False)
        return found

    def _open_table(self) -> VectorTable | None:
        """Return the table of the generation in force, None when there is none."""
        directory = generation.current_generation(self._place)
        if directory is None or not (directory / NAME).exists():
            return None
        if directory != self._directory:
            if self._table is not None:
                self._table.close()
            self._table = VectorTable(directory, self._model.get(), make=False)
            self._directory = directory
        return self._table


def sentences_by_specificity(reader: Reader, prompt: str) -> list[str]:
    """Return the sentences of a prompt that have a meaning to compare, the most specific first.

    The question of a prompt comes first, because it follows its reasons. Then come those with the rarest
    terms. Of 55 prompts of `tests/samesubject` with more than one sentence the first is the one that
    matters 42 times; by rare terms alone 30 times.
    """
    parts = [
        part for part in gate.split_sentences(prompt) or [prompt] if weights.semantic_weight(part)
    ]
    if len(parts) < 2:
        return parts

    def specificity(part: str) -> tuple[bool, float]:
        rare = sorted((reader.idf(term) for term in reader.terms(part)), reverse=True)
        return is_question(part, prompt), sum(rare[:_RAREST_TERMS])

    return sorted(dict.fromkeys(parts), key=specificity, reverse=True)
