"""Recall by meaning beside recall by words: a question's vector, made while the words are looked up.

Only the resident and the evaluation have it (extra `[semantic]`). Whoever asks waits `PATIENCE` at most
and goes on without.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from hooklore.broker.asked import Asked
from hooklore.broker.duplicates import alike
from hooklore.broker.readable import readable
from hooklore.config import Place
from hooklore.index import generation, words
from hooklore.index.backend import Backend, Hits
from hooklore.index.encoder import Encoder
from hooklore.index.question import Question
from hooklore.index.vectors import NAME, Cosines, VectorTable, key_of
from hooklore.model.draft import Principal
from hooklore.policy import dense, gate
from hooklore.policy.asks import asks
from hooklore.policy.fusion import K, fused
from hooklore.policy.meaning_gate import Nearness

if TYPE_CHECKING:
    from hooklore.broker.broker import Broker

Fields = dict[str, Any]
Found = list[tuple[float, Fields]]

PATIENCE = 0.02
"""Seconds that a question's vector may take before it is left out."""

_ENCODING = 0.0145
"""Of them for the encoder: the rest is for comparing. With 20 / 14 / 10 tokens of a question `tests/samesubject` is
right on .67 / .61 / .56; with 20 / 10 / 8, jsquad R@1 and R@5 are .893 .966 / .890 .964 / .891 .960."""

_HELD = 64
_LATELY = 3
_RANKED = 100
_FUSED = 1_000.0
"""What makes of ranks numbers as large as ours are: the first has 16."""

_RAREST = 12


class Model:
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


class Semantic:
    """Answers how near a store's records are to a question."""

    def __init__(self, place: Place, model: Model, *, patience: float | None = PATIENCE) -> None:
        """`patience` is None where nobody waits: then everything is done in the asker's thread."""
        self._place = place
        self._model = model
        self._patience = patience
        self._table: VectorTable | None = None
        self._directory: Path | None = None
        self._vectors: OrderedDict[str, Any] = OrderedDict()
        self._asked: SimpleQueue[Ticket | None] = SimpleQueue()
        self._last: Near | None = None
        self._due: tuple[Asked | None, float] = (None, 0.0)
        self._took: deque[float] = deque(maxlen=_LATELY)
        self.problem: str | None = None
        if patience is not None:
            threading.Thread(target=self._work, name="meaning", daemon=True).start()

    def prepare(self, broker: "Broker", prompt: str) -> None:
        """Begin with a prompt's vector while the prompt is still being recorded."""
        if dense.weight(prompt) and self._worth_waiting():
            self._asked.put(Ticket(_most_specific(broker, prompt), (), 0.0))

    def begin(
        self, broker: "Broker", question: Question, asked: Asked, bins: Mapping[str, float],
        limit: int,
    ) -> "Near | None":  # fmt: skip
        """Begin to compare, for a list of so many; None when a question is looked up by its words alone.

        Of a prompt only the most specific sentence has a vector, for a token takes a millisecond. However
        often one prompt is looked up, its asker waits `PATIENCE` in all.
        """
        self._last, prompt = None, asked.text
        if asked is not self._due[0]:
            self._due = asked, time.monotonic() + self._worth_waiting()
        weight = dense.weight(question.text)
        sentence = _most_specific(broker, prompt) if weight else ""
        if not weight or question.text not in (prompt, sentence):
            return None
        ticket = Ticket(sentence, tuple(bins), self._due[1])
        if self._patience is None:
            self._answer(ticket)
        else:
            self._asked.put(ticket)
        self._last = Near(broker, question, ticket, bins, weight=weight, limit=limit)
        return self._last

    def _worth_waiting(self) -> float:
        """Seconds: none when the last few came too late, until one of them would have been in time."""
        took, patience = self._took, self._patience or 0.0
        return 0.0 if len(took) == _LATELY and min(took) > patience else patience

    def of(self, question: Question) -> "Near | None":
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
            self._model.get().keep_within(_ENCODING)
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"

    def _answer(self, ticket: "Ticket") -> None:
        """Nobody may be stopped by what goes wrong here: words answer, too."""
        try:
            table = self._opened()
            other = self._model.mem0(self._directory) if table and self._directory else None
            if other is not None:
                ticket.ranked = other.search(ticket.text, ticket.bins, _RANKED)
            elif table is not None:
                ticket.cosines = table.compare(self._vector(ticket.text), ticket.bins)
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
        directory = generation.current(self._place)
        if directory is None or not (directory / NAME).exists():
            return None
        if directory != self._directory:
            if self._table is not None:
                self._table.close()
            self._table = VectorTable(directory, self._model.get(), make=False)
            self._directory = directory
        return self._table


class Ticket:
    """One question to the worker, and how near everything is to it when that is known."""

    def __init__(self, text: str, bins: Sequence[str], until: float) -> None:
        self.text, self.bins, self.until = text, bins, until
        self.cosines: Cosines | None = None
        self.ranked: Hits | None = None
        self.is_ready = threading.Event()

    def wait(self) -> bool:
        """Whether the answer comes in time."""
        return self.is_ready.wait(max(0.0, self.until - time.monotonic()))


class Near:
    """One question's nearness to what its reader may see."""

    def __init__(
        self, broker: "Broker", question: Question, ticket: Ticket, bins: Mapping[str, float],
        *, weight: float, limit: int,
    ) -> None:  # fmt: skip
        self.question = question
        self._broker = broker
        self._ticket = ticket
        self._bins = bins
        self._weight = weight
        self.pool, self._most = dense.POOL * limit, dense.NEAREST * limit
        self._memories: list[tuple[float, Fields]] = []

    def joined(self, found: Found, who: Principal, before: int | None) -> Found:
        """(score, record) of what words found and of what is nearest, their sums; `found` itself when
        the vector comes too late.
        """
        in_time, cosines = self._ticket.wait(), self._ticket.cosines
        if in_time and self._ticket.ranked is not None:
            return self._fused(found, self._ticket.ranked, who, before)
        if not in_time or cosines is None:
            return found
        known = cosines.of([key_of(record["id"]) for _, record in found])
        usual = sum(map(dense.steps, known.values())) / max(1, len(known))
        nearest = self._nearest(cosines, who, before, self._most)
        seen = [(known[k], r) for _, r in found if (k := key_of(r["id"])) in known]
        scores = {r["id"]: (s, r) for s, r in found}
        for cosine, record in nearest:
            known[key_of(record["id"])] = cosine
            scores.setdefault(record["id"], (0.0, record))
        self._compare_memories([*seen, *nearest], cosines, who, before)
        return [(s + self._added(r, known, usual), r) for s, r in scores.values()]

    def _compare_memories(
        self, seen: Found, cosines: Cosines, who: Principal, before: int | None
    ) -> None:
        """The memories among what was seen, and the nearest of all: the same prompt of other days, which is
        nearer than any, must not hide that two memories are as near as each other.
        """
        bins = [name for name in self._bins if words.is_bin_of_memories(name)]
        rivals = self._nearest(cosines, who, before, dense.RIVALS, bins)
        held = {r["id"]: (c, r) for c, r in (*seen, *rivals) if r["stream"] == "memory"}
        self._memories = sorted(held.values(), key=lambda hit: -hit[0])

    def _fused(self, found: Found, ranked: Hits, who: Principal, before: int | None) -> Found:
        """By ranks, for mem0's scores are of another kind; as scores that the gate can compare."""
        view, broker = self._broker.view, self._broker
        earlier = (pos for _, pos in ranked if before is None or pos < before)
        theirs = [r for pos in earlier if (r := view.record_at(pos)) is not None]
        theirs = [r for r in theirs if broker.is_in_force(r, who)][: self._most]
        ours = [record for _, record in found]
        records = {r["id"]: r for r in (*ours, *theirs)}
        order = fused([[r["id"] for r in ours], [r["id"] for r in theirs]])
        return [(_FUSED / (K + rank), records[id_]) for rank, id_ in enumerate(order, 1)]

    def _nearest(
        self,
        cosines: Cosines,
        who: Principal,
        before: int | None,
        most: int,
        bins: Collection[str] | None = None,
    ) -> Found:
        """What is hidden must not crowd out what is not: more are looked at until there are enough."""
        view = self._broker.view

        def look(count: int) -> Found:
            hits = cosines.nearest(count, before, bins)
            return [(c, r) for c, pos in hits if (r := view.record_at(pos)) is not None]

        def may_see(hit: tuple[float, Fields]) -> bool:
            return self._broker.is_in_force(hit[1], who)

        return readable(look, most, may_see)

    def _added(self, record: Fields, known: Mapping[int, float], usual: float) -> float:
        """What has no vector (yet) counts as much as the others do on average."""
        cosine = known.get(key_of(record["id"]))
        worth = self._bins.get(words.bin_of(record), 1.0)
        return self._weight * worth * (usual if cosine is None else dense.steps(cosine))

    def first(self, may_show: Callable[[Fields], bool]) -> Fields | None:
        """The memory that is nearest, if it may be shown."""
        nearest = self._memories[0][1] if self._memories else None
        return nearest if nearest is not None and may_show(nearest) else None

    def to(self, record: Fields) -> Nearness | None:
        """How near a memory is; None of what is no memory, or has no vector (yet)."""
        own = next((cosine for cosine, r in self._memories if r["id"] == record["id"]), None)
        if own is None:
            return None
        terms_of = self._broker.view.terms_of
        same = terms_of(record)
        rest = (c for c, r in self._memories if not alike(same, terms_of(r)))
        lead = own - next(rest, dense.MIDDLE)
        is_foreign = dense.has_cjk(self._ticket.text) != dense.has_cjk(words.record_text(record))
        return Nearness(dense.steps(own), lead / dense.SPREAD, is_foreign)


def _most_specific(broker: "Broker", prompt: str) -> str:
    """The question of a prompt, or the sentence with the rarest words: what is asked stands behind its reasons.

    Of 55 prompts of `tests/samesubject` with more than one sentence it is 42 times the one that matters; by
    rare words alone 30 times.
    """
    parts = gate.sentences(prompt) or [prompt]
    if len(parts) == 1:
        return parts[0]
    view = broker.view

    def told(part: str) -> tuple[bool, float]:
        rare = sorted((view.idf(term) for term in view.terms(part)), reverse=True)
        return asks(part, prompt), sum(rare[:_RAREST])

    return max(parts, key=told)


def for_evaluation(broker: "Broker", model: Model) -> None:
    """Encode everything that a store has, and let its recall use it: nobody waits, so nothing is late.

    Raises HookloreError, or ImportError without the extra.
    """
    from hooklore.broker.encoding import Encoding

    encoding = Encoding(broker.place, model)
    try:
        encoding.all()
    finally:
        encoding.close()
    if broker.semantic is None:
        broker.semantic = Semantic(broker.place, model, patience=None)
