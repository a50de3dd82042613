"""The projector: reads the log, writes the index, off every hook's path."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooklore.config import StoreLocation
from hooklore.errors import IndexUnusable, LogError
from hooklore.index import generation, words
from hooklore.index.catalog import Catalog, Stat, Watermark
from hooklore.index.record_keys import key_hash, record_keys
from hooklore.index.text import TextIndex
from hooklore.log import quarantine
from hooklore.log.line import decode_line
from hooklore.log.reader import Line, LogReader
from hooklore.records import keys
from hooklore.records.record import Record

BATCH_RECORDS = 20_000
"""Records a commit: a commit costs about 7 ms however many there are."""

_WINDOW = 2
"""The turns before it that a turn of a conversation is found by, too."""

_YIELD_EVERY = 16
"""Records that are indexed in one go, 1–2 ms: whoever shares the interpreter may go first in between."""

Progress = Callable[[int], None]
YieldToHooks = Callable[[int], object]
"""Told, between two stretches, how many records are still to be indexed; returns when indexing may go on."""


@dataclass(slots=True)
class _Parts:
    catalog: Catalog
    text: TextIndex


class Projector:
    """Keeps the generation in force up to date. Its caller holds the writer lock."""

    def __init__(self, place: StoreLocation, give_way: YieldToHooks | None = None) -> None:
        self._place = place
        self._give_way = give_way
        self._reader = LogReader(place)
        self._parts: _Parts | None = None
        self._directory: Path | None = None
        self.watermark = Watermark()
        self._turns: dict[str, list[str]] = {}

    def advance(self, progress: Progress | None = None) -> int:
        """Index what the log has and the index has not; how many records that was.

        An index that is missing, damaged, of another schema, or ahead of its log is made anew.
        Raises StoreUnreadable when the log itself cannot be read.
        """
        try:
            if self._parts is None or generation.current_generation(self._place) != self._directory:
                self._open()
            else:
                self._check_against_log()
            return self._project(self._opened, progress)
        except IndexUnusable:
            return self.rebuild(progress)

    def rebuild(self, progress: Progress | None = None) -> int:
        """Make everything derived again from the log; the old stays in force until the new is whole."""
        self.close()
        directory = generation.create_generation(self._place)
        parts, self.watermark = _open_parts(directory, is_new=True), Watermark()
        count = self._project(parts, progress)
        parts.text.commit()
        parts.text.rest()
        generation.activate_generation(self._place, directory)
        self._parts, self._directory = parts, directory
        return count

    def rest(self) -> None:
        """Give back what only indexing needs: the writer's memory, caches; `advance` opens it again."""
        self.close()

    def close(self) -> None:
        """Close the generation; the next `advance` opens the one in force."""
        if self._parts is not None:
            self._parts.text.close()
            self._parts.catalog.close()
            self._parts = None

    @property
    def _opened(self) -> _Parts:
        if self._parts is None:
            raise IndexUnusable(str(generation.index_directory(self._place)), "it is not open")
        return self._parts

    def _open(self) -> None:
        self.close()
        generation.discard_old_generations(self._place)
        self._directory = directory = generation.current_generation(self._place)
        if directory is None:
            raise IndexUnusable(str(generation.index_directory(self._place)), "there is none")
        self._parts = _open_parts(directory)
        self.watermark = self._parts.catalog.watermark()
        self._check_against_log()
        # A crash between the two commits left words that the catalog does not know of.
        self._parts.text.delete_from(self.watermark.pos)

    def _check_against_log(self) -> None:
        mark = self.watermark
        if mark.last_pos < 0:
            return
        record = self._reader.record_at(mark.last_pos)
        if self._reader.end() < mark.pos or record is None or record.id != mark.last_id:
            raise IndexUnusable(str(self._place.directory), "it is ahead of its log")

    def _project(self, parts: _Parts, progress: Progress | None) -> int:
        count = 0
        batch: list[Line] = []
        for line in self._reader.lines(self.watermark.pos):
            batch.append(line)
            if len(batch) >= BATCH_RECORDS:
                count += self._put(parts, batch)
                batch = []
                if progress is not None:
                    progress(count)
        if batch:
            count += self._put(parts, batch)
        return count

    def _put(self, parts: _Parts, batch: list[Line]) -> int:
        """One batch: words first, then keys and the watermark, so that nothing is missed after a crash."""
        keys: list[tuple[int, int]] = []
        said: list[tuple[int, Record]] = []
        stats = _Stats()
        self._turns.clear()
        last = self.watermark
        for done, line in enumerate(batch):
            if self._give_way is not None and done % _YIELD_EVERY == 0:
                self._give_way(len(batch) - done)
            record = decode_line(line.raw)
            if record is None:
                self._set_aside(line, stats)
                continue
            keys += [(key_hash(tag), line.pos) for tag in record_keys(record)]
            stats.count(record, len(line.raw) + 1)
            if record.stream == "memory":
                said.append((line.pos, record))
            if words.search_group(record) is not None:
                text, talk = words.record_text(record), self._talk(parts.catalog, line.pos, record)
                parts.text.add(line.pos, text, words.bin_name(record), talk)
            last = Watermark(line.end, line.pos, record.id)
        self.watermark = Watermark(batch[-1].end, last.last_pos, last.last_id)
        if parts is self._parts:  # one that is being made is in force only when it is whole
            parts.text.commit()
        parts.catalog.put(sorted(keys), stats.rows(), self.watermark, said)
        return len(batch)

    def _talk(self, catalog: Catalog, pos: int, record: Record) -> str | None:
        """A turn of a conversation with the two before it; None of what is no turn."""
        said = words.turn_text(record)
        if said is None:
            return None
        session = str(record.session_id)
        if session not in self._turns:
            self._turns[session] = self._turns_before(catalog, pos, session)
        before = self._turns[session]
        talk = "\n".join((*before, said))
        self._turns[session] = [*before, said][-_WINDOW:]
        return talk

    def _turns_before(self, catalog: Catalog, pos: int, session: str) -> list[str]:
        """The last turns of a session that earlier batches indexed."""
        tag, found = keys.turns_in(session), []
        for earlier in catalog.positions(key_hash(tag), _WINDOW + 2):
            record = self._reader.record_at(earlier) if earlier < pos else None
            if record is not None and tag in record_keys(record):
                found.append(words.turn_text(record) or "")
        return found[:_WINDOW][::-1]

    def _set_aside(self, line: Line, stats: "_Stats") -> None:
        if not line.raw.strip():
            return
        stats.damaged()
        try:
            quarantine.quarantine_bytes(self._place, line.pos, line.raw)
        except (OSError, LogError):
            return


class _Stats:
    """Counts of one batch, by day and name."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], list[Any]] = {}

    def count(self, record: Record, size: int) -> None:
        day, ts = record.ts[:10], record.ts
        tokens = record.body.tokens if record.kind == "access" else 0
        tokens = tokens if isinstance(tokens, int) else 0
        self._add(day, f"kind:{record.kind}", size, tokens, ts)
        detail = record.source_detail
        if isinstance(detail, str) and detail.startswith("hook:"):
            self._add(day, detail, size, 0, ts)

    def damaged(self) -> None:
        self._add("", "damaged", 0, 0, "")

    def rows(self) -> Iterable[Stat]:
        return (Stat(*name, *counts) for name, counts in self._rows.items())

    def _add(self, day: str, name: str, size: int, tokens: int, ts: str) -> None:
        counts = self._rows.setdefault((day, name), [0, 0, 0, ""])
        counts[0] += 1
        counts[1] += size
        counts[2] += tokens
        counts[3] = max(counts[3], ts)


def _open_parts(directory: Path, *, is_new: bool = False) -> _Parts:
    text = TextIndex(directory / "text", is_new=is_new)
    return _Parts(Catalog(directory / "catalog.sqlite", wait=5.0), text)
