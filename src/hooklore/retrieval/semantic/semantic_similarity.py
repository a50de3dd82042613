"""Compare one question with the records of a reader: which are nearest, and which memory leads."""

import threading
import time
from collections.abc import Collection, Mapping, Sequence

from hooklore.broker.principal_reader import Reader
from hooklore.broker.visible_prefix import take_visible
from hooklore.index import words
from hooklore.index.backend import Hits
from hooklore.index.vectors import Cosines, vector_key
from hooklore.records.record import Record
from hooklore.retrieval.near_duplicates import is_near_duplicate
from hooklore.retrieval.relevance.semantic_gate import SemanticSimilarity
from hooklore.retrieval.semantic import weights
from hooklore.retrieval.semantic.rank_fusion import RANK_CONSTANT, fuse_rankings

ScoredRecords = list[tuple[float, Record]]

_FUSED_SCALE = 1_000.0
"""Turns reciprocal ranks into numbers as large as our scores: the first has 16."""


class SimilarityRequest:
    """A question to the worker, and the similarities of all vectors to it once they are known.

    `ranked_hits` are those of mem0's index, where that answers instead of our table.
    """

    def __init__(self, text: str, bins: Sequence[str], deadline: float) -> None:
        """`deadline` is the monotonic time until which somebody waits for the answer."""
        self.text, self.bins, self.deadline = text, bins, deadline
        self.similarities: Cosines | None = None
        self.ranked_hits: Hits | None = None
        self.is_ready = threading.Event()

    def wait(self) -> bool:
        """Return whether the answer comes before the deadline."""
        return self.is_ready.wait(max(0.0, self.deadline - time.monotonic()))


class SemanticComparison:
    """The similarity in meaning of one question to the records of a reader.

    The vector of the question is made meanwhile: the first method that needs it waits for it.
    """

    def __init__(
        self, reader: Reader, request: SimilarityRequest, bins: Mapping[str, float],
        *, weight: float, limit: int,
    ) -> None:  # fmt: skip
        """`weight` is that of one step of similarity, `limit` the length of the list that is made."""
        self._reader = reader
        self._request = request
        self._bins = bins
        self._weight = weight
        self._nearest_count = weights.NEAREST_POOL_FACTOR * limit
        self._memories: ScoredRecords = []
        self.pool = weights.LEXICAL_POOL_FACTOR * limit

    def merge_hits(self, found: ScoredRecords, before: int | None) -> ScoredRecords:
        """Return (score, record) of lexical hits and of the nearest records, both scores added.

        Return `found` itself when the vector comes too late. `before` is the position in the log up to
        which records count.
        """
        in_time, cosines = self._request.wait(), self._request.similarities
        if in_time and self._request.ranked_hits is not None:
            return self._fuse(found, self._request.ranked_hits, before)
        if not in_time or cosines is None:
            return found
        known = cosines.of([vector_key(record.id) for _, record in found])
        average = sum(map(weights.cosine_to_steps, known.values())) / max(1, len(known))
        nearest = self._nearest(cosines, before, self._nearest_count)
        seen = [(known[k], r) for _, r in found if (k := vector_key(r.id)) in known]
        scores = {r.id: (s, r) for s, r in found}
        for cosine, record in nearest:
            known[vector_key(record.id)] = cosine
            scores.setdefault(record.id, (0.0, record))
        self._compare_memories([*seen, *nearest], cosines, before)
        return [(s + self._added_score(r, known, average), r) for s, r in scores.values()]

    def nearest_memory(self) -> Record | None:
        """Return the memory that is nearest to the question, None before `merge_hits` or without any."""
        return self._memories[0][1] if self._memories else None

    def similarity_to(self, record: Record) -> SemanticSimilarity | None:
        """Return how near a memory is, None for another record or a memory without a vector (yet)."""
        own = next((cosine for cosine, r in self._memories if r.id == record.id), None)
        if own is None:
            return None
        terms_of = self._reader.terms_of
        terms = terms_of(record)
        rivals = (c for c, r in self._memories if not is_near_duplicate(terms, terms_of(r)))
        lead = own - next(rivals, weights.UNRELATED_COSINE)
        is_foreign = weights.has_cjk(self._request.text) != weights.has_cjk(
            words.record_text(record)
        )
        return SemanticSimilarity(
            weights.cosine_to_steps(own), lead / weights.COSINE_STEP, is_foreign
        )

    def _compare_memories(self, seen: ScoredRecords, cosines: Cosines, before: int | None) -> None:
        """Keep the memories among `seen`, and the nearest memories of all.

        The same prompt of other days is nearer than any memory, and must not hide that two memories are
        equally near.
        """
        bins = [name for name in self._bins if words.is_bin_of_memories(name)]
        rivals = self._nearest(cosines, before, weights.MIN_COMPARED_MEMORIES, bins)
        memories = {r.id: (c, r) for c, r in (*seen, *rivals) if r.stream == "memory"}
        self._memories = sorted(memories.values(), key=lambda hit: -hit[0])

    def _fuse(self, found: ScoredRecords, ranked: Hits, before: int | None) -> ScoredRecords:
        """Return lexical hits and mem0's, fused by rank because the scores of mem0 are of another kind.

        The ranks become scores that the gates can compare.
        """
        earlier = (position for _, position in ranked if before is None or position < before)
        visible = [r for p in earlier if (r := self._reader.record_at(p)) is not None]
        theirs = visible[: self._nearest_count]
        ours = [record for _, record in found]
        records = {r.id: r for r in (*ours, *theirs)}
        order = fuse_rankings([[r.id for r in ours], [r.id for r in theirs]])
        return [
            (_FUSED_SCALE / (RANK_CONSTANT + rank), records[id_])
            for rank, id_ in enumerate(order, 1)
        ]

    def _nearest(
        self,
        cosines: Cosines,
        before: int | None,
        limit: int,
        bins: Collection[str] | None = None,
    ) -> ScoredRecords:
        """Return the `limit` nearest records in force that the reader may see, with their cosines."""

        def find(count: int) -> list[tuple[float, Record | None]]:
            hits = cosines.nearest(count, before, bins)
            return [(cosine, self._reader.record_at(position)) for cosine, position in hits]

        visible = take_visible(find, limit, lambda hit: hit[1] is not None)
        return [(cosine, record) for cosine, record in visible if record is not None]

    def _added_score(self, record: Record, known: Mapping[int, float], average: float) -> float:
        """Return what the similarity of a record adds, the average for a record without a vector (yet)."""
        cosine = known.get(vector_key(record.id))
        bin_weight = self._bins.get(words.bin_name(record), 1.0)
        steps = average if cosine is None else weights.cosine_to_steps(cosine)
        return self._weight * bin_weight * steps
