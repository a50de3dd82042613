"""Define how memories of each kind are treated (seed 000 §6).

One table decides validation, pins, the write gate, embedding and the profile for every kind.
"""

from dataclasses import dataclass
from typing import Literal

BlockLabel = Literal["preferences", "rules", "facts"]
"""Names of the blocks of a profile (seed 002 §4)."""


@dataclass(frozen=True, slots=True)
class MemoryKind:
    """The treatment of memories of one kind.

    `standing` kinds hold until they are replaced: a run reads them first. `provisional` kinds may be
    unsure without waiting for approval. A `high_stake` kind waits for a person when its writer says
    that much depends on it. Kinds that are not `embedded` are found by their words alone.
    `profile_block` names the block of the profile that lists the kind, None when no block does.
    """

    standing: bool = False
    provisional: bool = False
    high_stake: bool = False
    embedded: bool = True
    profile_block: BlockLabel | None = None


MEMORY_KINDS: dict[str, MemoryKind] = {
    "decision": MemoryKind(standing=True, high_stake=True, profile_block="facts"),
    "config": MemoryKind(standing=True, profile_block="facts"),
    "constraint": MemoryKind(standing=True, high_stake=True, profile_block="rules"),
    "workflow": MemoryKind(standing=True, profile_block="rules"),
    "fact": MemoryKind(profile_block="facts"),
    "bug": MemoryKind(provisional=True),
    "todo": MemoryKind(provisional=True, embedded=False),
    "log": MemoryKind(provisional=True),
    "deprecation": MemoryKind(standing=True, profile_block="rules"),
    "preference": MemoryKind(standing=True, profile_block="preferences"),
}
"""The kinds of memory, in the order in which messages list them."""

STANDING_KINDS = frozenset(name for name, kind in MEMORY_KINDS.items() if kind.standing)
"""Names of the kinds that hold until they are replaced."""

_UNKNOWN = MemoryKind()


def memory_kind(name: str) -> MemoryKind:
    """Return how memories of the kind `name` are treated. An unknown kind has the defaults."""
    return MEMORY_KINDS.get(name, _UNKNOWN)
