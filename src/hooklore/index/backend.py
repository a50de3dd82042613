"""What an index must be able to do, whichever it is: words (the default), vectors, or mem0 (seed 003 core)."""

import shutil
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from hooklore.errors import IndexUnusable
from hooklore.index.text import TextIndex

Hits = list[tuple[float, int]]
"""(score, position in the log), best first. Scores of two backends cannot be compared, places can."""


class IndexEntry(NamedTuple):
    """What is indexed of a record: its position, its id, its words, and its bin (`words.bin_of`)."""

    pos: int
    id: str
    text: str
    bin: str


class Backend(Protocol):
    """An index over the log: disposable, of one process at a time. Every method raises IndexUnusable."""

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Index these; they are found at once. A position that is there already is replaced."""

    def search(
        self, text: str, bins: Collection[str], limit: int, *, before: int | None = None
    ) -> Hits:
        """At most `limit` entries of these bins that bear on a text, of positions `before` one."""

    def erase(self) -> None:
        """Remove everything, from the disk too: an index keeps the terms of what it has read."""

    def rebuild(self, entries: Iterable[IndexEntry]) -> None:
        """Hold these entries and nothing else."""

    def close(self) -> None:
        """Let files go."""


class LexicalBackend:
    """The text index as a backend: BM25 over words and pairs of CJK characters."""

    def __init__(self, directory: Path) -> None:
        """Open the index in this directory, or make it. Raises IndexUnusable."""
        self._directory = directory
        self._index = TextIndex(directory, is_new=not (directory / "meta.json").exists())

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Index these."""
        for entry in entries:
            self._index.delete_at(entry.pos)
            self._index.add(entry.pos, entry.text, entry.bin)
        self._index.commit()

    def search(
        self, text: str, bins: Collection[str], limit: int, *, before: int | None = None
    ) -> Hits:
        """Entries that share a term with a text."""
        asked = self._index.question(text)
        return self._index.search(asked.terms, bins, limit, before=before, pairs=asked.pairs)

    def erase(self) -> None:
        """Remove the directory and begin an empty index."""
        self._index.close()
        try:
            shutil.rmtree(self._directory)
        except OSError as error:
            raise IndexUnusable(str(self._directory), error.strerror or str(error)) from None
        self._index = TextIndex(self._directory, is_new=True)

    def rebuild(self, entries: Iterable[IndexEntry]) -> None:
        """Hold these and nothing else."""
        self.erase()
        self.add(list(entries))

    def close(self) -> None:
        """Let the writer go."""
        self._index.close()
