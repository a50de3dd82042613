"""Say where one query is answered from, and as of when."""

from dataclasses import dataclass

from hooklore.broker.principal_reader import Reader
from hooklore.retrieval.query import RecallQuery


@dataclass(frozen=True, slots=True)
class SearchScope:
    """One query and its reader, the bins that answer it, and the time (RFC 3339, UTC) at which it is asked.

    `bins` has the weight of a score in each bin.
    """

    reader: Reader
    query: RecallQuery
    bins: dict[str, float]
    now: str
