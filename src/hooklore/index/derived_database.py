"""A SQLite file of the index: it can be made again from the log, so speed counts and durability does not."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from hooklore.errors import IndexUnusable, LogError


class DerivedDatabase(ABC):
    """One file with a schema of its own. Every problem with the file is an `IndexUnusable`."""

    _path: Path
    _db: sqlite3.Connection
    _SCHEMA: ClassVar[int]
    _CACHE_KIB: ClassVar[int]

    @abstractmethod
    def _connect(self) -> sqlite3.Connection:
        """Return a connection to the file, made where it is to be."""

    @abstractmethod
    def _create(self) -> None:
        """Make the tables of a new file, and note their schema."""

    def _open(self) -> None:
        """Open the file. Raise `IndexUnusable` for a damaged one, or one of another schema."""
        try:
            self._db = self._connect()
        except (sqlite3.Error, OSError, LogError) as error:
            raise IndexUnusable(str(self._path), str(error)) from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            raise IndexUnusable(str(self._path), str(error)) from None
        except IndexUnusable:
            self._db.close()
            raise

    def _prepare(self) -> None:
        """Set the connection up, and make the tables of a new file."""
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=OFF")  # disposable: the log is what must survive
        self._db.execute(f"PRAGMA cache_size=-{self._CACHE_KIB}")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            self._create()
        elif version != self._SCHEMA:
            raise IndexUnusable(str(self._path), f"its schema is {version}, not {self._SCHEMA}")

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def _query(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise IndexUnusable(str(self._path), str(error)) from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit what is written inside, or change nothing and raise `IndexUnusable`."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise IndexUnusable(str(self._path), str(error)) from None
