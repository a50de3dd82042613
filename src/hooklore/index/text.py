"""The text index (tantivy): words and pairs of CJK characters to positions in the log."""

import contextlib
import math
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import tantivy

from hooklore.errors import IndexUnusable, LogError
from hooklore.index import words
from hooklore.index.question import AnalyzedQuery, adjacent_pairs
from hooklore.log import files

_WRITER_BYTES = 15_000_000
_BUILD_BYTES = 80_000_000
"""While an index is made: what fits into the writer is one segment, and every question asks each segment."""
MAX_QUERY_TERMS = 12
"""A long prompt asks for its rarest known terms only: so many pairs of characters, which overlap, or
two thirds as many words. More words than eight change no answer on our sets and cost twice the time."""

_WORD_COST = 1.5

_MAX_CACHED_FREQUENCIES = 8192

CONVERSATION_BOOST = 1.5
"""What a turn's score with the two turns before it counts, beside the score of its own words. What is
no turn has its own score instead, so that the two can be compared."""

ADJACENT_PAIR_BOOST = 0.3
"""What two words that stand side by side in the question and in the record count."""


@contextlib.contextmanager
def _usable(directory: Path) -> Iterator[None]:
    """Whatever damaged files make of tantivy, a panic of its Rust code included, is IndexUnusable."""
    try:
        yield
    except (ValueError, OSError, LogError) as error:
        raise IndexUnusable(str(directory), str(error)) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise IndexUnusable(str(directory), str(error)) from None


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
        """Open the index, or make it when `is_new`. Raises IndexUnusable."""
        self._directory = directory
        self._schema = _schema()
        self._analyzer = words.build_analyzer()
        self._writer: tantivy.IndexWriter | None = None
        self._writer_bytes = _BUILD_BYTES if is_new else _WRITER_BYTES
        with _usable(directory):
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
        """See what has been committed since. Raises IndexUnusable."""
        with _usable(self._directory):
            self._index.reload()
            self._searcher = self._index.searcher()
            self._documents = int(self._searcher.num_docs)
            self._frequencies: dict[tuple[str, str], int] = {}

    def add(self, pos: int, text: str, bin_: str, talk: str | None = None) -> None:
        """Index this text under a position. Seen after `commit`. Raises IndexUnusable.

        `talk` is a turn of a conversation with the turns before it.
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
        with _usable(self._directory):
            self._opened_writer().add_document(document)

    def delete_from(self, pos: int) -> None:
        """Take out everything from a position on (recovery: it is added anew). Raises IndexUnusable."""
        newer = tantivy.Query.range_query(
            self._schema, "pos", tantivy.FieldType.Unsigned, lower_bound=pos
        )
        with _usable(self._directory):
            if self._searcher.search(newer, 1).hits:
                self._opened_writer().delete_documents_by_query(newer)
                self.commit()

    def delete_at(self, pos: int) -> None:
        """Take out what stands under a position, if anything does. Raises IndexUnusable."""
        same = tantivy.Query.term_query(self._schema, "pos", pos)
        with _usable(self._directory):
            if self._searcher.search(same, 1).hits:
                self._opened_writer().delete_documents_by_query(same)

    def commit(self) -> None:
        """Write what was added to the disk, and see it. Raises IndexUnusable."""
        with _usable(self._directory):
            if self._writer is not None:
                self._writer.commit()
        self.refresh()

    def rest(self) -> None:
        """Give the writer's memory back until there is more to add. Raises IndexUnusable."""
        if self._writer is not None:
            writer, self._writer, self._writer_bytes = self._writer, None, _WRITER_BYTES
            with _usable(self._directory):
                writer.wait_merging_threads()

    def _opened_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(self._writer_bytes, 1)
        return self._writer

    def analyse(self, text: str) -> list[str]:
        """The terms of a text, in order, as often as they stand in it."""
        return list(self._analyzer.analyze(words.expand_identifiers(text)))

    def question(self, text: str) -> AnalyzedQuery:
        """A text, to be compared with what is indexed."""
        return AnalyzedQuery(text, self.analyse)

    def terms(self, text: str) -> list[str]:
        """The distinct terms of a text, in order."""
        return self.question(text).terms

    def idf(self, term: str) -> float:
        """How rare a term is: ln(1 + (N - n + .5) / (n + .5)), as BM25 has it. Raises IndexUnusable."""
        known = self._frequency("body", term)
        return math.log(1 + (self.documents - known + 0.5) / (known + 0.5))

    def _frequency(self, field: str, term: str) -> int:
        """How many documents have a term in a field; the same words are asked for again and again."""
        known = self._frequencies.get((field, term))
        if known is None:
            with _usable(self._directory):
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
        """(score, position), best first, of documents in these bins that share a term.

        `before` leaves out positions from there on; `pairs` are the question's neighbouring terms.
        Raises IndexUnusable.
        """
        with _usable(self._directory):
            searcher = self._searcher
            known = [(self._frequency("body", t), t) for t in terms]
            rarest = _rarest([pair for pair in known if pair[0]], most)
            if not rarest or not bins:
                return []
            close = [pair for pair in pairs if self._frequency("pair", pair)][:MAX_QUERY_TERMS]
            query = self._query(rarest, close, bins)
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
        """Turns of conversations apart from the rest, for their scores are made differently.

        Bins that hold nothing are not asked: most stores have no conversations.
        """
        bins = [name for name in bins if self._frequency("bin", name)]
        turns = [name for name in bins if words.is_bin_of_turns(name)]
        rest = [name for name in bins if not words.is_bin_of_turns(name)]
        fields = (
            {"body": 1.0, "talk": CONVERSATION_BOOST, "pair": ADJACENT_PAIR_BOOST},
            {"body": 1 + CONVERSATION_BOOST, "pair": ADJACENT_PAIR_BOOST},
        )
        clauses = [
            self._clause(terms, pairs, names, boosts)
            for names, boosts in zip((turns, rest), fields, strict=True)
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
        said = [
            (tantivy.Occur.Should, self._term(name, term, boost))
            for name, boost in boosts.items()
            for term in (pairs if name == "pair" else terms)
        ]
        # Term by term: a set's query walks the dictionary, and takes a quarter longer.
        within = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "bin", name, "basic"))
                for name in bins
            ]
        )
        return tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.boolean_query(said)),
                (tantivy.Occur.Must, tantivy.Query.const_score_query(within, 0.0)),
            ]
        )

    def _term(self, field: str, term: str, boost: float) -> tantivy.Query:
        query = tantivy.Query.term_query(self._schema, field, term, "freq")
        return tantivy.Query.boost_query(query, boost)

    @property
    def documents(self) -> int:
        """How many documents it holds."""
        return self._documents

    def close(self) -> None:
        """Let the writer go."""
        with contextlib.suppress(IndexUnusable):
            self.rest()


def _rarest(known: list[tuple[int, str]], most: float) -> list[str]:
    """The rarest of these (documents, term), as many as `most` allows."""
    found: list[str] = []
    for _, term in sorted(known):
        most -= _WORD_COST if term.isascii() else 1
        if found and most < 0:
            break
        found.append(term)
    return found
