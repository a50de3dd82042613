"""One question's nearness to what its reader may see: what is nearest, and which memory leads."""

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from hooklore.broker.visible_prefix import take_visible
from hooklore.index import words
from hooklore.index.backend import Hits
from hooklore.index.question import AnalyzedQuery
from hooklore.index.vectors import Cosines, vector_key
from hooklore.records.draft import Principal
from hooklore.records.record import Record
from hooklore.retrieval.near_duplicates import is_near_duplicate
from hooklore.retrieval.relevance.semantic_gate import SemanticSimilarity
from hooklore.retrieval.semantic import weights
from hooklore.retrieval.semantic.rank_fusion import RANK_CONSTANT, fuse_rankings

if TYPE_CHECKING:
    from hooklore.broker.broker import Broker

ScoredRecords = list[tuple[float, Record]]

_FUSED = 1_000.0
"""What makes of ranks numbers as large as ours are: the first has 16."""


class SimilarityRequest:
    """One question to the worker, and how near everything is to it when that is known."""

    def __init__(self, text: str, bins: Sequence[str], until: float) -> None:
        self.text, self.bins, self.until = text, bins, until
        self.similarities: Cosines | None = None
        self.ranked_hits: Hits | None = None
        self.is_ready = threading.Event()

    def wait(self) -> bool:
        """Whether the answer comes in time."""
        return self.is_ready.wait(max(0.0, self.until - time.monotonic()))


class SemanticComparison:
    """One question's nearness to what its reader may see."""

    def __init__(
        self, broker: "Broker", question: AnalyzedQuery, ticket: SimilarityRequest, bins: Mapping[str, float],
        *, weight: float, limit: int,
    ) -> None:  # fmt: skip
        self.question = question
        self._broker = broker
        self._ticket = ticket
        self._bins = bins
        self._weight = weight
        self.pool, self._most = (
            weights.LEXICAL_POOL_FACTOR * limit,
            weights.NEAREST_POOL_FACTOR * limit,
        )
        self._memories: list[tuple[float, Record]] = []

    def merge_hits(self, found: ScoredRecords, who: Principal, before: int | None) -> ScoredRecords:
        """(score, record) of what words found and of what is nearest, their sums; `found` itself when
        the vector comes too late.
        """
        in_time, cosines = self._ticket.wait(), self._ticket.similarities
        if in_time and self._ticket.ranked_hits is not None:
            return self._fused(found, self._ticket.ranked_hits, who, before)
        if not in_time or cosines is None:
            return found
        known = cosines.of([vector_key(record.id) for _, record in found])
        usual = sum(map(weights.cosine_to_steps, known.values())) / max(1, len(known))
        nearest = self._nearest(cosines, who, before, self._most)
        seen = [(known[k], r) for _, r in found if (k := vector_key(r.id)) in known]
        scores = {r.id: (s, r) for s, r in found}
        for cosine, record in nearest:
            known[vector_key(record.id)] = cosine
            scores.setdefault(record.id, (0.0, record))
        self._compare_memories([*seen, *nearest], cosines, who, before)
        return [(s + self._added(r, known, usual), r) for s, r in scores.values()]

    def _compare_memories(
        self, seen: ScoredRecords, cosines: Cosines, who: Principal, before: int | None
    ) -> None:
        """The memories among what was seen, and the nearest of all: the same prompt of other days, which is
        nearer than any, must not hide that two memories are as near as each other.
        """
        bins = [name for name in self._bins if words.is_bin_of_memories(name)]
        rivals = self._nearest(cosines, who, before, weights.MIN_COMPARED_MEMORIES, bins)
        held = {r.id: (c, r) for c, r in (*seen, *rivals) if r.stream == "memory"}
        self._memories = sorted(held.values(), key=lambda hit: -hit[0])

    def _fused(
        self, found: ScoredRecords, ranked: Hits, who: Principal, before: int | None
    ) -> ScoredRecords:
        """By ranks, for mem0's scores are of another kind; as scores that the gate can compare."""
        view, broker = self._broker.view, self._broker
        earlier = (pos for _, pos in ranked if before is None or pos < before)
        theirs = [r for pos in earlier if (r := view.record_at(pos)) is not None]
        theirs = [r for r in theirs if broker.is_in_force(r, who)][: self._most]
        ours = [record for _, record in found]
        records = {r.id: r for r in (*ours, *theirs)}
        order = fuse_rankings([[r.id for r in ours], [r.id for r in theirs]])
        return [
            (_FUSED / (RANK_CONSTANT + rank), records[id_]) for rank, id_ in enumerate(order, 1)
        ]

    def _nearest(
        self,
        cosines: Cosines,
        who: Principal,
        before: int | None,
        most: int,
        bins: Collection[str] | None = None,
    ) -> ScoredRecords:
        """What is hidden must not crowd out what is not: more are looked at until there are enough."""
        view = self._broker.view

        def look(count: int) -> ScoredRecords:
            hits = cosines.nearest(count, before, bins)
            return [(c, r) for c, pos in hits if (r := view.record_at(pos)) is not None]

        def may_see(hit: tuple[float, Record]) -> bool:
            return self._broker.is_in_force(hit[1], who)

        return take_visible(look, most, may_see)

    def _added(self, record: Record, known: Mapping[int, float], usual: float) -> float:
        """What has no vector (yet) counts as much as the others do on average."""
        cosine = known.get(vector_key(record.id))
        worth = self._bins.get(words.bin_name(record), 1.0)
        return self._weight * worth * (usual if cosine is None else weights.cosine_to_steps(cosine))

    def first(self, may_show: Callable[[Record], bool]) -> Record | None:
        """The memory that is nearest, if it may be shown."""
        nearest = self._memories[0][1] if self._memories else None
        return nearest if nearest is not None and may_show(nearest) else None

    def similarity_to(self, record: Record) -> SemanticSimilarity | None:
        """How near a memory is; None of what is no memory, or has no vector (yet)."""
        own = next((cosine for cosine, r in self._memories if r.id == record.id), None)
        if own is None:
            return None
        terms_of = self._broker.view.terms_of
        same = terms_of(record)
        rest = (c for c, r in self._memories if not is_near_duplicate(same, terms_of(r)))
        lead = own - next(rest, weights.UNRELATED_COSINE)
        is_foreign = weights.has_cjk(self._ticket.text) != weights.has_cjk(
            words.record_text(record)
        )
        return SemanticSimilarity(
            weights.cosine_to_steps(own), lead / weights.COSINE_STEP, is_foreign
        )
