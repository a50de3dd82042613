"""The interface of an index, implemented by words (the default), vectors and mem0 (seed 003 core)."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from hooklore.index.question import AnalyzedQuery
from hooklore.index.text import TextIndex

Hits = list[tuple[float, int]]
"""(score, position in the log), best first. Scores of two backends are not comparable, ranks are."""


class IndexEntry(NamedTuple):
    """The indexed parts of a record: its position, its id, its text, and its bin (`words.bin_name`)."""

    pos: int
    id: str
    text: str
    bin: str


class Backend(Protocol):
    """A disposable index over the log, used by one process at a time. Every method may raise `IndexUnusable`.

    It lies in a generation, and is erased and rebuilt with that.
    """

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Index `entries`, which are found at once. An existing position is replaced."""

    def search(
        self, text: str, bins: Collection[str], limit: int, *, before: int | None = None
    ) -> Hits:
        """Return at most `limit` entries of `bins` that are relevant to `text`, at positions before `before`."""

    def close(self) -> None:
        """Close the files."""


class LexicalBackend:
    """The text index as a backend: BM25 over words and pairs of CJK characters."""

    def __init__(self, directory: Path) -> None:
        """Open the index in `directory`, or create an index there. Raise `IndexUnusable` on failure."""
        self._index = TextIndex(directory, is_new=not (directory / "meta.json").exists())

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Index `entries`."""
        for entry in entries:
            self._index.delete_at(entry.pos)
            self._index.add(entry.pos, entry.text, entry.bin)
        self._index.commit()

    def search(
        self, text: str, bins: Collection[str], limit: int, *, before: int | None = None
    ) -> Hits:
        """Return entries that share a term with `text`."""
        query = AnalyzedQuery(text, self._index.analyze)
        return self._index.search(query.terms, bins, limit, before=before, pairs=query.pairs)

    def close(self) -> None:
        """Close the writer."""
        self._index.close()
