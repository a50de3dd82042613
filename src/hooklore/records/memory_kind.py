"""Define how memories of each kind are treated (seed 000 §6).

One table decides for every kind: what the schema and the commands accept, the layer, pins, the write gate,
embedding, the profile, the brief, what is told before an edit, and the words for a person.
"""

from dataclasses import dataclass
from typing import Literal

MemoryLayer = Literal["episodic", "semantic", "procedural"]
"""Layers of memory: what happened, what is so, how it is done (seed 002 §4)."""

BlockLabel = Literal["preferences", "rules", "facts"]
"""Names of the blocks of a profile (seed 002 §4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryKind:
    """The treatment of memories of one kind.

    - `layer`: the layer that `hooklore stats` counts the kind in.
    - `standing`: it holds until it is replaced. A run reads it first, and it may be pinned without a request.
    - `provisional`: it may be unsure without waiting for approval, unless it is an agent's own word.
    - `high_stake`: it waits for a person when its writer says that much depends on it.
    - `embedded`: it gets a vector. Without one it is found by its words alone.
    - `profile_block`: the block of the profile that lists it, None when no block does.
    - `told_in_brief`: a brief tells the user's own in full. Of any other kind the index names the title.
    - `open_item`: a brief lists it among what was left open.
    - `binds_files`: it is told before an edit of a file, or of a symbol, that it names.
    - `binds_submodules`: it is read in the submodules of its project, too.
    - `is_rule`: its words may end an earlier one of such a kind, or stand against it.
    - `kept_unused`: it stays in a brief though no session ever used it.
    - `name_for_user`: the word that counts it for a person, like `2 rules`.
    """

    layer: MemoryLayer = "semantic"
    standing: bool = False
    provisional: bool = False
    high_stake: bool = False
    embedded: bool = True
    profile_block: BlockLabel | None = None
    told_in_brief: bool = False
    open_item: bool = False
    binds_files: bool = False
    binds_submodules: bool = False
    is_rule: bool = False
    kept_unused: bool = False
    name_for_user: str = "fact"


MEMORY_KINDS: dict[str, MemoryKind] = {
    "decision": MemoryKind(
        standing=True, high_stake=True, profile_block="facts", binds_files=True,
        binds_submodules=True, is_rule=True, name_for_user="decision",
    ),
    "config": MemoryKind(standing=True, profile_block="facts", is_rule=True),
    "constraint": MemoryKind(
        layer="procedural", standing=True, high_stake=True, profile_block="rules", told_in_brief=True,
        binds_files=True, binds_submodules=True, is_rule=True,
        kept_unused=True, name_for_user="rule",
    ),
    "workflow": MemoryKind(
        layer="procedural", standing=True, profile_block="rules", told_in_brief=True,
        binds_files=True, binds_submodules=True, is_rule=True, name_for_user="rule",
    ),
    "fact": MemoryKind(profile_block="facts"),
    "bug": MemoryKind(layer="episodic", provisional=True),
    "todo": MemoryKind(
        layer="episodic", provisional=True, embedded=False, open_item=True, name_for_user="todo"
    ),
    "log": MemoryKind(layer="episodic", provisional=True),
    "deprecation": MemoryKind(
        layer="procedural", standing=True, profile_block="rules", told_in_brief=True,
        binds_files=True, binds_submodules=True, name_for_user="rule",
    ),
    "preference": MemoryKind(
        standing=True, profile_block="preferences", told_in_brief=True, binds_files=True,
        binds_submodules=True, is_rule=True, kept_unused=True,
        name_for_user="rule",
    ),
}  # fmt: skip
"""The kinds of memory, in the order in which messages list them."""

_UNKNOWN = MemoryKind()


def memory_kind(name: str) -> MemoryKind:
    """Return how memories of the kind `name` are treated. An unknown kind has the defaults."""
    return MEMORY_KINDS.get(name, _UNKNOWN)


_OBSERVATIONS = (
    "session_start", "prompt", "tool_intent", "tool_result", "error", "answer", "subagent_start",
    "subagent_stop", "task", "compaction", "session_end", "turn",
)  # fmt: skip


def _memories_in(layer: MemoryLayer) -> tuple[str, ...]:
    return tuple(name for name, kind in MEMORY_KINDS.items() if kind.layer == layer)


def list_layers() -> dict[str, MemoryLayer]:
    """Return the layer of each kind (seed 002 §4), the controls left out: they say what was done to records."""
    return {
        **dict.fromkeys(
            (*_OBSERVATIONS, *_memories_in("episodic"), "refuted", "proposal"), "episodic"
        ),
        **dict.fromkeys(
            (*_memories_in("semantic"), "summary", "comparison", "conflict_resolution"), "semantic"
        ),
        **dict.fromkeys((*_memories_in("procedural"), "fix"), "procedural"),
    }
