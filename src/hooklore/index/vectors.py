"""The table of vectors of one generation: a byte a number in SQLite, compared in memory."""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hooklore.index.backend import Hits, IndexEntry
from hooklore.index.derived_database import DerivedDatabase
from hooklore.index.encoder import DIMENSION, Encoder, quantize_vectors

MAX_VECTORS = 100_000
"""Stored vectors, 40 MB in all: those of the newest records and of all memories."""

NAME: Final = "vectors.sqlite"
_BYTES = 4 + DIMENSION
_CHUNK = 4_000
_BLOCK = 2_048
"""Rows that are compared at once, which as float32 fit into a cache."""

_TABLES = """
CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, pos INTEGER UNIQUE NOT NULL, key INTEGER NOT NULL,
    bin TEXT NOT NULL, vector BLOB NOT NULL
);
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
"""


class VectorTable(DerivedDatabase):
    """Positions to vectors. Many tables may read while one writes, and each thread has one of its own."""

    _SCHEMA = 1
    _CACHE_KIB = 1024

    def __init__(self, directory: Path, encoder: Encoder, *, make: bool = True) -> None:
        """Open the table in `directory`, or create one there if `make`. Raise `IndexUnusable` on failure."""
        self._path = directory / NAME
        self._encoder = encoder
        self._mode = "rwc" if make else "rw"
        self._rows: dict[str, _Rows] = {}
        self._last = 0
        self._open()

    # ---- the interface of a backend

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Encode `entries` and store their vectors."""
        codes = quantize_vectors([self._encoder.passage(entry.text) for entry in entries])
        rows = [(e.pos, vector_key(e.id), e.bin, c) for e, c in zip(entries, codes, strict=True)]
        self._write(_ADD, rows)

    def search(
        self, text: str, bins: Collection[str], limit: int, *, before: int | None = None
    ) -> Hits:
        """Return the entries nearest to `text`, with their cosines."""
        (cosines,) = self.compare(self._encoder.questions([text]), bins)
        return cosines.nearest(limit, before)

    # ---- recall

    def compare(self, vectors: Any, bins: Collection[str]) -> "list[Cosines]":
        """Return the cosines of each row of `vectors` to all vectors in these bins.

        Raise `IndexUnusable` on failure.
        """
        self._load()
        rows = {name: self._rows[name] for name in sorted(bins) if name in self._rows}
        parts = {name: (r.keys, r.positions, r.times(vectors)) for name, r in rows.items()}
        return [
            Cosines({name: (keys, pos, found[n]) for name, (keys, pos, found) in parts.items()})
            for n in range(len(vectors))
        ]

    # ---- the writer

    def known(self, positions: Sequence[int]) -> set[int]:
        """Return the positions that have a vector. Raise `IndexUnusable` on failure."""
        found: set[int] = set()
        for start in range(0, len(positions), 500):
            some = positions[start : start + 500]
            marks = ",".join("?" * len(some))
            rows = self._query(f"SELECT pos FROM vectors WHERE pos IN ({marks})", some)  # noqa: S608
            found.update(row[0] for row in rows)
        return found

    def count(self) -> int:
        """Return the number of vectors. Raise `IndexUnusable` on failure."""
        return int(self._query("SELECT count(*) FROM vectors", ())[0][0])

    def mark(self, name: str) -> int | None:
        """Return the number that is stored under `name`, or None. Raise `IndexUnusable` on failure."""
        rows = self._query("SELECT value FROM meta WHERE name = ?", (name,))
        return int(rows[0][0]) if rows else None

    def set_mark(self, name: str, value: int) -> None:
        """Store a number under `name`. Raise `IndexUnusable` on failure."""
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(name, value)])

    def trim(self, most: int = MAX_VECTORS) -> int:
        """Delete the oldest vectors beyond `most`, memories excepted, and return their number.

        Raise `IndexUnusable` on failure.
        """
        extra = self.count() - most
        if extra <= 0:
            return 0
        self._write(_TRIM, [(extra,)])
        return extra

    # ---- the database

    def _create(self) -> None:
        self._db.executescript(
            f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version={self._SCHEMA}; COMMIT;"
        )

    def _connect(self) -> sqlite3.Connection:
        # Its directory is a generation's: one that a scrub removed must not come back.
        return sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={self._mode}", uri=True, timeout=1.0,
            isolation_level=None, check_same_thread=False,
        )  # fmt: skip

    def _write(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        with self._transaction():
            self._db.executemany(sql, rows)

    def _load(self) -> None:
        """Load the vectors added since, with one query for all bins, because each query lets other threads run."""
        sql = "SELECT seq, pos, key, vector, bin FROM vectors WHERE seq > ? ORDER BY seq LIMIT ?"
        while found := self._query(sql, (self._last, _CHUNK)):
            self._last = found[-1][0]
            for name in {row[4] for row in found}:
                rows = [row for row in found if row[4] == name]
                self._rows.setdefault(name, _Rows()).append(rows)
            if len(found) < _CHUNK:
                return


def vector_key(id_: str) -> int:
    """Return the key of a record's vector: the 62 random bits of the record's id."""
    return int(id_.replace("-", "")[16:], 16) & (1 << 62) - 1


_ADD = "INSERT OR REPLACE INTO vectors (pos, key, bin, vector) VALUES (?, ?, ?, ?)"
_TRIM = """
DELETE FROM vectors WHERE pos IN (
    SELECT pos FROM vectors WHERE bin NOT LIKE 'memory|%' ORDER BY pos LIMIT ?
)
"""


class _Rows:
    """One bin's vectors in memory, in the order of their addition."""

    def __init__(self) -> None:
        import numpy as np

        self._np = np
        self.count = 0
        self._names = np.empty((0, 2), np.int64)
        self._scales = np.empty(0, np.float32)
        self._codes = np.empty((0, DIMENSION), np.int8)

    @property
    def positions(self) -> Any:
        return self._names[: self.count, 0]

    @property
    def keys(self) -> Any:
        return self._names[: self.count, 1]

    def append(self, found: Sequence[tuple[Any, ...]]) -> None:
        found = [row for row in found if len(row[3]) == _BYTES]
        if not found:
            return
        np, end = self._np, self.count + len(found)
        self._make_room(end)
        names = np.array([row[1:3] for row in found], np.int64)
        # A replaced vector is stored twice: a scale of 0 makes the first unlike any other.
        self._scales[: self.count][np.isin(self.positions, names[:, 0])] = 0
        raw = np.frombuffer(b"".join(row[3] for row in found), np.uint8)
        raw = raw.reshape(len(found), _BYTES)
        self._names[self.count : end] = names
        self._scales[self.count : end] = raw[:, :4].copy().view(np.float32)[:, 0]
        self._codes[self.count : end] = raw[:, 4:].view(np.int8)
        self.count = end

    def _make_room(self, wanted: int) -> None:
        if wanted <= len(self._scales):
            return
        size, np = max(wanted, len(self._scales) * 5 // 4, 64), self._np
        for name in ("_names", "_scales", "_codes"):
            old = getattr(self, name)
            grown = np.empty((size, *old.shape[1:]), old.dtype)
            grown[: self.count] = old[: self.count]
            setattr(self, name, grown)

    def times(self, vectors: Any) -> Any:
        """Return a row of cosines for each of `vectors`.

        They are computed block by block, because all rows as float32 would take four times the memory.
        """
        np = self._np
        found = np.empty((len(vectors), self.count), np.float32)
        block = np.empty((min(_BLOCK, self.count), DIMENSION), np.float32)
        for start in range(0, self.count, _BLOCK):
            end = min(start + _BLOCK, self.count)
            part = block[: end - start]
            part[...] = self._codes[start:end]
            found[:, start:end] = vectors @ part.T
        found *= self._scales[: self.count]
        # A row's place in its block changes its last digits: rounding keeps equal cosines equal.
        return np.round(found, 4)


class Cosines:
    """The similarity of all vectors in some bins to one vector."""

    def __init__(self, parts: Mapping[str, tuple[Any, Any, Any]]) -> None:
        """Store `parts`: triples of arrays for each bin, with keys, positions and cosines."""
        self._parts = parts

    @classmethod
    def maximum(cls, several: "Sequence[Cosines]") -> "Cosines":
        """Return for each vector its largest cosine of `several` comparisons of the same bins."""
        import numpy as np

        first = several[0]._parts
        return cls({
            name: (keys, where, np.max([each._parts[name][2] for each in several], axis=0))
            for name, (keys, where, _) in first.items()
        })  # fmt: skip

    def nearest(
        self, limit: int, before: int | None = None, bins: Collection[str] | None = None
    ) -> Hits:
        """Return (cosine, position) of the nearest vectors, best first, of `bins` alone if given."""
        parts = (part for name, part in self._parts.items() if bins is None or name in bins)
        hits = [hit for part in parts for hit in _nearest(part, limit, before)]
        return sorted(hits, key=lambda hit: (-hit[0], -hit[1]))[:limit]

    def of(self, keys: Collection[int]) -> dict[int, float]:
        """Return the cosines of the vectors with these keys, as far as they exist."""
        import numpy as np

        wanted = np.sort(np.fromiter(keys, np.int64, len(keys)))
        found: dict[int, float] = {}
        for known, _, cosines in self._parts.values() if len(wanted) else ():
            places = np.searchsorted(wanted, known)  # `np.isin` would sort all known keys
            here = np.nonzero(wanted[np.minimum(places, len(wanted) - 1)] == known)[0]
            found.update(zip(known[here].tolist(), cosines[here].tolist(), strict=True))
        return found


def _nearest(part: tuple[Any, Any, Any], limit: int, before: int | None) -> Hits:
    import numpy as np

    _, where, cosines = part
    if before is not None:
        where, cosines = where[where < before], cosines[where < before]
    if len(where) > limit:
        best = np.argpartition(cosines, -limit)[-limit:]
        where, cosines = where[best], cosines[best]
    return list(zip(cosines.tolist(), where.tolist(), strict=True))
