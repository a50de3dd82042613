"""The text index (tantivy): words and pairs of CJK characters to positions in the log."""

import contextlib
import math
from collections.abc import Sequence
from pathlib import Path

import tantivy

from hooklore.errors import IndexUnusable
from hooklore.index import words
from hooklore.log import files

_WRITER_BYTES = 15_000_000
_QUERY_TERMS = 12
"""A long prompt asks for its rarest known terms only."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("pos", indexed=True, fast=True)
    builder.add_text_field("body", tokenizer_name="words", index_option="freq")
    builder.add_text_field("bin", tokenizer_name="raw", index_option="basic")
    return builder.build()


class TextIndex:
    """Words to positions. Only the holder of the index's writer lock may `add` and `commit`."""

    def __init__(self, directory: Path) -> None:
        """Open, or make, the index. Raises IndexUnusable."""
        self._directory = directory
        self._schema = _schema()
        self._analyzer = words.analyzer()
        self._writer: tantivy.IndexWriter | None = None
        try:
            files.make_directory(directory)
            self._index = tantivy.Index(self._schema, path=str(directory))
            self._index.register_tokenizer("words", self._analyzer)
            self._index.config_reader("manual")
            self._index.reload()
        except (ValueError, OSError) as error:
            raise IndexUnusable(str(directory), str(error)) from None

    def refresh(self) -> None:
        """See what has been committed since."""
        try:
            self._index.reload()
        except (ValueError, OSError) as error:
            raise IndexUnusable(str(self._directory), str(error)) from None

    def add(self, pos: int, text: str, bin_: str) -> None:
        """Index this text under a position. Seen after `commit`."""
        document = tantivy.Document()
        document.add_unsigned("pos", pos)
        document.add_text("body", words.split_scripts(text))
        document.add_text("bin", bin_)
        self._opened_writer().add_document(document)

    def delete_from(self, pos: int) -> None:
        """Take out everything from a position on (recovery: it is added anew)."""
        newer = tantivy.Query.range_query(
            self._schema, "pos", tantivy.FieldType.Unsigned, lower_bound=pos
        )
        if self._index.searcher().search(newer, 1).hits:
            self._opened_writer().delete_documents_by_query(newer)
            self.commit()

    def commit(self) -> None:
        """Write what was added to the disk, and see it. Raises IndexUnusable."""
        try:
            if self._writer is not None:
                self._writer.commit()
        except (ValueError, OSError) as error:
            raise IndexUnusable(str(self._directory), str(error)) from None
        self.refresh()

    def rest(self) -> None:
        """Give the writer's memory back until there is more to add."""
        if self._writer is not None:
            self._writer.wait_merging_threads()
            self._writer = None

    def _opened_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            try:
                self._writer = self._index.writer(_WRITER_BYTES, 1)
            except (ValueError, OSError) as error:
                raise IndexUnusable(str(self._directory), str(error)) from None
        return self._writer

    def terms(self, text: str) -> list[str]:
        """The distinct terms of a text, in order."""
        return list(dict.fromkeys(self._analyzer.analyze(words.split_scripts(text))))

    def idf(self, term: str) -> float:
        """How rare a term is: ln(1 + (N - n + .5) / (n + .5)), as BM25 has it."""
        searcher = self._index.searcher()
        known = searcher.doc_freq("body", term)
        return math.log(1 + (searcher.num_docs - known + 0.5) / (known + 0.5))

    def is_known(self, term: str) -> bool:
        """Whether any document has this term."""
        return self._index.searcher().doc_freq("body", term) > 0

    def search(
        self, terms: Sequence[str], bins: Sequence[str], limit: int
    ) -> list[tuple[float, int]]:
        """(score, position), best first, of documents in these bins that share a term. Raises IndexUnusable."""
        searcher = self._index.searcher()
        known = [(searcher.doc_freq("body", t), t) for t in terms]
        rarest = sorted(pair for pair in known if pair[0])[:_QUERY_TERMS]
        if not rarest or not bins:
            return []
        try:
            hits = searcher.search(
                self._query([t for _, t in rarest], bins), limit, count=False
            ).hits
            positions = searcher.fast_field_values("pos", [address for _, address in hits])
        except (ValueError, OSError) as error:
            raise IndexUnusable(str(self._directory), str(error)) from None
        return [
            (float(score), int(pos))
            for (score, _), pos in zip(hits, positions, strict=True)
            if pos is not None
        ]

    def _query(self, terms: Sequence[str], bins: Sequence[str]) -> tantivy.Query:
        should, must = tantivy.Occur.Should, tantivy.Occur.Must
        said = [(should, tantivy.Query.term_query(self._schema, "body", t, "freq")) for t in terms]
        within = tantivy.Query.term_set_query(self._schema, "bin", list(bins))
        return tantivy.Query.boolean_query(
            [
                (must, tantivy.Query.boolean_query(said)),
                (must, tantivy.Query.const_score_query(within, 0.0)),
            ]
        )

    @property
    def documents(self) -> int:
        """How many documents it holds."""
        return int(self._index.searcher().num_docs)

    def close(self) -> None:
        """Let the writer go."""
        with contextlib.suppress(ValueError, OSError):
            self.rest()
