"""Say where one query is answered from, and as of when."""

from dataclasses import dataclass
from functools import cached_property

from hooklore.broker.principal_reader import Reader
from hooklore.retrieval.query import RecallQuery
from hooklore.retrieval.relevance import gate


@dataclass(frozen=True)
class SearchScope:
    """One query and its reader, the bins that answer it, and the time (RFC 3339, UTC) at which it is asked.

    `bins` has the weight of a score in each bin.
    """

    reader: Reader
    query: RecallQuery
    bins: dict[str, float]
    now: str

    @cached_property
    def prompt_terms(self) -> set[str]:
        """The distinct terms of the query's sentences."""
        return set(self.reader.terms("\n".join(gate.split_sentences(self.query.text))))
