"""Remember which records a context was shown, so that none is shown twice."""

from collections.abc import Iterable

from hooklore.broker.bounded_cache import evict_oldest
from hooklore.broker.broker import Broker
from hooklore.index import keys
from hooklore.records.draft import PERSON
from hooklore.retrieval.query import RecallQuery, context_key

_MAX_ACCESSES = 200


class ShownHistory:
    """The ids that each context was shown: from memory, else from the log's access records.

    Agents may not read access records, so the log is read as its owner.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._shown: dict[str, set[str]] = {}

    def of(self, query: RecallQuery) -> set[str]:
        """Return the ids that the context of `query` was shown."""
        context = context_key(query)
        if context not in self._shown:
            self._shown[context] = self._read_log(query, context)
        return self._shown[context]

    def add(self, query: RecallQuery, ids: Iterable[str]) -> None:
        """Note that the context of `query` is shown `ids` now."""
        self.of(query).update(ids)
        evict_oldest(self._shown)

    def withdraw(self, query: RecallQuery, ids: Iterable[str]) -> None:
        """Note that `ids` did not reach the context of `query`."""
        self.of(query).difference_update(ids)

    def forget(self, query: RecallQuery) -> None:
        """Forget the context of `query`: after a compaction the model has none of its notes before it."""
        self._shown[context_key(query)] = set()

    def _read_log(self, query: RecallQuery, context: str) -> set[str]:
        found: set[str] = set()
        owner = self._broker.as_reader(PERSON)
        for access in owner.history(keys.shown_in(query.session_id), _MAX_ACCESSES):
            if access.body.extra("context") == context:
                found.update(access.body.targets)
                if access.body.extra("fresh"):
                    break  # a compaction took away everything that was shown before
        return found
