"""The catalog: exact keys of every record, counts, and the position up to which the log is indexed (SQLite)."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from hooklore.errors import IndexUnusable
from hooklore.index import memories
from hooklore.index.derived_database import DerivedDatabase
from hooklore.index.record_keys import hook_name
from hooklore.log import files
from hooklore.log.reader import LogReader
from hooklore.records.record import Record

CATALOG_SCHEMA = 7
"""Raised when the tables or the keys change, or when lines that were not understood are.

An older catalog is then rebuilt.
"""

_MOST_VALUES = 500
"""Values of one query: SQLite takes at least 999."""

_SETTLED_NS = 1_000_000_000
"""Age of a journal that nobody is writing. Its time does not change with each write, because systems count it in
steps of 4 ms to a second, and a writer that is held up between its write and its commit changes it no more."""

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE keys (key INTEGER, pos INTEGER, PRIMARY KEY (key, pos)) WITHOUT ROWID;
CREATE TABLE stats (
    day TEXT, name TEXT, events INTEGER NOT NULL, bytes INTEGER NOT NULL, tokens INTEGER NOT NULL,
    last TEXT NOT NULL, PRIMARY KEY (day, name)
) WITHOUT ROWID;
"""


class Stat(NamedTuple):
    """Counts of one day under one name (`kind:prompt`, `hook:Stop`, `damaged`), with bytes and last time."""

    day: str
    name: str
    events: int = 0
    bytes: int = 0
    tokens: int = 0
    last: str = ""


def count_record(record: Record, size: int) -> Iterator[Stat]:
    """Yield the counts that a record of `size` bytes adds: under its kind, and under its hook."""
    tokens = record.body.tokens if record.kind == "access" else 0
    shown = tokens if isinstance(tokens, int) else 0
    yield Stat(record.ts[:10], f"kind:{record.kind}", 1, size, shown, record.ts)
    hook = hook_name(record)
    if hook is not None:
        yield Stat(record.ts[:10], hook, 1, size, 0, record.ts)


@dataclass(frozen=True, slots=True)
class Watermark:
    """The end of the indexed log: `pos` follows the record at `last_pos`, whose id is `last_id`."""

    pos: int = 0
    last_pos: int = -1
    last_id: str = ""

    def fits(self, reader: LogReader) -> bool:
        """Return whether the log still has what was indexed: else it was restored, or cut."""
        if self.last_pos < 0:
            return True
        return reader.id_at(self.last_pos) == self.last_id and reader.end() >= self.pos


class Catalog(DerivedDatabase):
    """Exact keys to positions. Many processes may read while one writes."""

    _SCHEMA = CATALOG_SCHEMA
    _CACHE_KIB = 4096

    def __init__(self, path: Path, *, wait: float = 0.05) -> None:
        """Open or create the catalog at `path`.

        Raise `IndexUnusable` for a damaged catalog, or one of another schema.
        """
        self._path, self._wait = path, wait
        self._journal = f"{path}-wal"
        self._mark_read: tuple[tuple[int, int] | None, Watermark] = None, Watermark()
        self._open()

    def _prepare(self) -> None:
        """Prepare the file, and read what shows that it is whole."""
        super()._prepare()
        self._db.execute("SELECT count(*) FROM meta").fetchone()

    def _connect(self) -> sqlite3.Connection:
        files.make_directory(self._path.parent)
        if not self._path.exists():
            # Create the file first: SQLite would use the umask's mode, and WAL files copy the mode.
            fd = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
            os.close(fd)
        return sqlite3.connect(
            self._path, timeout=self._wait, isolation_level=None, check_same_thread=False
        )

    def _create(self) -> None:
        try:
            self._db.executescript(
                f"BEGIN IMMEDIATE; {_TABLES} {memories.MEMORY_TABLES} PRAGMA user_version={CATALOG_SCHEMA}; COMMIT;"
            )
        except sqlite3.OperationalError:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            # Another process may have created the tables first, which the version then shows.
            if self._db.execute("PRAGMA user_version").fetchone()[0] != CATALOG_SCHEMA:
                raise

    def release_memory(self) -> None:
        """Give up the cached pages, which the next question reads again."""
        self._query("PRAGMA shrink_memory", ())

    def positions(self, digest: int, limit: int = 1000) -> list[int]:
        """Return positions of the records under a key's digest, newest first. Raise `IndexUnusable` on failure."""
        return [
            row[0]
            for row in self._query(
                "SELECT pos FROM keys WHERE key = ? ORDER BY pos DESC LIMIT ?", (digest, limit)
            )
        ]

    def held(self, digests: Iterable[int]) -> set[int]:
        """Return those of `digests` that a record's key has. Raise `IndexUnusable` on failure."""
        asked, found = tuple(digests), set[int]()
        for first in range(0, len(asked), _MOST_VALUES):
            some = asked[first : first + _MOST_VALUES]
            sql = f"SELECT DISTINCT key FROM keys WHERE key IN ({','.join('?' * len(some))})"  # noqa: S608
            found.update(row[0] for row in self._query(sql, some))
        return found

    def watermark(self) -> Watermark:
        """Return the end of the indexed log. Raise `IndexUnusable` on failure.

        Every hook asks, and few commits lie between: the journal's file tells whether there was one.
        """
        stamp = self._journal_stamp()
        if stamp is None or stamp != self._mark_read[0]:
            self._mark_read = stamp, self._read_watermark()
        return self._mark_read[1]

    def _journal_stamp(self) -> tuple[int, int] | None:
        """Return the time and the size of the journal; None where a later commit could leave both as they are."""
        try:
            found = os.stat(self._journal)
        except OSError:
            return None
        is_settled = time.time_ns() - found.st_mtime_ns > _SETTLED_NS
        return (found.st_mtime_ns, found.st_size) if is_settled else None

    def _read_watermark(self) -> Watermark:
        rows = {str(n): str(v) for n, v in self._query("SELECT name, value FROM meta", ())}
        try:
            return Watermark(
                int(rows.get("pos", 0)), int(rows.get("last_pos", -1)), rows.get("last_id", "")
            )
        except ValueError as error:
            raise IndexUnusable(str(self._path), str(error)) from None

    def stats(self) -> list[Stat]:
        """Return all counts. Raise `IndexUnusable` on failure."""
        return [Stat(*row) for row in self._query("SELECT * FROM stats ORDER BY day, name", ())]

    def heads(self, place: int, limit: int) -> list[tuple[int, int]]:
        """Return (line, position) of the newest memory of each line in a place, newest first."""
        sql = "SELECT line, pos FROM memory_heads WHERE place = ? ORDER BY pos DESC LIMIT ?"
        return [(line, pos) for line, pos in self._query(sql, (place, limit))]

    def head_positions(self) -> list[int]:
        """Return positions of the newest memory of each line, newest first. Raise `IndexUnusable` on failure."""
        return [pos for (pos,) in self._query("SELECT pos FROM memory_heads ORDER BY pos DESC", ())]

    def put(
        self,
        keys: Iterable[tuple[int, int]],
        stats: Iterable[Stat],
        watermark: Watermark,
        memory_records: Iterable[tuple[int, Record]] = (),
    ) -> None:
        """Add keys, counts and memories, and move the watermark, in one transaction.

        Raise `IndexUnusable` on failure, with nothing changed.
        """
        memory_records = list(memory_records)
        heads = [h for pos, r in memory_records if (h := memories.memory_head(pos, r)) is not None]
        with self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", keys)
            self._db.executemany(_ADD_STAT, stats)
            self._db.executemany(
                _ADD_MEMORY, [memories.memory_row(pos, r) for pos, r in memory_records]
            )
            self._db.executemany(memories.ADD_HEAD, heads)
            # pos, last_pos and last_id, as `watermark` reads them
            self._db.executemany(_SET_META, asdict(watermark).items())


_ADD_STAT = """
INSERT INTO stats VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (day, name) DO UPDATE SET
events = events + excluded.events, bytes = bytes + excluded.bytes,
tokens = tokens + excluded.tokens, last = max(last, excluded.last)
"""


_SET_META = "INSERT OR REPLACE INTO meta VALUES (?, ?)"

_ADD_MEMORY = f"INSERT OR REPLACE INTO memory_events VALUES ({', '.join('?' * memories.COLUMNS)})"  # noqa: S608
