"""The projector reads the log and writes the index, off the path of every hook."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable, LogError
from hooklore.index import generation, words
from hooklore.index.catalog import Catalog, Stat, Watermark, count_record
from hooklore.index.record_keys import key_hash, record_keys
from hooklore.index.text import TextIndex
from hooklore.log import quarantine
from hooklore.log.line import decode_line, is_whole_line
from hooklore.log.reader import Line, LogReader
from hooklore.records import keys
from hooklore.records.record import Record, readers_of_turn

BATCH_RECORDS = 20_000
"""Records per commit. A commit costs about 7 ms for any number of records."""

_CONTEXT_TURNS = 2
"""The turns before a turn of a conversation that are indexed with that turn."""

_LOOKED_BACK = 16
"""Turns of a session that are looked through for the two before: others may have other readers."""

_REPORT_EVERY = 500
"""Records between two reports of progress, in 25–50 ms."""

_YIELD_EVERY = 4
"""Records indexed in one go, in .3 to .5 ms. Other threads of the interpreter may run in between."""

NOT_UNDERSTOOD = "not understood"
"""The name of the count of whole lines that are no record to this version."""

Progress = Callable[[int], None]
YieldToHooks = Callable[[int], object]
"""Called in between with the number of records still to be indexed. Returns when indexing may continue."""


@dataclass(slots=True)
class _Parts:
    catalog: Catalog
    text: TextIndex


class Projector:
    """Keeps the active generation up to date. The caller holds the writer lock."""

    def __init__(self, place: StoreLocation, give_way: YieldToHooks | None = None) -> None:
        self._place = place
        self._give_way = give_way
        self._reader = LogReader(place)
        self._parts: _Parts | None = None
        self._directory: Path | None = None
        self.watermark = Watermark()
        self._turns: dict[object, list[str]] = {}

    def advance(self, progress: Progress | None = None) -> int:
        """Index the records that the index lacks, and return their number.

        An index that is missing, damaged, of another schema, or ahead of its log is rebuilt. Raise
        `StoreUnreadable` if the log itself cannot be read.
        """
        try:
            parts = self._parts
            if parts is None or generation.current_generation(self._place) != self._directory:
                parts = self._open()
            else:
                self._check_against_log()
            return self._project(parts, progress)
        except IndexUnusable:
            return self.rebuild(progress)

    def rebuild(self, progress: Progress | None = None) -> int:
        """Build a new generation from the log, and return its records. The old one stays active meanwhile."""
        self.close()
        directory = generation.create_generation(self._place)
        parts, self.watermark = open_generation_parts(directory, is_new=True), Watermark()
        count = self._project(parts, progress)
        parts.text.commit()
        parts.text.rest()
        generation.activate_generation(self._place, directory)
        self._parts, self._directory = parts, directory
        return count

    def close(self) -> None:
        """Close the generation. The next `advance` opens the active one."""
        if self._parts is not None:
            self._parts.text.close()
            self._parts.catalog.close()
            self._parts = None

    def _open(self) -> _Parts:
        self.close()
        generation.discard_old_generations(self._place)
        self._directory = directory = generation.current_generation(self._place)
        if directory is None:
            raise IndexUnusable(str(generation.index_directory(self._place)), "there is none")
        parts = self._parts = open_generation_parts(directory)
        self.watermark = parts.catalog.watermark()
        self._check_against_log()
        # A crash between the two commits leaves words without keys in the catalog.
        parts.text.delete_from(self.watermark.pos)
        return parts

    def _check_against_log(self) -> None:
        mark = self.watermark
        is_read = mark.last_pos < 0 or self._reader.record_at(mark.last_pos) is not None
        if not is_read or not mark.fits(self._reader):
            raise IndexUnusable(str(self._place.directory), "it is ahead of its log")

    def _project(self, parts: _Parts, progress: Progress | None) -> int:
        count = 0
        batch: list[Line] = []
        for line in self._reader.lines(self.watermark.pos):
            batch.append(line)
            if len(batch) >= BATCH_RECORDS:
                count += self._put(parts, batch, count, progress)
                batch = []
        if batch:
            count += self._put(parts, batch, count, progress)
        return count

    def _put(
        self, parts: _Parts, batch: list[Line], before: int = 0, progress: Progress | None = None
    ) -> int:
        """Index one batch: words first, then keys and the watermark, so that a crash loses nothing.

        `before` lines were indexed before the batch.
        """
        rows = _Rows()
        self._turns.clear()
        last_pos, last_id = self.watermark.last_pos, self.watermark.last_id
        for done, line in enumerate(batch):
            if self._give_way is not None and done % _YIELD_EVERY == 0:
                self._give_way(len(batch) - done)
            if progress is not None and done % _REPORT_EVERY == 0:
                progress(before + done)
            record = decode_line(line.raw)
            if record is None:
                self._skip(line, rows)
                continue
            rows.add(line, record)
            self._add_words(parts, line.pos, record)
            last_pos, last_id = line.pos, record.id
        self.watermark = Watermark(batch[-1].end, last_pos, last_id)
        if parts is self._parts:  # a rebuild commits once, before its activation
            parts.text.commit()
        parts.catalog.put(sorted(rows.keys), rows.stats.values(), self.watermark, rows.memories)
        return len(batch)

    def _add_words(self, parts: _Parts, pos: int, record: Record) -> None:
        """Add the text of a record that is searched by words."""
        bin_ = words.find_bin(record)
        if bin_ is not None:
            is_turn = words.is_bin_of_turns(bin_)
            conversation = self._turn_with_context(parts.catalog, pos, record) if is_turn else None
            parts.text.add(pos, words.record_text(record), bin_, conversation)

    def _turn_with_context(self, catalog: Catalog, pos: int, record: Record) -> str | None:
        """Return a turn of a conversation with the two turns before, or None for any other record."""
        turn = words.turn_text(record)
        if turn is None:
            return None
        readers = readers_of_turn(record)
        if readers not in self._turns:
            self._turns[readers] = self._turns_before(catalog, pos, record)
        before = self._turns[readers]
        conversation = "\n".join((*before, turn))
        self._turns[readers] = [*before, turn][-_CONTEXT_TURNS:]
        return conversation

    def _turns_before(self, catalog: Catalog, pos: int, turn: Record) -> list[str]:
        """Return the last turns of a session that earlier batches indexed, those with the readers of `turn`."""
        key, found = keys.turns_in(turn.session_id), []
        for earlier in catalog.positions(key_hash(key), _LOOKED_BACK):
            record = self._reader.record_at(earlier) if earlier < pos else None
            if record is None or key not in record_keys(record):
                continue
            if readers_of_turn(record) == readers_of_turn(turn):
                found.append(words.turn_text(record) or "")
        return found[:_CONTEXT_TURNS][::-1]

    def _skip(self, line: Line, rows: "_Rows") -> None:
        """Count a line that is no record to this version, and set a damaged one aside."""
        if not line.raw.strip():
            return
        if is_whole_line(line.raw):
            rows.count(Stat("", NOT_UNDERSTOOD, 1))
            return
        rows.count(Stat("", "damaged", 1))
        try:
            quarantine.quarantine_bytes(self._place, line.pos, line.raw)
        except (OSError, LogError):
            return


class _Rows:
    """The rows of one batch for the catalog: keys, memories, and counts by day and name."""

    def __init__(self) -> None:
        self.keys: list[tuple[int, int]] = []
        self.memories: list[tuple[int, Record]] = []
        self.stats: dict[tuple[str, str], Stat] = {}

    def add(self, line: Line, record: Record) -> None:
        self.keys += [(key_hash(key), line.pos) for key in record_keys(record)]
        for stat in count_record(record, len(line.raw) + 1):
            self.count(stat)
        if record.stream == "memory":
            self.memories.append((line.pos, record))

    def count(self, stat: Stat) -> None:
        day, name, events, size, tokens, last = stat
        known = self.stats.get((day, name), Stat(day, name))
        self.stats[day, name] = Stat(
            day, name, known.events + events, known.bytes + size, known.tokens + tokens,
            max(known.last, last),
        )  # fmt: skip


@contextmanager
def hold_projector(place: StoreLocation) -> Iterator[Projector]:
    """Be the process that indexes for a block. Raise LogError while another one does."""
    lock = generation.WriterLock(place)
    # A projector opens nothing before it is asked to index.
    with lock.held() as is_mine, closing(Projector(place)) as projector:
        if not is_mine:
            cause = f"pid {lock.holder()} indexes it"
            raise LogError(str(place.directory), cause, fix="run `hooks stop`")
        yield projector


def open_generation_parts(directory: Path, *, is_new: bool = False) -> _Parts:
    """Open the catalog and the text index of a generation.

    The catalog comes first, because it is what proves that a folder is ours, should this process be killed now.
    """
    catalog = Catalog(directory / "catalog.sqlite", wait=5.0)
    try:
        return _Parts(catalog, TextIndex(directory / "text", is_new=is_new))
    except BaseException:
        catalog.close()
        raise
