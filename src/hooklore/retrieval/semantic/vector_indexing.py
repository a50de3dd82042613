"""Encode indexed records that have no vector yet, off every hook's path."""

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
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record
from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder

EMBEDDED_GROUPS = ("memory", "fix", "user", "talk", "answer", "summary")
"""Groups that have vectors: texts that somebody wrote. Commands and failures are found by their words."""

_BATCH = 8
_READ_TO, _READ_FROM = "read_to", "read_from"
"""Marks in the table: the end of the part of the log that was encoded as it grew, and the start of the part that
was encoded backwards."""


def vector_entry(pos: int, record: Record) -> IndexEntry | None:
    """Return the entry to encode for a record; todos (seed 002 §4) and steps of tools have none."""
    if words.search_group(record) not in EMBEDDED_GROUPS or not memory_kind(record.kind).embedded:
        return None
    text = words.record_text(record)
    return IndexEntry(pos, record.id, text, words.bin_name(record)) if text.strip() else None


class VectorIndexer:
    """Fills the table of the generation in force, called by the process that indexes."""

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
        """Encode a few records and return whether there may be more. Raise HookloreError.

        New records come first, then memories, then the older log from its end. `give_way` is called
        between two records.
        """
        try:
            opened = self._open()
            if opened is None:
                return False
            return self._follow(*opened, give_way) or self._fill(opened[0], give_way)
        except IndexUnusable:
            self.close()  # removed by another process, or damaged: the next step opens the table anew
            raise

    def all(self) -> None:
        """Encode every record that has no vector yet, for an evaluation. Raise HookloreError."""
        while self.step(lambda: None):
            pass

    def close(self) -> None:
        """Close the files."""
        if self._table is not None:
            self._table.close()
        if self._catalog is not None:
            self._catalog.close()
        self._directory = self._table = self._catalog = None
        self._older = iter(())

    def _open(self) -> tuple[VectorTable, Catalog] | None:
        """Return the table and the catalog of the generation in force, None without one."""
        directory = generation.current_generation(self._place)
        if directory is None:
            return None
        if self._table is not None and self._catalog is not None and directory == self._directory:
            return self._table, self._catalog
        self.close()
        self._catalog = catalog = Catalog(directory / "catalog.sqlite", wait=1.0)
        self._table = table = VectorTable(directory, self._model.get())
        if table.mark(_READ_TO) is None:
            end = catalog.watermark().pos
            table.set_mark(_READ_FROM, end)
            table.set_mark(_READ_TO, end)
        self._older = self._backwards(table, catalog)
        self._directory = directory
        return table, catalog

    def _follow(self, table: VectorTable, catalog: Catalog, give_way: Callable[[], object]) -> bool:
        """Encode records that were indexed since the last step."""
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
            give_way()  # before each text, which takes up to a tenth of a second
            self._keep(table, entry)
        if start > (table.mark(_READ_TO) or 0):
            table.set_mark(_READ_TO, start)
            table.trim(self._most)
        return bool(found)

    def _fill(self, table: VectorTable, give_way: Callable[[], object]) -> bool:
        """Encode some of the records that are older than the table."""
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
        """Yield (entry, mark to set then): the memories, then the older log from its end while there is room."""
        for pos in catalog.head_positions():
            record = self._reader.record_at(pos)
            yield (vector_entry(pos, record) if record else None), None
        below = table.mark(_READ_FROM) or 0
        for segment in range(files.split_position(max(below - 1, 0))[0], 0, -1):
            found = []
            for line in self._reader.lines_of(segment):
                record = decode_line(line.raw) if line.pos < below else None
                if record is not None and vector_entry(line.pos, record) is not None:
                    found.append(line.pos)
            for pos in reversed(found):
                if table.count() >= self._most:
                    return
                record = self._reader.record_at(pos)
                yield (vector_entry(pos, record) if record else None), pos
        yield None, 0

    def _keep(self, table: VectorTable, entry: IndexEntry) -> None:
        """Add an entry to mem0's index, if the user wants that, then to the table, which tells the progress."""
        mem0 = self._model.mem0(self._directory) if self._directory else None
        if mem0 is not None:
            mem0.add([entry])
        table.add([entry])


def enable_semantic_for_evaluation(place: StoreLocation, model: SharedEncoder) -> SemanticSearch:
    """Encode everything that a store has, and return its search, in which no vector is too late.

    Raise HookloreError, or ImportError without the extra.
    """
    indexer = VectorIndexer(place, model)
    try:
        indexer.all()
    finally:
        indexer.close()
    return SemanticSearch(place, model, patience=None)
