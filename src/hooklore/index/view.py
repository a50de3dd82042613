"""What a reader sees: the generation in force, and the tail of the log that it lacks."""

import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable
from hooklore.index import generation, words
from hooklore.index.catalog import Catalog, Stat, Watermark
from hooklore.index.lookup_cache import LookupCache
from hooklore.index.memories import memory_line_key
from hooklore.index.question import AnalyzedQuery
from hooklore.index.record_keys import key_hash, record_keys
from hooklore.index.tail import Tail
from hooklore.index.text import CONVERSATION_BOOST, MAX_QUERY_TERMS, TextIndex
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.records.record import Record

TAIL_RECORDS = 5_000
"""What is held in memory of a log that nobody has indexed: enough for every retry of a delivery."""

_TAIL_BYTES = 8 * 1024 * 1024
_RETRY_SECONDS = 2.0


class View:
    """Index and tail as one. Not for several threads at once."""

    def __init__(self, place: StoreLocation) -> None:
        self._place = place
        self._reader = LogReader(place)
        self._catalog: Catalog | None = None
        self._text: TextIndex | None = None
        self._stamp: tuple[int, int] | None = None
        self._end = 0
        self._covered_from = 0
        self._last: tuple[int, str] | None = None
        self._retry_at = 0.0
        self._pointer = str(generation.index_directory(place) / "current")
        self._segments = str(files.segment_directory(place))
        self._files: tuple[int, int] | None = None
        self._open_segment = (0, 0)
        self._kept = LookupCache()
        self.tail = Tail()
        self.watermark = Watermark()
        self.last_id: str | None = None
        self.problem: str | None = None

    def refresh(self) -> None:
        """Open the generation in force when it changed, see what was committed, read the log's new end.

        Raises StoreUnreadable when the log cannot be read. An index that cannot be used is left
        aside (`problem` says why): the tail still answers.
        """
        self._open_current()
        self._see_commits()
        self._see_rewrites()
        if self.watermark.pos < self._covered_from:
            self._kept.forget()
            self._end, self.tail = 0, Tail()  # an older index, or none: read on from what it has
        self.catch_up()

    def is_log_replaced(self) -> bool:
        """Whether the record read last is no longer where it was.

        The log was restored or removed, or a failed flush took back lines that we had read already.
        """
        if self._last is None:
            return False
        pos, last_id = self._last
        record = self._reader.record_at(pos)
        return record is None or record.id != last_id

    def reset(self) -> None:
        """Forget what is known of the log: it is not the one it was."""
        self._stamp, self.watermark, self.last_id = (-1, -1), Watermark(), None
        self._end, self.tail, self._last = 0, Tail(), None
        self._kept.forget()

    def catch_up(self) -> None:
        """Read what other processes appended since."""
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
        """Take in a record that stands at the log's end."""
        self._kept.news(self.tail.add(pos, record))
        self.last_id = max(self.last_id or "", record.id)
        self._end, self._last = end, (pos, record.id)

    @property
    def end(self) -> int:
        """The position up to which the log is known."""
        return self._end

    @property
    def lag(self) -> int:
        """How many records the index lacks, as far as the tail knows."""
        return len(self.tail)

    def lookup(self, tag: str, limit: int = 100) -> list[Record]:
        """Records under an exact key, newest first."""
        return self._kept.lookup(tag, limit, lambda: self._lookup(tag, limit))

    def _lookup(self, tag: str, limit: int) -> list[Record]:
        found = []
        of_memories = tag.startswith("memory:")
        for pos in (self._heads if of_memories else self._positions)(key_hash(tag), limit):
            record = self._kept.record(pos, self.record_at) if of_memories else self.record_at(pos)
            if record is not None and (of_memories or tag in record_keys(record)):
                found.append(record)
        return found

    def _heads(self, key: int, limit: int) -> list[int]:
        """The newest version of each memory of a place: ten thousand older ones are not looked at."""
        newest: dict[int, int] = {}
        for pos in self.tail.positions(key):
            record = self.tail.record_at(pos)
            if record is not None:
                newest.setdefault(key_hash(memory_line_key(record)), pos)
        held = list(newest.values())
        if self._catalog is None or self.problem is not None:
            return held[:limit]
        try:
            indexed = self._catalog.heads(key, limit + len(held))
        except IndexUnusable as error:
            self._put_aside(error)
            return self._heads(key, limit)
        return [*held, *(pos for line, pos in indexed if line not in newest)][:limit]

    def has(self, tag: str) -> bool:
        """Whether any record has this exact key (a hash; one false answer in 10^13)."""
        return self._kept.has(tag, lambda: bool(self._positions(key_hash(tag), 1)))

    def record_at(self, pos: int) -> Record | None:
        """The record at a position."""
        return self.tail.record_at(pos) or self._reader.record_at(pos)

    def find(self, prefix: str) -> list[Record]:
        """At most two records whose id begins so."""
        return self._reader.find(prefix)

    def newest(self) -> Iterator[Record]:
        """All records, newest first."""
        for segment in self._segments_backwards():
            yield from reversed(segment)

    def oldest(self) -> Iterator[Record]:
        """All records, oldest first."""
        for line in self._reader.lines(0):
            record = decode_line(line.raw)
            if record is not None:
                yield record

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
        """(score, record), best first: the index's hits and the tail's, which score much the same way.

        `bins` are the sorts of record to look among, with what a score in each is worth; `before`
        leaves out positions from there on; `pairs` are the question's neighbouring terms.
        """
        weights = bins if isinstance(bins, Mapping) else dict.fromkeys(bins, 1.0)
        hits: dict[int, float] = {}
        if self._text is not None and self.problem is None:
            try:
                found = self._text.search(
                    terms, weights, limit, before=before, pairs=pairs, most=most
                )
                hits = {pos: score for score, pos in found}
            except IndexUnusable as error:
                self._put_aside(error)
        for pos, score in self._search_tail(terms, weights):
            if before is None or pos < before:
                hits.setdefault(pos, score)
        ranked = sorted(hits.items(), key=lambda hit: (-hit[1], -hit[0]))[:limit]
        records = ((score, self.record_at(pos)) for pos, score in ranked)
        valued = [(s * weights.get(words.bin_name(r), 1.0), r) for s, r in records if r is not None]
        return sorted(valued, key=lambda hit: -hit[0])

    def question(self, text: str) -> AnalyzedQuery:
        """A text, to be compared with what is known."""
        return self._analyzer().question(text)

    def terms(self, text: str) -> list[str]:
        """The distinct terms of a text as the index has them."""
        return self.question(text).terms

    def terms_of(self, record: Record) -> set[str]:
        """The terms that a record is found by."""
        return self._kept.terms(record, lambda r: self.terms(words.record_text(r)))

    def idf(self, term: str) -> float:
        """How rare a term is among everything indexed."""
        try:
            return self._analyzer().idf(term)
        except IndexUnusable as error:
            self._put_aside(error)
            return self._analyzer().idf(term)

    @property
    def documents(self) -> int:
        """How many records are indexed."""
        try:
            return self._analyzer().documents
        except IndexUnusable as error:
            self._put_aside(error)
            return 0

    def stats(self) -> list[Stat]:
        """Counts of everything indexed; what the tail holds is not in them."""
        if self._catalog is None or self.problem is not None:
            return []
        try:
            return self._catalog.stats()
        except IndexUnusable as error:
            self._put_aside(error)
            return []

    def size(self) -> int:
        """Bytes of the log."""
        return self._reader.size()

    def close(self) -> None:
        """Let files go."""
        self._reader.close()
        if self._catalog is not None:
            self._catalog.close()

    def _analyzer(self) -> TextIndex:
        if self._text is None or self.problem is not None:
            self._text = _EmptyText()
        return self._text

    def _positions(self, key: int, limit: int) -> list[int]:
        held = self.tail.positions(key)
        if len(held) >= limit or self._catalog is None or self.problem is not None:
            return held[:limit]
        try:
            indexed = self._catalog.positions(key, limit)
        except IndexUnusable as error:
            self._put_aside(error)
            return held[:limit]
        return list(dict.fromkeys(held + indexed))[:limit]

    def _search_tail(
        self, terms: Sequence[str], bins: Collection[str]
    ) -> Iterator[tuple[int, float]]:
        """A plain sum of idf: the tail is what the last seconds brought, lengths hardly matter there."""
        weights = {term: (1 + CONVERSATION_BOOST) * self.idf(term) for term in terms}
        for pos, record in self.tail.records():
            if words.search_group(record) is None:
                continue
            if words.bin_name(record) not in bins:
                continue
            own = self.terms_of(record)
            score = sum(weight for term, weight in weights.items() if term in own)
            if score > 0:
                yield pos, score

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
        self._kept.forget()
        self._end, self.tail = 0, Tail()  # a scrub made it anew, and moved positions in the log
        if directory is None:
            return
        path = generation.index_directory(self._place) / os.path.basename(directory)
        try:
            self._catalog = Catalog(path / "catalog.sqlite")
            self._text = TextIndex(path / "text")
            self._check_against_log()
        except IndexUnusable as error:
            self._put_aside(error)

    def _check_against_log(self) -> None:
        mark = self._catalog.watermark() if self._catalog is not None else Watermark()
        if mark.last_pos < 0:
            return
        record = self._reader.record_at(mark.last_pos)
        if record is None or record.id != mark.last_id or self._reader.end() < mark.pos:
            raise IndexUnusable(str(self._place.directory), "it is ahead of its log")
        self.last_id = max(self.last_id or "", mark.last_id)

    def _see_commits(self) -> None:
        if self._catalog is None or self._text is None or self.problem is not None:
            return
        try:
            mark = self._catalog.watermark()
            if mark != self.watermark:
                if mark.pos > self._end:
                    self._kept.forget()  # another process appended, and it is indexed already
                self._text.refresh()
                self.watermark = mark
                self.tail.forget_before(mark.pos)
                self._covered_from = max(self._covered_from, mark.pos)
        except IndexUnusable as error:
            self._put_aside(error)

    def _put_aside(self, error: IndexUnusable) -> None:
        """Go on with the tail alone. It must then hold more than what the index lacked."""
        self.problem, self._retry_at = str(error), time.monotonic() + _RETRY_SECONDS
        self.watermark = Watermark()
        self._end = 0
        self.tail = Tail()
        self._kept.forget()
        self.catch_up()

    def _see_rewrites(self) -> None:
        """A segment that was replaced (a redaction) or closed: what was read from it may be another now."""
        try:
            changed = os.stat(self._segments).st_mtime_ns
        except OSError:
            changed = 0
        if (changed, self._log_now()[0]) != self._files:
            self._files = (changed, self._log_now()[0])
            self._kept.forget()

    def _log_now(self) -> tuple[int, int]:
        """Inode and size of the log's open segment."""
        try:
            found = os.stat(self._place.log)
        except OSError:
            return 0, 0
        return found.st_ino, found.st_size

    def _bounded_start(self) -> int:
        """Where to start reading a log that is not indexed: near its end, at a line's start."""
        segment, offset = files.split_position(self._reader.end())
        wanted = _TAIL_BYTES
        while offset < wanted and segment > 1:
            wanted -= offset
            segment -= 1
            offset = self._reader.segment_size(segment)
        if offset <= wanted:
            return files.make_position(segment, 0) if segment > 1 else 0
        return self._reader.line_start(files.make_position(segment, offset - wanted))

    def _segments_backwards(self) -> Iterator[list[Record]]:
        """Records segment by segment from the end; a segment is at most 32 MiB."""
        last = files.split_position(self._reader.end())[0]
        for number in range(last, 0, -1):
            found = []
            for line in self._reader.lines_of(number):
                record = decode_line(line.raw)
                if record is not None:
                    found.append(record)
            yield found


class _EmptyText(TextIndex):
    """Analyses text where nothing is indexed yet."""

    def __init__(self) -> None:
        self._analyzer = words.build_analyzer()

    def idf(self, term: str) -> float:
        return 7.0 if term else 0.0  # unknown words are rare ones

    def search(
        self,
        terms: Sequence[str],
        bins: Collection[str],
        limit: int,
        *,
        before: int | None = None,
        pairs: Sequence[str] = (),
        most: int = MAX_QUERY_TERMS,
    ) -> list[tuple[float, int]]:
        del terms, bins, limit, before, pairs, most
        return []

    @property
    def documents(self) -> int:
        return 0

    def refresh(self) -> None:
        return
