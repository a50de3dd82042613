"""The layer of each kind of record: what happened, what is so, how it is done (seed 002 §4)."""

from collections.abc import Mapping
from typing import Final, Literal

MemoryLayer = Literal["episodic", "semantic", "procedural"]

_SEMANTIC = (
    "decision",
    "config",
    "fact",
    "preference",
    "summary",
    "comparison",
    "conflict_resolution",
)
_PROCEDURAL = ("constraint", "workflow", "deprecation", "fix")
_EPISODIC = (
    "session_start", "prompt", "tool_intent", "tool_result", "error", "answer", "subagent_start",
    "subagent_stop", "task", "compaction", "session_end", "turn", "bug", "todo", "log", "refuted", "proposal",
)  # fmt: skip

LAYERS: Final[Mapping[str, MemoryLayer]] = {
    **dict.fromkeys(_EPISODIC, "episodic"),
    **dict.fromkeys(_SEMANTIC, "semantic"),
    **dict.fromkeys(_PROCEDURAL, "procedural"),
}
"""The layer of each kind, the controls left out: they say what was done to records."""
