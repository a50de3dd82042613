"""What a reader sees: the generation in force, and the tail of the log that it lacks."""

import os
from collections.abc import Iterator, Sequence

from hooklore.config import Place
from hooklore.errors import IndexUnusable
from hooklore.index import generation, words
from hooklore.index.catalog import Catalog, Stat, Watermark
from hooklore.index.tags import Fields, tag_hash, tags
from hooklore.index.tail import Tail
from hooklore.index.text import TextIndex
from hooklore.log import files
from hooklore.log.line import decode
from hooklore.log.reader import LogReader

TAIL_RECORDS = 5_000
"""What is held in memory of a log that nobody has indexed: enough for every retry of a delivery."""

_TAIL_BYTES = 8 * 1024 * 1024


class View:
    """Index and tail as one. Not for several threads at once."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._reader = LogReader(place)
        self._catalog: Catalog | None = None
        self._text: TextIndex | None = None
        self._stamp: tuple[int, int] | None = None
        self._end = 0
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
        self.catch_up()

    def catch_up(self) -> None:
        """Read what other processes appended since."""
        start = max(self._end, self.watermark.pos)
        if self._end == 0:
            start = max(start, self._bounded_start())
        for line in self._reader.lines(start):
            record = decode(line.raw)
            if record is not None:
                self.saw(line.pos, line.end, record)
            self._end = line.end
        self._end = max(self._end, start)

    def saw(self, pos: int, end: int, record: Fields) -> None:
        """Take in a record that stands at the log's end."""
        self.tail.add(pos, record)
        self.last_id = max(self.last_id or "", record["id"])
        self._end = end

    @property
    def end(self) -> int:
        """The position up to which the log is known."""
        return self._end

    @property
    def lag(self) -> int:
        """How many records the index lacks, as far as the tail knows."""
        return len(self.tail)

    def lookup(self, tag: str, limit: int = 100) -> list[Fields]:
        """Records under an exact key, newest first."""
        found = []
        for pos in self._positions(tag_hash(tag), limit):
            record = self.record_at(pos)
            if record is not None and tag in tags(record):
                found.append(record)
        return found

    def has(self, tag: str) -> bool:
        """Whether any record has this exact key (a hash; one false answer in 10^13)."""
        return bool(self._positions(tag_hash(tag), 1))

    def record_at(self, pos: int) -> Fields | None:
        """The record at a position."""
        return self.tail.record_at(pos) or self._reader.record_at(pos)

    def find(self, prefix: str) -> list[Fields]:
        """At most two records whose id begins so."""
        return self._reader.find(prefix)

    def newest(self) -> Iterator[Fields]:
        """All records, newest first."""
        for segment in self._segments_backwards():
            yield from reversed(segment)

    def oldest(self) -> Iterator[Fields]:
        """All records, oldest first."""
        for line in self._reader.lines(0):
            record = decode(line.raw)
            if record is not None:
                yield record

    def search(
        self, terms: Sequence[str], bins: Sequence[str], limit: int
    ) -> list[tuple[float, Fields]]:
        """(BM25 score, record), best first: the index's hits and the tail's, which score the same way."""
        hits: dict[int, float] = {}
        if self._text is not None and self.problem is None:
            try:
                hits = {pos: score for score, pos in self._text.search(terms, bins, limit)}
            except IndexUnusable as error:
                self._put_aside(error)
        for pos, score in self._search_tail(terms, set(bins)):
            hits.setdefault(pos, score)
        ranked = sorted(hits.items(), key=lambda hit: (-hit[1], -hit[0]))[:limit]
        found = [(score, self.record_at(pos)) for pos, score in ranked]
        return [(score, record) for score, record in found if record is not None]

    def terms(self, text: str) -> list[str]:
        """The distinct terms of a text as the index has them."""
        return self._analyzer().terms(text)

    def idf(self, term: str) -> float:
        """How rare a term is among everything indexed."""
        return self._analyzer().idf(term)

    @property
    def documents(self) -> int:
        """How many records are indexed."""
        return self._analyzer().documents

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
        if self._text is None:
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

    def _search_tail(self, terms: Sequence[str], bins: set[str]) -> Iterator[tuple[int, float]]:
        """A plain sum of idf: the tail is what the last seconds brought, lengths hardly matter there."""
        weights = {term: self.idf(term) for term in terms}
        for pos, record in self.tail.records():
            if words.group(record) is None or words.bin_of(record) not in bins:
                continue
            own = set(self.terms(words.record_text(record)))
            score = sum(weight for term, weight in weights.items() if term in own)
            if score > 0:
                yield pos, score

    def _open_current(self) -> None:
        pointer = generation.index_directory(self._place) / "current"
        try:
            found = os.stat(pointer)
            stamp = (found.st_ino, found.st_mtime_ns)
        except OSError:
            stamp = None
        if stamp == self._stamp and self.problem is None:
            return
        self._stamp, self.problem = stamp, None
        self._open(generation.current(self._place) if stamp else None)

    def _open(self, directory: os.PathLike[str] | None) -> None:
        if self._catalog is not None:
            self._catalog.close()
        self._catalog, self._text, self.watermark = None, None, Watermark()
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
        if record is None or record["id"] != mark.last_id or self._reader.end() < mark.pos:
            raise IndexUnusable(str(self._place.directory), "it is ahead of its log")
        self.last_id = max(self.last_id or "", mark.last_id)

    def _see_commits(self) -> None:
        if self._catalog is None or self._text is None or self.problem is not None:
            return
        try:
            mark = self._catalog.watermark()
            if mark != self.watermark:
                self._text.refresh()
                self.watermark = mark
                self.tail.forget_before(mark.pos)
        except IndexUnusable as error:
            self._put_aside(error)

    def _put_aside(self, error: IndexUnusable) -> None:
        """Go on with the tail alone. It must then hold more than what the index lacked."""
        self.problem = str(error)
        self.watermark = Watermark()
        self._end = 0
        self.tail = Tail()
        self.catch_up()

    def _bounded_start(self) -> int:
        """Where to start reading a log that is not indexed: near its end, at a line's start."""
        segment, offset = files.split(self._reader.end())
        if offset < _TAIL_BYTES and segment > 1:
            segment, short = segment - 1, _TAIL_BYTES - offset
            offset = self._reader.segment_size(segment) - short + _TAIL_BYTES
        if offset <= _TAIL_BYTES:
            return files.position(segment, 0) if segment > 1 else 0
        return self._reader.line_start(files.position(segment, offset - _TAIL_BYTES))

    def _segments_backwards(self) -> Iterator[list[Fields]]:
        """Records segment by segment from the end; a segment is at most 32 MiB."""
        last = files.split(self._reader.end())[0]
        for number in range(last, 0, -1):
            found = []
            for line in self._reader.lines_of(number):
                record = decode(line.raw)
                if record is not None:
                    found.append(record)
            yield found


class _EmptyText(TextIndex):
    """Analyses text where nothing is indexed yet."""

    def __init__(self) -> None:
        self._analyzer = words.analyzer()

    def idf(self, term: str) -> float:
        return 7.0 if term else 0.0  # unknown words are rare ones

    def search(
        self, terms: Sequence[str], bins: Sequence[str], limit: int
    ) -> list[tuple[float, int]]:
        del terms, bins, limit
        return []

    @property
    def documents(self) -> int:
        return 0

    def refresh(self) -> None:
        return
