"""mem0 as an index behind the interface (seed 003 core; extra `[mem0]`): its store, our encoder, no service.

Nothing leaves the machine: telemetry is off before its first import, no model reads what is added
(`infer=False`), its vector store is a folder (qdrant's local mode), and its optional parts that would
fetch models are not used.
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

NAME: Final = "mem0"
_OWNER: Final = "hooklore"


class Mem0Index:
    """mem0's memory of one generation. One at a time for a folder; several threads may use it."""

    def __init__(self, directory: Path, encoder: Encoder) -> None:
        """Open mem0's folder below `directory`, or make it. Raises IndexUnusable."""
        self._directory = directory / NAME
        self._encoder = encoder
        self._lock = threading.Lock()
        self._memory = self._opened()

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Index these, as they are."""
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
        """The entries that mem0 finds nearest to a text, with its scores."""
        if not bins or not text.strip():
            return []
        filters: dict[str, Any] = {"user_id": _OWNER, "bin": {"in": sorted(bins)}}
        if before is not None:
            filters["pos"] = {"lt": before}
        with self._used() as memory:
            found = memory.search(text, filters=filters, top_k=limit, threshold=0.0)["results"]
        return [(float(each["score"]), int(each["metadata"]["pos"])) for each in found]

    def erase(self) -> None:
        """Remove mem0's folder and begin an empty one."""
        self.close()
        with self._lock:
            try:
                shutil.rmtree(self._directory)
            except OSError as error:
                raise IndexUnusable(str(self._directory), error.strerror or str(error)) from None
            self._memory = self._opened()

    def rebuild(self, entries: Iterable[IndexEntry]) -> None:
        """Hold these and nothing else."""
        self.erase()
        self.add(list(entries))

    def close(self) -> None:
        """Let its files go."""
        with self._lock:
            self._memory.vector_store.client.close()
            self._memory.close()

    @staticmethod
    def _at(memory: Any, pos: int) -> list[str]:
        """Its ids of what stands under a position."""
        rows, _ = memory.vector_store.client.scroll(
            memory.collection_name,
            scroll_filter=memory.vector_store._create_filter({"pos": pos}),
            limit=10,
        )
        return [str(row.id) for row in rows]

    def _used(self) -> AbstractContextManager[Any]:
        return _use(self._directory, self._lock, self)

    def _opened(self) -> Any:
        with _usable(self._directory):
            self._directory.mkdir(exist_ok=True)
            memory_class = _imported(self._directory)
            memory = memory_class.from_config(_settings(self._directory))
            memory.embedding_model = _Embedding(self._encoder)
            memory.vector_store._bm25_encoder = False  # it would be fetched
            return memory


class _Embedding:
    """Our encoder, as mem0 asks for vectors."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        is_question = memory_action == "search"
        row = self._encoder.question(text) if is_question else self._encoder.passage(text)
        return [float(number) for number in row]


def _imported(directory: Path) -> Any:
    """mem0's class; what it reads of the environment at its import is set here, and nowhere else."""
    if "mem0" not in sys.modules:
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ["MEM0_DIR"] = str(directory)  # else it writes to ~/.mem0
    from mem0 import Memory

    return Memory


def _settings(directory: Path) -> dict[str, Any]:
    """Its providers must have a key that is no key: neither is ever asked."""
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
def _usable(directory: Path) -> Any:
    """Whatever goes wrong in mem0 and in what it stands on is IndexUnusable: there are words, too."""
    try:
        yield
    except IndexUnusable:
        raise
    except Exception as error:
        raise IndexUnusable(str(directory), f"{type(error).__name__}: {error}") from None


@contextmanager
def _use(directory: Path, lock: threading.Lock, index: Mem0Index) -> Any:
    with lock, _usable(directory):
        yield index._memory
