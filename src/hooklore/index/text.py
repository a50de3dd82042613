"""The text index (tantivy): words and pairs of CJK characters to positions in the log."""

import contextlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import tantivy

from hooklore.errors import IndexUnusable
from hooklore.index import words
from hooklore.log import files

_WRITER_BYTES = 15_000_000
_QUERY_TERMS = 12
"""A long prompt asks for its rarest known terms only."""


@contextlib.contextmanager
def _usable(directory: Path) -> Iterator[None]:
    """Whatever damaged files make of tantivy, a panic of its Rust code included, is IndexUnusable."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise IndexUnusable(str(directory), str(error)) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise IndexUnusable(str(directory), str(error)) from None


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
        with _usable(directory):
            files.make_directory(directory)
            self._index = tantivy.Index(self._schema, path=str(directory))
            self._index.register_tokenizer("words", self._analyzer)
            self._index.config_reader("manual")
            self._index.reload()

    def refresh(self) -> None:
        """See what has been committed since. Raises IndexUnusable."""
        with _usable(self._directory):
            self._index.reload()

    def add(self, pos: int, text: str, bin_: str) -> None:
        """Index this text under a position. Seen after `commit`. Raises IndexUnusable."""
        document = tantivy.Document()
        document.add_unsigned("pos", pos)
        document.add_text("body", words.split_scripts(text))
        document.add_text("bin", bin_)
        with _usable(self._directory):
            self._opened_writer().add_document(document)

    def delete_from(self, pos: int) -> None:
        """Take out everything from a position on (recovery: it is added anew). Raises IndexUnusable."""
        newer = tantivy.Query.range_query(
            self._schema, "pos", tantivy.FieldType.Unsigned, lower_bound=pos
        )
        with _usable(self._directory):
            if self._index.searcher().search(newer, 1).hits:
                self._opened_writer().delete_documents_by_query(newer)
                self.commit()

    def commit(self) -> None:
        """Write what was added to the disk, and see it. Raises IndexUnusable."""
        with _usable(self._directory):
            if self._writer is not None:
                self._writer.commit()
        self.refresh()

    def rest(self) -> None:
        """Give the writer's memory back until there is more to add. Raises IndexUnusable."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            with _usable(self._directory):
                writer.wait_merging_threads()

    def _opened_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(_WRITER_BYTES, 1)
        return self._writer

    def terms(self, text: str) -> list[str]:
        """The distinct terms of a text, in order."""
        return list(dict.fromkeys(self._analyzer.analyze(words.split_scripts(text))))

    def idf(self, term: str) -> float:
        """How rare a term is: ln(1 + (N - n + .5) / (n + .5)), as BM25 has it. Raises IndexUnusable."""
        with _usable(self._directory):
            searcher = self._index.searcher()
            known = searcher.doc_freq("body", term)
            return math.log(1 + (searcher.num_docs - known + 0.5) / (known + 0.5))

    def search(
        self, terms: Sequence[str], bins: Sequence[str], limit: int
    ) -> list[tuple[float, int]]:
        """(score, position), best first, of documents in these bins that share a term. Raises IndexUnusable."""
        with _usable(self._directory):
            searcher = self._index.searcher()
            known = [(searcher.doc_freq("body", t), t) for t in terms]
            rarest = sorted(pair for pair in known if pair[0])[:_QUERY_TERMS]
            if not rarest or not bins:
                return []
            query = self._query([t for _, t in rarest], bins)
            hits = searcher.search(query, limit, count=False).hits
            positions = searcher.fast_field_values("pos", [address for _, address in hits])
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
        """How many documents it holds. Raises IndexUnusable."""
        with _usable(self._directory):
            return int(self._index.searcher().num_docs)

    def close(self) -> None:
        """Let the writer go."""
        with contextlib.suppress(IndexUnusable):
            self.rest()
