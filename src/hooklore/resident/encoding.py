"""The thread that encodes vectors: lowest priority, one text at a time, asleep when all is done."""

import contextlib
import os
import threading
from collections.abc import Callable

from hooklore.config import StoreLocation
from hooklore.hooks import journal
from hooklore.hooks.log_sanitizer import describe_error
from hooklore.resident import heap
from hooklore.retrieval.semantic.search import SemanticSearch, SharedEncoder
from hooklore.retrieval.semantic.vector_indexing import VectorIndexer

_NICE = 15
_SETTLED_SECONDS = 1.0
"""The delay after an append: the index commits within half a second, and hooks come in groups."""

_AGAIN_SECONDS = 30.0


class EncodingThread(threading.Thread):
    """Encodes the records that this process has indexed."""

    def __init__(
        self,
        place: StoreLocation,
        model: SharedEncoder,
        semantic: SemanticSearch,
        *,
        may_write: Callable[[], bool],
        give_way: Callable[[], object],
        warms: bool = True,
    ) -> None:
        """Prepare the thread. `may_write` returns whether this process indexes. `give_way` lets hooks go first.

        With `warms` the model is loaded at once.
        """
        super().__init__(name="encoder", daemon=True)
        self._encoding = VectorIndexer(place, model)
        self._semantic = semantic
        self._may_write = may_write
        self._give_way = give_way
        self._warms = warms
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self.problem: str | None = None
        self.is_encoding = False

    def wake(self) -> None:
        """Report new records."""
        self._wanted.set()

    def stop(self) -> None:
        """End after the text that is being encoded. The next resident encodes the remaining ones."""
        self._stopping.set()
        self._wanted.set()

    def run(self) -> None:
        """Encode when woken, until no text is left."""
        with contextlib.suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        self._stopping.wait(_SETTLED_SECONDS)
        if self._warms:
            self._semantic.warm()
        while not self._stopping.is_set():
            self._wanted.wait()
            self._wanted.clear()
            self._stopping.wait(_SETTLED_SECONDS)
            self._encode()
        self._encoding.close()

    def _encode(self) -> None:
        self.is_encoding = True
        try:
            worked = False
            while self._may_write() and not self._stopping.is_set():
                if not self._encoding.step(lambda: self._stopping.is_set() or self._give_way()):
                    break
                worked = True
            self.problem = None
            if worked:
                heap.trim_heap()
        except Exception as error:
            self.problem = describe_error(error)
            journal.write_error("hooklore: could not encode", error)
            self._stopping.wait(_AGAIN_SECONDS)
        finally:
            self.is_encoding = False
