"""Vectors follow the log: what the index has read and has no vector yet is encoded, off every hook's path."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable
from hooklore.index import generation, words
from hooklore.index.backend import IndexEntry
from hooklore.index.catalog import Catalog
from hooklore.index.vectors import MAX_VECTORS, VectorTable
from hooklore.log import files
from hooklore.log.line import decode_line
from hooklore.log.reader import LogReader
from hooklore.records.record import Record
from hooklore.retrieval.semantic.search import SharedEncoder

EMBEDDED_GROUPS = ("memory", "fix", "user", "talk", "answer", "summary")
"""Groups that have vectors: what is said. Commands and failures are found by their words and signatures."""

_BATCH = 8
_READ_TO, _READ_FROM = "read_to", "read_from"
"""Marks: up to where the log was encoded as it grew, and down to where what was there before is."""


def vector_entry(pos: int, record: Record) -> IndexEntry | None:
    """What is encoded of a record; None of what has no vector: todos (seed 002 §4), and what tools did."""
    if words.search_group(record) not in EMBEDDED_GROUPS or record.kind == "todo":
        return None
    text = words.record_text(record)
    return IndexEntry(pos, record.id, text, words.bin_name(record)) if text.strip() else None


class VectorIndexer:
    """Fills the table of the generation in force. Its caller is the process that indexes."""

    def __init__(self, place: StoreLocation, model: SharedEncoder, most: int = MAX_VECTORS) -> None:
        self._place = place
        self._model = model
        self._most = most
        self._reader = LogReader(place)
        self._directory: Path | None = None
        self._table: VectorTable | None = None
        self._catalog: Catalog | None = None
        self._older: Iterator[tuple[IndexEntry | None, int | None]] = iter(())

    def step(self, give_way: Callable[[], object]) -> bool:
        """Encode a few records, `give_way` between two; whether there may be more. Raises HookloreError.

        What was appended since comes first, then what was said on purpose, then the rest from its end.
        """
        try:
            if not self._is_open():
                return False
            return self._follow(give_way) or self._fill(give_way)
        except IndexUnusable:
            self.close()  # removed under us, or damaged: the next step opens what is in force then
            raise

    def all(self) -> None:
        """Encode everything that has no vector yet (an evaluation waits for it). Raises HookloreError."""
        while self.step(lambda: None):
            pass

    def close(self) -> None:
        """Let files go."""
        if self._table is not None:
            self._table.close()
        if self._catalog is not None:
            self._catalog.close()
        self._directory = self._table = self._catalog = None
        self._older = iter(())

    def _is_open(self) -> bool:
        directory = generation.current_generation(self._place)
        if directory is None:
            return False
        if directory != self._directory:
            self.close()
            self._catalog = Catalog(directory / "catalog.sqlite", wait=1.0)
            self._table = VectorTable(directory, self._model.get())
            self._begin(self._table, self._catalog)
            self._directory = directory
        return True

    def _begin(self, table: VectorTable, catalog: Catalog) -> None:
        if table.mark(_READ_TO) is None:
            end = catalog.watermark().pos
            table.set_mark(_READ_FROM, end)
            table.set_mark(_READ_TO, end)
        self._older = self._backwards(table, catalog)

    def _follow(self, give_way: Callable[[], object]) -> bool:
        """Encode what was indexed since."""
        table, catalog = self._parts
        start, end = table.mark(_READ_TO) or 0, catalog.watermark().pos
        found: list[IndexEntry] = []
        for line in self._reader.lines(start):
            if line.pos >= end or len(found) == _BATCH:
                break
            record = decode_line(line.raw)
            entry = vector_entry(line.pos, record) if record else None
            found += [entry] if entry else []
            start = line.end
        for entry in found:
            give_way()  # one at a time: a text takes up to a tenth of a second
            self._keep(table, entry)
        if start > (table.mark(_READ_TO) or 0):
            table.set_mark(_READ_TO, start)
            table.trim(self._most)
        return bool(found)

    def _fill(self, give_way: Callable[[], object]) -> bool:
        """Encode some of what was there before vectors were."""
        table, _ = self._parts
        encoded = 0
        for entry, below in self._older:
            if entry is not None and not table.known([entry.pos]):
                give_way()
                self._keep(table, entry)
                encoded += 1
            if below is not None:
                table.set_mark(_READ_FROM, below)
            if encoded == _BATCH:
                return True
        return False

    def _backwards(
        self, table: VectorTable, catalog: Catalog
    ) -> Iterator[tuple[IndexEntry | None, int | None]]:
        """(what to encode, the mark to set then): memories, then the rest from its end while there is room."""
        for pos in catalog.head_positions():
            record = self._reader.record_at(pos)
            yield (vector_entry(pos, record) if record else None), None
        below = table.mark(_READ_FROM) or 0
        for segment in range(files.split_position(max(below - 1, 0))[0], 0, -1):
            for pos in self._embedded(segment, below):
                if table.count() >= self._most:
                    return
                record = self._reader.record_at(pos)
                yield (vector_entry(pos, record) if record else None), pos
        yield None, 0

    def _embedded(self, segment: int, below: int) -> list[int]:
        """Positions in a segment of what has a vector, from its end."""
        found = []
        for line in self._reader.lines_of(segment):
            record = decode_line(line.raw) if line.pos < below else None
            if record is not None and vector_entry(line.pos, record) is not None:
                found.append(line.pos)
        return found[::-1]

    def _keep(self, table: VectorTable, entry: IndexEntry) -> None:
        """mem0 first, where it is wanted: the table says what is done."""
        other = self._model.mem0(self._directory) if self._directory else None
        if other is not None:
            other.add([entry])
        table.add([entry])

    @property
    def _parts(self) -> tuple[VectorTable, Catalog]:
        if self._table is None or self._catalog is None:
            raise IndexUnusable(str(self._place.directory), "its vectors are not open")
        return self._table, self._catalog
