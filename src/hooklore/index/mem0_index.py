"""mem0 as an index (seed 003 core, extra `[mem0]`) with its own store, our encoder and no service.

Nothing leaves the machine. Telemetry is off before mem0's first import, and no model reads the entries
(`infer=False`). The vector store is a folder (qdrant's local mode), and optional parts that would fetch
models are not used.
"""

import os
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
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
        self._lock = threading.Lock()
        with _raise_unusable(self._directory):
            self._directory.mkdir(exist_ok=True)
            memory_class = _imported(self._directory)
            self._memory = memory_class.from_config(_settings(self._directory))
            self._memory.embedding_model = _Embedding(encoder)
            self._memory.vector_store._bm25_encoder = False  # it would be downloaded

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

    @contextmanager
    def _used(self) -> Iterator[Any]:
        with self._lock, _raise_unusable(self._directory):
            yield self._memory


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
def _raise_unusable(directory: Path) -> Iterator[None]:
    """Raise any failure of mem0 or its libraries as `IndexUnusable`, because the lexical index still works."""
    try:
        yield
    except IndexUnusable:
        raise
    except Exception as error:
        raise IndexUnusable(str(directory), f"{type(error).__name__}: {error}") from None
