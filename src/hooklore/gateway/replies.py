"""Replies to writes with an idempotency key: known for 24 hours, to their own token alone.

A reply holds ids and states, and no text of a memory. What the key was sent with is kept as a hash under a
secret of this file. The log knows a write for ever, by a name that is made of agent, key and body: a write that
comes again after a day, or after this file is gone, is a duplicate.
"""

import contextlib
import hashlib
import hmac
import os
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from hooklore.config import StoreLocation, make_private_directory

_KEPT_SECONDS: Final = 24 * 3600
_BUSY_SECONDS: Final = 10.0
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS secret (value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS reply (
    token TEXT NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL, since REAL NOT NULL,
    status INTEGER, content BLOB, PRIMARY KEY (token, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reply_since ON reply (since);
"""


class KeyReused(Exception):
    """A key comes again with another body."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The status and the body of an answer."""

    status: int
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class KeyedWrite:
    """A write with a key, and the reply that it got already."""

    token: str
    key: bytes
    reply: Reply | None = None


def name_write(agent: str, key: str, body: bytes) -> str:
    """Return the name by which the log knows a write for ever: the same key and body of the same agent.

    It outlives a token: what a client could not send for long comes with the agent's next one.
    """
    return hashlib.sha256(b"\0".join((agent.encode(), key.encode(), body))).hexdigest()[:32]


def replies_path(place: StoreLocation) -> Path:
    """Return the file of the replies, which is derived and may be deleted."""
    return place.directory / "gateway" / "replies.sqlite"


class Replies:
    """The replies of one store's gateways."""

    def __init__(self, place: StoreLocation) -> None:
        """Open the file, a new one where there is none. Raise OSError or sqlite3.Error."""
        path = replies_path(place)
        make_private_directory(path.parent)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
        self._lock = threading.Lock()
        self._file = sqlite3.connect(
            path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._file.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_SCHEMA}")
        self._secret = self._load_secret()

    def begin(self, token: str, key: str, body: bytes, now: float) -> KeyedWrite:
        """Return the write of a key, with its reply where it has one. Raise KeyReused for another body."""
        digest, hashed = self._hash(key.encode()), self._hash(body)
        with self._transaction():
            # A key of the future is of a clock that was wrong, and is kept no longer than any other.
            outside = (now - _KEPT_SECONDS, now + _KEPT_SECONDS)
            self._file.execute("DELETE FROM reply WHERE since NOT BETWEEN ? AND ?", outside)
            self._file.execute(
                "INSERT OR IGNORE INTO reply (token, key, body, since) VALUES (?, ?, ?, ?)",
                (token, digest, hashed, now),
            )
            known, status, content = self._file.execute(
                "SELECT body, status, content FROM reply WHERE token = ? AND key = ?",
                (token, digest),
            ).fetchone()
        if not hmac.compare_digest(known, hashed):
            raise KeyReused
        reply = None if status is None else Reply(status, orjson.loads(content))
        return KeyedWrite(token, digest, reply)

    def finish(self, write: KeyedWrite, reply: Reply) -> None:
        """Keep the reply of a write."""
        with self._transaction():
            self._file.execute(
                "UPDATE reply SET status = ?, content = ? WHERE token = ? AND key = ?",
                (reply.status, orjson.dumps(reply.content), write.token, write.key),
            )

    def drop(self, write: KeyedWrite) -> None:
        """Forget the key of a write that was refused: it may come again with a better body."""
        with self._transaction():
            self._file.execute(
                "DELETE FROM reply WHERE token = ? AND key = ?", (write.token, write.key)
            )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    def _load_secret(self) -> bytes:
        with self._transaction():
            found = self._file.execute("SELECT value FROM secret").fetchone()
            if found is None:
                found = (os.urandom(32),)
                self._file.execute("INSERT INTO secret VALUES (?)", found)
        return bytes(found[0])

    def _hash(self, raw: bytes) -> bytes:
        return hmac.digest(self._secret, raw, "sha256")
