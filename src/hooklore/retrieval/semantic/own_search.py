"""The search by meaning of a process that answers by itself: a command, or a program with the Python client."""

from typing import TYPE_CHECKING

from hooklore.broker import Broker
from hooklore.retrieval.recall import Recall
from hooklore.retrieval.semantic.availability import semantic_unavailable_reason

if TYPE_CHECKING:
    from hooklore.retrieval.semantic.search import SemanticSearch


def semantic_search(broker: Broker) -> "SemanticSearch | None":
    """Return the search by meaning as the resident has it, or None where the extra is not installed.

    The vectors come from our own table: only one process may have mem0's index open.
    """
    if semantic_unavailable_reason(broker.settings.recall.semantic) is not None:
        return None
    from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder

    return SemanticSearch(broker.place, SharedEncoder(), patience=None)


def own_recall(broker: Broker) -> Recall:
    """Return the recall of this process, by meaning, too, where the extra is installed."""
    return Recall(broker, semantic_search(broker))
