"""The log for one reader: the active generation of the index, and the tail that the index lacks."""

import math
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

import tantivy

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable
from hooklore.index import generation, words
from hooklore.index.catalog import Catalog, Stat, Watermark
from hooklore.index.lookup_cache import LookupCache
from hooklore.index.memories import memory_line_key
from hooklore.index.question import AnalyzedQuery
from hooklore.index.record_keys import has_key, key_hash, record_keys
from hooklore.index.tail import Tail
from hooklore.index.text import CONVERSATION_BOOST, MAX_QUERY_TERMS, TextIndex
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.records.record import Record

Answer = TypeVar("Answer")

TAIL_RECORDS = 5_000
"""Records kept in memory of a log without an index: enough for every retry of a delivery."""

_TAIL_BYTES = 8 * 1024 * 1024
_RETRY_SECONDS = 2.0
_MAX_QUESTIONS = 16
"""Texts whose terms are kept: the sentences of one prompt are asked for several times."""

_REPEATED = ("memory:", "ran:", "error:", "branch:", "answer:")
"""Keys whose records are read again and again, though new ones come."""

_UNCHECKED = ("memory:", "ran:")
"""Keys of so many records that the keys of each are not computed again to notice a collision."""


class View:
    """Index and tail as one. A view belongs to one thread at a time."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self.when_replaced: Callable[[], None] = lambda: None  # to forget what else was read
        self._reader = LogReader(place)
        self._catalog: Catalog | None = None
        self._text: TextIndex | None = None
        self._analyzer: tantivy.TextAnalyzer | None = None
        self._stamp: tuple[int, int] | None = None
        self._end = 0
        self._covered_from = 0
        self._last: tuple[int, str] | None = None
        self._retry_at = 0.0
        self._pointer = str(generation.index_directory(place) / "current")
        self._segments = str(files.segment_directory(place))
        self._files: tuple[int, int] | None = None
        self._open_segment = (0, 0)
        self._cache = LookupCache()
        self._questions: dict[str, AnalyzedQuery] = {}
        self._curated = 0
        self.tail = Tail()
        self.watermark = Watermark()
        self.last_id: str | None = None
        self.problem: str | None = None

    def refresh(self) -> None:
        """Open the active generation if another is active, see its latest commit, and read the log's new end.

        Everything known of a log that was replaced is forgotten first. Raise `StoreUnreadable` if the log cannot
        be read. An unusable index is left out, `problem` says why, and the tail still answers.
        """
        if self._last is not None and not self._reader.holds(*self._last):
            # The log was restored or removed, or a failed flush removed lines that were read already.
            self.when_replaced()
            self._stamp, self.watermark, self.last_id = (-1, -1), Watermark(), None
            self._end, self.tail, self._last = 0, Tail(), None
            self._cache.clear()
        self._open_current()
        self._follow_commits()
        self._follow_rewrites()
        if self.watermark.pos < self._covered_from:
            self._cache.clear()
            self._end, self.tail = 0, Tail()  # an older index, or none: read on from its end
        self.catch_up()

    def catch_up(self) -> None:
        """Read the records that other processes appended since."""
        inode, size = self._log_now()
        segment, offset = files.split_position(self._end)
        if offset == size > 0 and self._open_segment == (segment, inode):
            return
        start = max(self._end, self.watermark.pos)
        if self._end == 0:
            self._covered_from = start
            start = max(start, self._bounded_start())
        for line in self._reader.lines(start):
            record = decode_line(line.raw)
            if record is not None:
                self.append_to_tail(line.pos, line.end, record)
            self._end = line.end
        self._end = max(self._end, start)
        self._open_segment = (files.split_position(self._end)[0], inode)

    def append_to_tail(self, pos: int, end: int, record: Record) -> None:
        """Add a record at the log's end to the tail."""
        self._cache.invalidate(self.tail.add(pos, record))
        if record.stream == "memory" or (record.stream == "control" and record.kind != "access"):
            self._curated += 1
        self.last_id = max(self.last_id or "", record.id)
        self._end, self._last = end, (pos, record.id)

    @property
    def revision(self) -> str:
        """A mark that changes whenever the memories in force may have changed, but for those that expire."""
        return f"{self._cache.clearings}.{self._curated}"

    @property
    def end(self) -> int:
        """The position up to which the log is known."""
        return self._end

    @property
    def lag(self) -> int:
        """The number of records that the index lacks, as far as the tail knows."""
        return len(self.tail)

    def count_unindexed(self) -> int:
        """Return the number of lines behind the index's watermark, also of those that the tail left out."""
        return sum(1 for _ in self._reader.lines(self.watermark.pos))

    def lookup(self, key: str, limit: int = 100) -> list[Record]:
        """Return records under an exact key, newest first."""
        return self._cache.lookup(key, limit, lambda: self._lookup(key, limit))

    def _lookup(self, key: str, limit: int) -> list[Record]:
        found = []
        is_memory_key, is_repeated = key.startswith("memory:"), key.startswith(_REPEATED)
        for pos in (self._heads if is_memory_key else self._positions)(key_hash(key), limit):
            record = self._cache.record(pos, self.record_at) if is_repeated else self.record_at(pos)
            if record is None:
                continue
            if key.startswith(_UNCHECKED):
                is_under_key = True
            elif is_repeated:  # so a collision of two keys is noticed
                is_under_key = key in self._cache.keys(pos, partial(record_keys, record))
            else:
                is_under_key = has_key(record, key)
            if is_under_key:
                found.append(record)
        return found

    def _heads(self, digest: int, limit: int) -> list[int]:
        """Return the newest version of each memory of a place, without a read of older versions."""
        most = limit + len(self.tail.positions(digest))
        indexed = self._ask(lambda catalog, _: catalog.heads(digest, most), list[tuple[int, int]]())
        newest: dict[int, int] = {}
        for pos in self.tail.positions(digest):
            record = self.tail.record_at(pos)
            if record is not None:
                newest.setdefault(key_hash(memory_line_key(record)), pos)
        older = (pos for line, pos in indexed if line not in newest)
        return [*newest.values(), *older][:limit]

    def has(self, key: str) -> bool:
        """Return whether any record has this exact key, by a digest: one false answer in 10^13."""
        return bool(self.held((key,)))

    def held(self, keys: Iterable[str]) -> set[str]:
        """Return those of `keys` that any record has, by one query: a search asks for each of its hits."""
        return self._cache.held(keys, self._find_held)

    def _find_held(self, keys: Sequence[str]) -> set[str]:
        digests = {key_hash(key): key for key in keys}
        found = self._ask(lambda catalog, _: catalog.held(digests), set[int]())
        return {
            key for digest, key in digests.items() if digest in found or self.tail.positions(digest)
        }

    def record_at(self, pos: int) -> Record | None:
        """Return the record at a position, or None."""
        return self.tail.record_at(pos) or self._reader.record_at(pos)

    def find(self, prefix: str, limit: int = 2) -> list[Record]:
        """Return the records whose id begins with `prefix`, oldest first, at most `limit`."""
        pos = self.tail.position_of(prefix)
        newest = None if pos is None else self._reader.record_at(pos)
        return self._reader.find(prefix, limit) if newest is None else [newest]

    def newest(self) -> Iterator[Record]:
        """Yield all records, newest first. Those of one segment, of at most 32 MiB, are read at once."""
        last = files.split_position(self._reader.end())[0]
        for number in range(last, 0, -1):
            found = (decode_line(line.raw) for line in self._reader.lines_of(number))
            yield from reversed([record for record in found if record is not None])

    def search(
        self,
        terms: Sequence[str],
        bins: Mapping[str, float] | Iterable[str],
        limit: int,
        *,
        before: int | None = None,
        pairs: Sequence[str] = (),
        most: int = MAX_QUERY_TERMS,
    ) -> list[tuple[float, Record]]:
        """Return (score, record), best first, of the index and of the tail, which scores much the same way.

        `bins` are the bins to search, with the weight of a score in each. `before` excludes positions from there
        on, and `pairs` are the query's adjacent terms.
        """
        weights = bins if isinstance(bins, Mapping) else dict.fromkeys(bins, 1.0)

        def find(_: Catalog, text: TextIndex) -> list[tuple[float, int]]:
            return text.search(terms, weights, limit, before=before, pairs=pairs, most=most)

        found: list[tuple[float, int]] = self._ask(find, [])
        self.prepare_search()
        # In the tail a score is a sum of idf, because lengths hardly matter there.
        rarities = {term: (1 + CONVERSATION_BOOST) * self.idf(term) for term in terms}
        unindexed = self.tail.search(rarities, weights)
        if before is not None:
            unindexed = {pos: score for pos, score in unindexed.items() if pos < before}
        best = _best(unindexed | {pos: score for score, pos in found}, limit)
        indexed = (pos for pos, _ in best if self.tail.record_at(pos) is None)
        read = self._cache.records(indexed, self._reader.records_at)
        records = ((score, self.tail.record_at(pos) or read.get(pos)) for pos, score in best)
        weighted = [
            (s * weights.get(words.bin_name(r), 1.0), r) for s, r in records if r is not None
        ]
        return sorted(weighted, key=lambda hit: -hit[0])

    def prepare_search(self) -> None:
        """Analyse the tail's new records, which the next search would do otherwise."""
        self.tail.analyze(lambda record: self.terms(words.record_text(record)))

    def release_memory(self) -> None:
        """Give up what the next question reads again at little cost."""
        self._ask(lambda catalog, _: catalog.release_memory(), None)

    def question(self, text: str) -> AnalyzedQuery:
        """Return `text` analysed for a comparison with indexed records."""
        known = self._questions.get(text)
        if known is None:
            if len(self._questions) >= _MAX_QUESTIONS:
                self._questions.clear()
            known = self._questions[text] = AnalyzedQuery(text, self._analyze)
        return known

    def _analyze(self, text: str) -> list[str]:
        if self._analyzer is None:
            self._analyzer = words.build_analyzer()
        return list(self._analyzer.analyze(words.expand_identifiers(text)))

    def terms(self, text: str) -> list[str]:
        """Return the distinct terms of `text` as the index has them."""
        return self.question(text).terms

    def terms_of(self, record: Record) -> set[str]:
        """Return the terms under which a record is found."""
        return self._cache.terms(record, lambda r: self.terms(words.record_text(r)))

    def idf(self, term: str) -> float:
        """Return the rarity of a term among all indexed records. Unknown words are rare ones."""
        return self._ask(lambda _, text: text.idf(term), 7.0 if term else 0.0)

    @property
    def documents(self) -> int:
        """The number of indexed records."""
        return self._ask(lambda _, text: text.documents, 0)

    def count_in(self, bins: Collection[str]) -> int:
        """Return the number of records in these bins, those of the tail and those that ended included."""
        known = self._ask(lambda _, text: text.count_in(bins), 0)
        return known + self.tail.count_in(bins)

    def stats(self) -> list[Stat]:
        """Return counts of all indexed records. The tail is not counted."""
        return self._ask(lambda catalog, _: catalog.stats(), list[Stat]())

    def size(self) -> int:
        """Return the bytes of the log."""
        return self._reader.size()

    def close(self) -> None:
        """Close the files."""
        self._reader.close()
        if self._catalog is not None:
            self._catalog.close()

    def _ask(self, question: Callable[[Catalog, TextIndex], Answer], otherwise: Answer) -> Answer:
        """Return what the index answers, `otherwise` without one. One that cannot be read is left out."""
        if self._catalog is None or self._text is None or self.problem is not None:
            return otherwise
        try:
            return question(self._catalog, self._text)
        except IndexUnusable as error:
            self._leave_out_index(error)
            return otherwise

    def _positions(self, digest: int, limit: int) -> list[int]:
        found = self.tail.positions(digest)
        if len(found) < limit:
            found += self._ask(lambda catalog, _: catalog.positions(digest, limit), list[int]())
        return list(dict.fromkeys(found))[:limit]

    def _open_current(self) -> None:
        try:
            found = os.stat(self._pointer)
            stamp = (found.st_ino, found.st_mtime_ns)
        except OSError:
            stamp = None
        if stamp == self._stamp and (self.problem is None or time.monotonic() < self._retry_at):
            return
        self._stamp, self.problem = stamp, None
        self._open(generation.current_generation(self._place) if stamp else None)

    def _open(self, directory: os.PathLike[str] | None) -> None:
        if self._catalog is not None:
            self._catalog.close()
        self._catalog, self._text, self.watermark = None, None, Watermark()
        self._cache.clear()
        self._end, self.tail = 0, Tail()  # a scrub rebuilt the index, and moved lines of the log
        if directory is None:
            return
        path = generation.index_directory(self._place) / os.path.basename(directory)
        try:
            self._catalog = Catalog(path / "catalog.sqlite")
            self._text = TextIndex(path / "text")
            self._check_against_log()
        except IndexUnusable as error:
            self._leave_out_index(error)

    def _check_against_log(self) -> None:
        mark = self._catalog.watermark() if self._catalog is not None else Watermark()
        if not mark.fits(self._reader):
            raise IndexUnusable(str(self._place.directory), "it is ahead of its log")
        if mark.last_pos >= 0:  # an index of nothing has no last id
            self.last_id = max(self.last_id or "", mark.last_id)

    def _follow_commits(self) -> None:
        mark = self._ask(lambda catalog, _: catalog.watermark(), self.watermark)
        if mark == self.watermark:
            return
        if mark.pos > self._end:
            self._cache.clear()  # another process appended, and it is indexed already
        self._ask(lambda _, text: text.refresh(), None)
        if self.problem is None:
            self.watermark = mark
            self.tail.forget_before(mark.pos)
            self._covered_from = max(self._covered_from, mark.pos)

    def _leave_out_index(self, error: IndexUnusable) -> None:
        """Continue with the tail alone, which must then hold more than the records that the index lacked."""
        self.problem, self._retry_at = str(error), time.monotonic() + _RETRY_SECONDS
        self.watermark = Watermark()
        self._end = 0
        self.tail = Tail()
        self._cache.clear()
        self.catch_up()

    def _follow_rewrites(self) -> None:
        """Clear the cache after a redaction replaced a segment or a segment was closed."""
        try:
            changed = os.stat(self._segments).st_mtime_ns
        except OSError:
            changed = 0
        found = changed, self._log_now()[0]
        if found != self._files:
            self._files = found
            self._cache.clear()

    def _log_now(self) -> tuple[int, int]:
        """Return the inode and the size of the log's open segment."""
        try:
            found = os.stat(self._place.log)
        except OSError:
            return 0, 0
        return found.st_ino, found.st_size

    def _bounded_start(self) -> int:
        """Return the start for reading a log without an index: near the log's end, at a line's start."""
        segment, offset = files.split_position(self._reader.end())
        remaining = _TAIL_BYTES
        while offset < remaining and segment > 1:
            remaining -= offset
            segment -= 1
            offset = self._reader.segment_size(segment)
        if offset <= remaining:
            return files.make_position(segment, 0) if segment > 1 else 0
        return self._reader.line_start(files.make_position(segment, offset - remaining))


def _best(hits: dict[int, float], limit: int) -> list[tuple[int, float]]:
    """Return the `limit` best of (position, score), of equal ones the newest first."""
    # Sorting bare numbers is several times as fast as sorting pairs, and a tail brings hundreds.
    least = sorted(hits.values())[-limit] if 0 < limit < len(hits) else -math.inf
    found = [hit for hit in hits.items() if hit[1] >= least]
    return sorted(found, key=lambda hit: (-hit[1], -hit[0]))[:limit]
