"""List the layer of each kind of record (seed 002 §4). Memories have theirs in the table of memory kinds."""

from collections.abc import Mapping
from typing import Final

from hooklore.records.memory_kind import MEMORY_KINDS, MemoryLayer

_OBSERVATIONS = (
    "session_start", "prompt", "tool_intent", "tool_result", "error", "answer", "subagent_start",
    "subagent_stop", "task", "compaction", "session_end", "turn",
)  # fmt: skip


def _memories_in(layer: MemoryLayer) -> tuple[str, ...]:
    return tuple(name for name, kind in MEMORY_KINDS.items() if kind.layer == layer)


LAYERS: Final[Mapping[str, MemoryLayer]] = {
    **dict.fromkeys((*_OBSERVATIONS, *_memories_in("episodic"), "refuted", "proposal"), "episodic"),
    **dict.fromkeys(
        (*_memories_in("semantic"), "summary", "comparison", "conflict_resolution"), "semantic"
    ),
    **dict.fromkeys((*_memories_in("procedural"), "fix"), "procedural"),
}
"""The layer of each kind, the controls left out: they say what was done to records."""
