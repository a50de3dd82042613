"""Compare one question with the records of a reader: which are nearest, and which memories."""

import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence

from hooklore.broker.principal_reader import Reader
from hooklore.index import words
from hooklore.index.backend import Hits
from hooklore.index.vectors import Cosines, vector_key
from hooklore.records.record import Record
from hooklore.records.visible_prefix import DEPTH_AROUND, MOST_RESULTS, take_visible
from hooklore.retrieval.near_duplicates import is_near_duplicate, text_terms
from hooklore.retrieval.relevance.lexical_threshold import SemanticSimilarity
from hooklore.retrieval.semantic import weights

ScoredRecords = list[tuple[float, Record]]

_RANK_CONSTANT = 60
"""Larger constants reduce the advantage of the first places (Cormack et al. 2009)."""

_FUSED_SCALE = 1_000.0
"""Turns reciprocal ranks into numbers as large as our scores: the first has 16."""


class SimilarityRequest:
    """Sentences of a query to the worker, and the similarities of all vectors to them once they are known.

    `similarities` are those of the first of `texts`, as many as there was time for. `ranked_hits` are those
    of mem0's index, where that answers instead of our table.
    """

    def __init__(self, texts: Sequence[str], bins: Iterable[str], deadline: float) -> None:
        """`deadline` is the monotonic time until which somebody waits for the answer."""
        self.texts, self.bins, self.deadline = tuple(texts), tuple(bins), deadline
        self.similarities: list[Cosines] = []
        self.ranked_hits: Hits | None = None
        self.is_ready = threading.Event()

    def cosines_of(self, part: str | None) -> Cosines | None:
        """Return the similarities to one sentence, or to the nearest of all, None where there are none."""
        known = self.similarities
        if part is None:
            return Cosines.maximum(known) if known else None
        place = self.texts.index(part)
        return known[place] if place < len(known) else None

    def wait(self) -> bool:
        """Return whether the answer comes before the deadline."""
        return self.is_ready.wait(max(0.0, self.deadline - time.monotonic()))


class SemanticComparison:
    """The similarity in meaning of one question to the records of a reader.

    The vector of the question is made meanwhile: the first method that needs it waits for it.
    """

    def __init__(
        self, reader: Reader, request: SimilarityRequest, bins: Mapping[str, float],
        *, part: str | None, weight: float, limit: int,
    ) -> None:  # fmt: skip
        """`part` is the sentence that is compared, None for the nearest of all.

        `weight` is that of one step of similarity, `limit` the length of the list that is made.
        """
        self._part = part
        self._reader = reader
        self._request = request
        self._bins = bins
        self._weight = weight
        self._nearest_count = weights.NEAREST_POOL_FACTOR * limit
        self._nearest_memories: ScoredRecords = []
        self._cosines: dict[str, float] = {}
        self.pool = weights.LEXICAL_POOL_FACTOR * limit

    def merge_hits(self, found: ScoredRecords, before: int | None) -> ScoredRecords:
        """Return (score, record) of lexical hits and of the nearest records, both scores added.

        Return `found` itself when the vector comes too late. `before` is the position in the log up to
        which records count.
        """
        if not self._request.wait():
            return found
        if self._request.ranked_hits is not None:
            return self._fuse(found, self._request.ranked_hits, before)
        cosines = self._request.cosines_of(self._part)
        if cosines is None:
            return found
        known = cosines.of([vector_key(record.id) for _, record in found])
        average = sum(map(weights.cosine_to_steps, known.values())) / max(1, len(known))
        nearest = self._nearest(cosines, before, self._nearest_count)
        seen = [(known[k], r) for _, r in found if (k := vector_key(r.id)) in known]
        scores = {r.id: (s, r) for s, r in found}
        for cosine, record in nearest:
            known[vector_key(record.id)] = cosine
            scores.setdefault(record.id, (0.0, record))
        # Memories are judged by their cosines: those that were seen, and the nearest of all.
        bins = [name for name in self._bins if words.is_bin_of_memories(name)]
        self._nearest_memories = self._nearest(cosines, before, weights.COMPARED_MEMORIES, bins)
        compared = (*seen, *nearest, *self._nearest_memories)
        self._cosines = {r.id: cosine for cosine, r in compared if r.stream == "memory"}
        merged: ScoredRecords = []
        for score, record in scores.values():
            own = known.get(vector_key(record.id))
            # The average for a record without a vector (yet).
            steps = average if own is None else weights.cosine_to_steps(own)
            bin_weight = self._bins.get(words.bin_name(record), 1.0)
            merged.append((score + self._weight * bin_weight * steps, record))
        return merged

    def nearest_memories(self) -> list[Record]:
        """Return the memories nearest to the question, none before `merge_hits`."""
        return [record for _, record in self._nearest_memories[: weights.NEAREST_MEMORIES]]

    def similarity_to(self, record: Record) -> SemanticSimilarity | None:
        """Return how near a memory is, None for another record or a memory without a vector (yet)."""
        own = self._cosines.get(record.id)
        if own is None:
            return None
        lead, asked = 0.0, self._part or " ".join(self._request.texts)
        # Where one of the two alone is in Chinese or Japanese: how much nearer it is than any other memory that is
        # no near-duplicate.
        if weights.has_cjk(asked) != weights.has_cjk(record.body.content_md or ""):
            terms = text_terms(self._reader, record)
            rivals = (
                cosine
                for cosine, other in self._nearest_memories
                if not is_near_duplicate(terms, text_terms(self._reader, other))
            )
            lead = max(0.0, own - next(rivals, weights.UNRELATED_COSINE))
        return SemanticSimilarity(weights.cosine_to_steps(own), lead / weights.COSINE_STEP)

    def _fuse(self, found: ScoredRecords, ranked: Hits, before: int | None) -> ScoredRecords:
        """Return lexical hits and mem0's, whose scores are of another kind: ranks become scores to compare."""
        if self._part not in (None, self._request.texts[0]):  # mem0 was asked for one sentence
            return found
        earlier = (position for _, position in ranked if before is None or position < before)
        visible = [r for p in earlier if (r := self._reader.record_at(p)) is not None]
        fused = fuse_rankings([r for _, r in found], visible[: self._nearest_count])
        return [(_FUSED_SCALE / (_RANK_CONSTANT + n), record) for n, record in enumerate(fused, 1)]

    def _nearest(
        self,
        cosines: Cosines,
        before: int | None,
        limit: int,
        bins: Collection[str] | None = None,
    ) -> ScoredRecords:
        """Return the `limit` nearest records in force that the reader may see, with their cosines."""
        names = {f"memory|{project}" for project in self._reader.principal.around}
        if not names:
            return self._nearest_in(cosines, before, limit, bins)
        chosen = self._bins if bins is None else bins
        own = [name for name in chosen if name not in names]
        around = [name for name in chosen if name in names]
        found = self._nearest_in(cosines, before, limit, own)
        found += self._nearest_in(cosines, before, limit, around, DEPTH_AROUND * limit)
        return sorted(found, key=lambda hit: -hit[0])[:limit]

    def _nearest_in(
        self,
        cosines: Cosines,
        before: int | None,
        limit: int,
        bins: Collection[str] | None,
        most: int = MOST_RESULTS,
    ) -> ScoredRecords:
        def find(count: int) -> list[tuple[float, Record | None]]:
            hits = cosines.nearest(count, before, bins)
            return [(cosine, self._reader.record_at(position)) for cosine, position in hits]

        visible = take_visible(find, limit, lambda hit: hit[1] is not None, most)
        return [(cosine, record) for cosine, record in visible if record is not None]


def fuse_rankings(*lists: Iterable[Record]) -> list[Record]:
    """Return the records of ranked lists by reciprocal rank (seed 002 §4): by their sum of 1 / (60 + rank).

    Of two with the same sum the newer goes first. Our own lists are added score by score: fusion throws the
    gaps away and costs .04 of R@5. A foreign index gives ranks that carry no more than that.
    """
    sums: dict[str, float] = {}
    records: dict[str, Record] = {}
    for ranked in lists:
        once = {record.id: record for record in ranked}
        for rank, id_ in enumerate(once, 1):
            sums[id_] = sums.get(id_, 0.0) + 1 / (_RANK_CONSTANT + rank)
        records |= once
    by_age = sorted(sums, reverse=True)
    return [records[id_] for id_ in sorted(by_age, key=lambda id_: -round(sums[id_], 12))]
