"""What a context was shown already, so that it is never shown twice."""

from collections.abc import Iterable

from hooklore.broker.bounded_cache import evict_oldest
from hooklore.broker.broker import Broker
from hooklore.records import keys
from hooklore.retrieval.query import RecallQuery, context_key


class ShownHistory:
    """The ids that each context was shown: from memory, else from the log's access records."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._shown: dict[str, set[str]] = {}

    def of(self, asked: RecallQuery) -> set[str]:
        """Ids this context was shown."""
        context = context_key(asked)
        if context not in self._shown:
            self._shown[context] = self._by_log(asked, context)
        return self._shown[context]

    def add(self, asked: RecallQuery, ids: Iterable[str]) -> None:
        """These are shown to this context now."""
        self.of(asked).update(ids)
        evict_oldest(self._shown)

    def forget(self, asked: RecallQuery) -> None:
        """After a compaction nothing of what was shown is still in front of the model."""
        self._shown[context_key(asked)] = set()

    def _by_log(self, asked: RecallQuery, context: str) -> set[str]:
        found: set[str] = set()
        for record in self._broker.view.lookup(keys.shown_in(asked.session_id), 200):
            if record.body.extra("context") == context:
                found.update(record.body.targets)
                if record.body.extra("fresh"):
                    break  # what was shown before a compaction is no longer there
        return found
