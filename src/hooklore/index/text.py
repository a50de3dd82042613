"""The text index (tantivy): words and pairs of CJK characters to positions in the log."""

import contextlib
import math
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import tantivy

from hooklore.errors import IndexUnusable, LogError
from hooklore.index import words
from hooklore.index.question import adjacent_pairs
from hooklore.log import files

_WRITER_BYTES = 15_000_000
_BUILD_BYTES = 80_000_000
"""The writer's memory during a rebuild. Its contents become one segment, and a query reads each segment."""

MAX_QUERY_TERMS = 12
"""A long prompt is searched by its rarest known terms: at most this many pairs of characters, which
overlap, or two thirds as many words. More than eight words change no answer on our sets and cost twice
the time."""

_WORD_COST = 1.5

_MAX_CACHED_FREQUENCIES = 8192

CONVERSATION_BOOST = 1.5
"""The weight of a turn's score with the two turns before, relative to the score of its own words. A record
that is no turn has its own score with this weight instead, so that the two are comparable."""

ADJACENT_PAIR_BOOST = 0.3
"""The weight of two words that are adjacent in the query and in the record."""


class _raise_unusable:  # noqa: N801  # used like `contextlib.suppress`
    """Raise any failure of tantivy on damaged files, a panic of its Rust code included, as `IndexUnusable`.

    A generator's context costs a microsecond for each text of a rebuild.
    """

    __slots__ = ("_directory",)

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        is_failure = isinstance(error, ValueError | OSError | LogError)
        if is_failure or type(error).__name__ == "PanicException":
            raise IndexUnusable(str(self._directory), str(error)) from None


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("pos", indexed=True, fast=True)
    builder.add_text_field("body", tokenizer_name="words", index_option="freq")
    builder.add_text_field("talk", tokenizer_name="words", index_option="freq")
    builder.add_text_field("pair", tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field("bin", tokenizer_name="raw", index_option="basic")
    return builder.build()


class TextIndex:
    """Words to positions. Only the holder of the index's writer lock may `add` and `commit`."""

    def __init__(self, directory: Path, *, is_new: bool = False) -> None:
        """Open the index, or create one if `is_new`. Raise `IndexUnusable` on failure."""
        self._directory = directory
        self._schema = _schema()
        self._analyzer = words.build_analyzer()
        self._writer: tantivy.IndexWriter | None = None
        self._writer_bytes = _BUILD_BYTES if is_new else _WRITER_BYTES
        with _raise_unusable(directory):
            if is_new:
                files.make_directory(directory)
            elif not os.path.exists(directory / "meta.json"):
                raise IndexUnusable(str(directory), "it is missing")
            self._index = tantivy.Index(self._schema, path=str(directory))
            self._index.register_tokenizer("words", self._analyzer)
            self._index.register_tokenizer("whitespace", words.build_whitespace_analyzer())
            self._index.config_reader("manual")
        self.refresh()

    def refresh(self) -> None:
        """Make the latest commit visible. Raise `IndexUnusable` on failure."""
        with _raise_unusable(self._directory):
            self._index.reload()
            self._searcher = self._index.searcher()
            self._documents = int(self._searcher.num_docs)
            self._frequencies: dict[tuple[str, str], int] = {}

    def add(self, pos: int, text: str, bin_: str, talk: str | None = None) -> None:
        """Index `text` at a position, visible after `commit`. Raise `IndexUnusable` on failure.

        `talk` is a turn of a conversation with the turns before.
        """
        document = tantivy.Document()
        document.add_unsigned("pos", pos)
        ready = words.expand_identifiers(text)
        document.add_text("body", ready)
        if talk is not None:
            document.add_text("talk", words.expand_identifiers(talk))
        if words.has_pairs(bin_):
            document.add_text("pair", " ".join(adjacent_pairs(self._analyzer.analyze(ready))))
        document.add_text("bin", bin_)
        with _raise_unusable(self._directory):
            self._opened_writer().add_document(document)

    def delete_from(self, pos: int) -> None:
        """Delete all entries from `pos` on, which a recovery adds again. Raise `IndexUnusable` on failure."""
        newer = tantivy.Query.range_query(
            self._schema, "pos", tantivy.FieldType.Unsigned, lower_bound=pos
        )
        with _raise_unusable(self._directory):
            if self._searcher.search(newer, 1).hits:
                self._opened_writer().delete_documents_by_query(newer)
                self.commit()

    def delete_at(self, pos: int) -> None:
        """Delete the entry at `pos`, if there is one. Raise `IndexUnusable` on failure."""
        same = tantivy.Query.term_query(self._schema, "pos", pos)
        with _raise_unusable(self._directory):
            if self._searcher.search(same, 1).hits:
                self._opened_writer().delete_documents_by_query(same)

    def commit(self) -> None:
        """Write the added entries to the disk and make them visible. Raise `IndexUnusable` on failure."""
        with _raise_unusable(self._directory):
            if self._writer is not None:
                self._writer.commit()
        self.refresh()

    def rest(self) -> None:
        """Release the writer's memory until the next `add`. Raise `IndexUnusable` on failure."""
        if self._writer is not None:
            writer, self._writer, self._writer_bytes = self._writer, None, _WRITER_BYTES
            with _raise_unusable(self._directory):
                writer.wait_merging_threads()

    def _opened_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(self._writer_bytes, 1)
        return self._writer

    def analyze(self, text: str) -> list[str]:
        """Return the terms of `text`, in order and with repetitions."""
        return list(self._analyzer.analyze(words.expand_identifiers(text)))

    def idf(self, term: str) -> float:
        """Return the rarity of a term as in BM25: ln(1 + (N - n + .5) / (n + .5)).

        Raise `IndexUnusable` on failure.
        """
        known = self._frequencies.get(("body", term))
        if known is None:
            with _raise_unusable(self._directory):
                known = self._frequency("body", term)
        return math.log(1 + (self.documents - known + 0.5) / (known + 0.5))

    def _frequency(self, field: str, term: str) -> int:
        """Return the number of documents with `term` in `field`, cached because the same words recur.

        The caller turns failures of tantivy into `IndexUnusable`: twenty terms of a prompt need that once.
        """
        known = self._frequencies.get((field, term))
        if known is None:
            known = int(self._searcher.doc_freq(field, term))
            if len(self._frequencies) >= _MAX_CACHED_FREQUENCIES:
                self._frequencies.clear()
            self._frequencies[field, term] = known
        return known

    def search(
        self,
        terms: Sequence[str],
        bins: Collection[str],
        limit: int,
        *,
        before: int | None = None,
        pairs: Sequence[str] = (),
        most: int = MAX_QUERY_TERMS,
    ) -> list[tuple[float, int]]:
        """Return (score, position) of documents in these bins that share a term, best first.

        `before` excludes positions from there on, and `pairs` are the query's adjacent terms. Raise
        `IndexUnusable` on failure.
        """
        with _raise_unusable(self._directory):
            searcher = self._searcher
            known = [(self._frequency("body", t), t) for t in terms]
            rarest = _rarest([pair for pair in known if pair[0]], most)
            if not rarest or not bins:
                return []
            known_pairs = [pair for pair in pairs if self._frequency("pair", pair)][
                :MAX_QUERY_TERMS
            ]
            query = self._query(rarest, known_pairs, bins)
            if before is not None:
                query = self._earlier(query, before)
            hits = searcher.search(query, limit, count=False).hits
            positions = searcher.fast_field_values("pos", [address for _, address in hits])
        return [
            (float(score), int(pos))
            for (score, _), pos in zip(hits, positions, strict=True)
            if pos is not None
        ]

    def _earlier(self, query: tantivy.Query, before: int) -> tantivy.Query:
        must = tantivy.Occur.Must
        earlier = tantivy.Query.range_query(
            self._schema, "pos", tantivy.FieldType.Unsigned, upper_bound=before, include_upper=False
        )
        return tantivy.Query.boolean_query(
            [(must, query), (must, tantivy.Query.const_score_query(earlier, 0.0))]
        )

    def _query(
        self, terms: Sequence[str], pairs: Sequence[str], bins: Collection[str]
    ) -> tantivy.Query:
        """Return a query with separate clauses for turns of conversations, whose scores are computed differently.

        Empty bins are left out, because most stores have no conversations.
        """
        bins = [name for name in bins if self._frequency("bin", name)]
        turns = [name for name in bins if words.is_bin_of_turns(name)]
        others = [name for name in bins if not words.is_bin_of_turns(name)]
        fields = (
            {"body": 1.0, "talk": CONVERSATION_BOOST, "pair": ADJACENT_PAIR_BOOST},
            {"body": 1 + CONVERSATION_BOOST, "pair": ADJACENT_PAIR_BOOST},
        )
        clauses = [
            self._clause(terms, pairs, names, boosts)
            for names, boosts in zip((turns, others), fields, strict=True)
            if names
        ]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, each) for each in clauses])

    def _clause(
        self,
        terms: Sequence[str],
        pairs: Sequence[str],
        bins: list[str],
        boosts: Mapping[str, float],
    ) -> tantivy.Query:
        matches = [
            (tantivy.Occur.Should, self._term(name, term, boost))
            for name, boost in boosts.items()
            for term in (pairs if name == "pair" else terms)
        ]
        # One query per bin: a query of a set walks the dictionary, and takes a quarter longer.
        within = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "bin", name, "basic"))
                for name in bins
            ]
        )
        return tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.boolean_query(matches)),
                (tantivy.Occur.Must, tantivy.Query.const_score_query(within, 0.0)),
            ]
        )

    def _term(self, field: str, term: str, boost: float) -> tantivy.Query:
        query = tantivy.Query.term_query(self._schema, field, term, "freq")
        return tantivy.Query.boost_query(query, boost)

    def count_in(self, bins: Collection[str]) -> int:
        """Return the number of documents in these bins, those that ended included. Raise `IndexUnusable`."""
        with _raise_unusable(self._directory):
            return sum(self._frequency("bin", name) for name in bins)

    @property
    def documents(self) -> int:
        """The number of indexed documents."""
        return self._documents

    def close(self) -> None:
        """Close the writer."""
        with contextlib.suppress(IndexUnusable):
            self.rest()


def _rarest(known: list[tuple[int, str]], most: float) -> list[str]:
    """Return the rarest of these (documents, term), as many as `most` allows."""
    found: list[str] = []
    for _, term in sorted(known):
        most -= _WORD_COST if term.isascii() else 1
        if found and most < 0:
            break
        found.append(term)
    return found
