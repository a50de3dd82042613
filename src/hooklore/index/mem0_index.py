"""mem0 as an index (seed 003 core, extra `[mem0]`) with its own store, our encoder and no service.

Nothing leaves the machine. Telemetry is off before mem0's first import, and no model reads the entries
(`infer=False`). The vector store is a folder (qdrant's local mode), and optional parts that would fetch
models are not used.
"""

import os
import shutil
import sys
import threading
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from hooklore.errors import IndexUnusable
from hooklore.index.backend import Hits, IndexEntry
from hooklore.index.encoder import DIMENSION, Encoder
from hooklore.records.record import Json

NAME: Final = "mem0"
_OWNER: Final = "hooklore"


class Mem0Index:
    """mem0's memory of one generation. A folder has one instance at a time, which several threads may share."""

    def __init__(self, directory: Path, encoder: Encoder) -> None:
        """Open or create mem0's folder below `directory`. Raise `IndexUnusable` on failure."""
        self._directory = directory / NAME
        self._encoder = encoder
        self._lock = threading.Lock()
        self._memory = self._opened()

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Index `entries` unchanged."""
        with self._used() as memory:
            for entry in entries:
                for known in self._at(memory, entry.pos):
                    memory.delete(known)
                memory.add(
                    entry.text,
                    user_id=_OWNER,
                    metadata={"pos": entry.pos, "bin": entry.bin},
                    infer=False,
                )

    def search(
        self, text: str, bins: Collection[str], limit: int, *, before: int | None = None
    ) -> Hits:
        """Return the entries that mem0 finds nearest to `text`, with its scores."""
        if not bins or not text.strip():
            return []
        filters: dict[str, Any] = {"user_id": _OWNER, "bin": {"in": sorted(bins)}}
        if before is not None:
            filters["pos"] = {"lt": before}
        with self._used() as memory:
            found = memory.search(text, filters=filters, top_k=limit, threshold=0.0)["results"]
        return [(float(each["score"]), int(each["metadata"]["pos"])) for each in found]

    def erase(self) -> None:
        """Remove mem0's folder and start an empty one."""
        self.close()
        with self._lock:
            try:
                shutil.rmtree(self._directory)
            except OSError as error:
                raise IndexUnusable(str(self._directory), error.strerror or str(error)) from None
            self._memory = self._opened()

    def rebuild(self, entries: Iterable[IndexEntry]) -> None:
        """Replace all entries by `entries`."""
        self.erase()
        self.add(list(entries))

    def close(self) -> None:
        """Close mem0's files."""
        with self._lock:
            self._memory.vector_store.client.close()
            self._memory.close()

    @staticmethod
    def _at(memory: Any, pos: int) -> list[str]:
        """Return mem0's ids of the entries at a position."""
        rows, _ = memory.vector_store.client.scroll(
            memory.collection_name,
            scroll_filter=memory.vector_store._create_filter({"pos": pos}),
            limit=10,
        )
        return [str(row.id) for row in rows]

    def _used(self) -> AbstractContextManager[Any]:
        return _use(self._directory, self._lock, self)

    def _opened(self) -> Any:
        with _raise_unusable(self._directory):
            self._directory.mkdir(exist_ok=True)
            memory_class = _imported(self._directory)
            memory = memory_class.from_config(_settings(self._directory))
            memory.embedding_model = _Embedding(self._encoder)
            memory.vector_store._bm25_encoder = False  # it would be downloaded
            return memory


class _Embedding:
    """Our encoder behind the interface that mem0 calls."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        is_question = memory_action == "search"
        row = self._encoder.question(text) if is_question else self._encoder.passage(text)
        return [float(number) for number in row]


def _imported(directory: Path) -> Any:
    """Return mem0's class, after setting the environment variables that mem0 reads at its import."""
    if "mem0" not in sys.modules:
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ["MEM0_DIR"] = str(directory)  # else it writes to ~/.mem0
    from mem0 import Memory

    return Memory


def _settings(directory: Path) -> dict[str, Json]:
    """Return mem0's configuration. The providers need a key, though neither is ever called."""
    return {
        "vector_store": {
            "provider": "qdrant",
            "config": {
                "path": str(directory / "vectors"),
                "on_disk": True,
                "collection_name": _OWNER,
                "embedding_model_dims": DIMENSION,
            },
        },
        "llm": {"provider": "openai", "config": {"api_key": "unused"}},
        "embedder": {"provider": "openai", "config": {"api_key": "unused"}},
        "history_db_path": str(directory / "history.sqlite"),
    }


@contextmanager
def _raise_unusable(directory: Path) -> Any:
    """Raise any failure of mem0 or its libraries as `IndexUnusable`, because the lexical index still works."""
    try:
        yield
    except IndexUnusable:
        raise
    except Exception as error:
        raise IndexUnusable(str(directory), f"{type(error).__name__}: {error}") from None


@contextmanager
def _use(directory: Path, lock: threading.Lock, index: Mem0Index) -> Any:
    with lock, _raise_unusable(directory):
        yield index._memory
