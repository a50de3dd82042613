"""Recall by meaning beside recall by words: a question's vector, made while the words are looked up.

The resident, the evaluation and the commands that explain have it (extra `[semantic]`). A hook waits
`PATIENCE` at most and goes on without.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from hooklore.config import StoreLocation
from hooklore.index import generation
from hooklore.index.backend import Backend
from hooklore.index.encoder import Encoder
from hooklore.index.question import AnalyzedQuery
from hooklore.index.vectors import NAME, VectorTable
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.semantic import weights
from hooklore.retrieval.semantic.semantic_similarity import (
    SemanticComparison,
    SimilarityRequest,
)
from hooklore.retrieval.semantic.sentence_choice import most_specific_sentence

if TYPE_CHECKING:
    from hooklore.broker.broker import Broker

MAX_WAIT_SECONDS = 0.02
"""Seconds that a question's vector may take before it is left out."""

_ENCODING = 0.0145
"""Of them for the encoder: the rest is for comparing. With 20 / 14 / 10 tokens of a question `tests/samesubject` is
right on .67 / .61 / .56; with 20 / 10 / 8, jsquad R@1 and R@5 are .893 .966 / .890 .964 / .891 .960."""

_HELD = 64
_RECENT_TIMINGS = 3
_RANKED = 100


class SharedEncoder:
    """The encoder, loaded once, by the first thread that needs it; never by a hook's.

    With `mem0` also mem0's index of the generation in force, which only one may have open.
    """

    def __init__(self, load: Callable[[], Encoder] = Encoder, *, mem0: bool = False) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._encoder: Encoder | None = None
        self._is_mem0 = mem0
        self._mem0: tuple[Path, Backend] | None = None

    def mem0(self, directory: Path) -> Backend | None:
        """mem0's index in this generation; None where our own table answers. Raises IndexUnusable."""
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
        """The encoder. Raises ImportError, OSError or RuntimeError when it cannot be loaded."""
        with self._lock:
            if self._encoder is None:
                self._encoder = self._load()
            return self._encoder


class SemanticSearch:
    """Answers how near a store's records are to a question."""

    def __init__(
        self,
        place: StoreLocation,
        model: SharedEncoder,
        *,
        patience: float | None = MAX_WAIT_SECONDS,
    ) -> None:
        """`patience` is None where nobody waits: then everything is done in the asker's thread."""
        self._place = place
        self._model = model
        self._patience = patience
        self._table: VectorTable | None = None
        self._directory: Path | None = None
        self._vectors: OrderedDict[str, Any] = OrderedDict()
        self._asked: SimpleQueue[SimilarityRequest | None] = SimpleQueue()
        self._last: SemanticComparison | None = None
        self._due: tuple[RecallQuery | None, float] = (None, 0.0)
        self._took: deque[float] = deque(maxlen=_RECENT_TIMINGS)
        self.problem: str | None = None
        if patience is not None:
            threading.Thread(target=self._work, name="meaning", daemon=True).start()

    def prepare(self, broker: "Broker", prompt: str) -> None:
        """Begin with a prompt's vector while the prompt is still being recorded."""
        if weights.semantic_weight(prompt) and self._worth_waiting():
            self._asked.put(SimilarityRequest(most_specific_sentence(broker.view, prompt), (), 0.0))

    def begin(
        self, broker: "Broker", question: AnalyzedQuery, asked: RecallQuery, bins: Mapping[str, float],
        limit: int,
    ) -> SemanticComparison | None:  # fmt: skip
        """Begin to compare, for a list of so many; None when a question is looked up by its words alone.

        Of a prompt only the most specific sentence has a vector, for a token takes a millisecond; where the
        whole prompt is looked up, it counts for its share of it. However often one prompt is looked up, its
        asker waits `PATIENCE` in all.
        """
        self._last, prompt = None, asked.text
        if asked is not self._due[0]:
            self._due = asked, time.monotonic() + self._worth_waiting()
        weight = weights.semantic_weight(question.text)
        sentence = most_specific_sentence(broker.view, prompt) if weight else ""
        if not weight or question.text not in (prompt, sentence):
            return None
        ticket = SimilarityRequest(sentence, tuple(bins), self._due[1])
        if self._patience is None:
            self._answer(ticket)
        else:
            self._asked.put(ticket)
        weight *= len(sentence) / len(question.text)
        self._last = SemanticComparison(broker, question, ticket, bins, weight=weight, limit=limit)
        return self._last

    def _worth_waiting(self) -> float:
        """Seconds: none when the last few came too late, until one of them would have been in time."""
        took, patience = self._took, self._patience or 0.0
        return 0.0 if len(took) == _RECENT_TIMINGS and min(took) > patience else patience

    def of(self, question: AnalyzedQuery) -> SemanticComparison | None:
        """What was begun last, when it was this question."""
        return self._last if self._last is not None and self._last.question is question else None

    def warm(self) -> None:
        """Load the model, and see how fast it is here, before somebody asks; the worker does, for its speed
        is what counts.
        """
        self._asked.put(None)

    # ---- the worker

    def _work(self) -> None:
        while True:
            waiting = [self._asked.get()]
            while not self._asked.empty():
                waiting.append(self._asked.get())
            if None in waiting:
                self._warm_up()
            tickets = [ticket for ticket in waiting if ticket is not None]
            if tickets:  # who asked earlier waits no more
                self._answer(tickets[-1])

    def _warm_up(self) -> None:
        try:
            self._model.get().limit_query_time(_ENCODING)
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"

    def _answer(self, ticket: SimilarityRequest) -> None:
        """Nobody may be stopped by what goes wrong here: words answer, too."""
        try:
            table = self._opened()
            other = self._model.mem0(self._directory) if table and self._directory else None
            if other is not None:
                ticket.ranked_hits = other.search(ticket.text, ticket.bins, _RANKED)
            elif table is not None:
                ticket.similarities = table.compare(self._vector(ticket.text), ticket.bins)
            self.problem = None
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"
            self._directory = None
        ticket.is_ready.set()

    def _vector(self, text: str) -> Any:
        found = self._vectors.pop(text, None)
        if found is None:
            started = time.monotonic()
            found = self._model.get().question(text)
            self._took.append(time.monotonic() - started)
        self._vectors[text] = found
        if len(self._vectors) > _HELD:
            self._vectors.popitem(last=False)
        return found

    def _opened(self) -> VectorTable | None:
        """The table of the generation in force, when there is one."""
        directory = generation.current_generation(self._place)
        if directory is None or not (directory / NAME).exists():
            return None
        if directory != self._directory:
            if self._table is not None:
                self._table.close()
            self._table = VectorTable(directory, self._model.get(), make=False)
            self._directory = directory
        return self._table


def enable_semantic_for_evaluation(broker: "Broker", model: SharedEncoder) -> None:
    """Encode everything that a store has, and let its recall use it: nobody waits, so nothing is late.

    Raises HookloreError, or ImportError without the extra.
    """
    from hooklore.retrieval.semantic.vector_indexing import VectorIndexer

    encoding = VectorIndexer(broker.place, model)
    try:
        encoding.all()
    finally:
        encoding.close()
    if broker.semantic is None:
        broker.semantic = SemanticSearch(broker.place, model, patience=None)
