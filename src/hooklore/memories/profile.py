"""Build the profile: memories about the person and their work, in blocks (seed 003, seed 002 §4).

The profile is derived from the memories in force on each request. Nothing of it is stored, so a rebuilt
store gives the same profile.
"""

from dataclasses import dataclass

from hooklore.broker.leading import lead
from hooklore.broker.principal_reader import Reader
from hooklore.memories.pins import list_memories, pin_line, reader_places, select_pins
from hooklore.prompt.pin_rule import may_be_pinned
from hooklore.records.memory_kind import BlockLabel, memory_kind
from hooklore.records.record import Record
from hooklore.text.plural import format_count

_BLOCKS: tuple[tuple[BlockLabel, str, int], ...] = (
    ("preferences", "How the person likes things done.", 2_000),
    ("rules", "What holds for the work until it is replaced.", 2_000),
    ("facts", "What is so, and what was decided.", 3_000),
)
"""Label, description and limit in characters of each block."""


@dataclass(frozen=True, slots=True)
class ProfileBlock:
    """A part of the profile. `value` has a line for each memory, and at most `limit` characters.

    `sources` are the ids of those memories. `left_out` counts the memories that did not fit.
    """

    label: str
    description: str
    value: str
    limit: int
    sources: tuple[str, ...]
    left_out: int

    @property
    def used(self) -> int:
        """Characters of the limit that are used."""
        return len(self.value)

    @property
    def problem(self) -> str | None:
        """The problem of a block that not every memory fits into, or None when all fit."""
        if not self.left_out:
            return None
        more = f"{format_count(self.left_out, 'memory')} more"
        return (
            f"could not fit {more} into `{self.label}`: "
            f"{self.used:,} of {self.limit:,} characters are used"
        )


def build_profile(reader: Reader, places: list[str] | None = None) -> list[ProfileBlock]:
    """Return the blocks of confirmed memories of these places, None for all of the reader's.

    Pinned memories come first, then the newest of each place, the most specific place first. A profile
    is made to be handed on, so it has no private memory, not even the person's own.
    """
    found = list_memories(reader, places or reader_places(reader.principal))
    confirmed = [record for record in found if may_be_pinned(record) and not record.is_private]
    pinned = {record.id for record in select_pins(reader, confirmed).records}
    ordered = lead(reader, sorted(confirmed, key=lambda record: record.id not in pinned))
    return [_build_block(label, about, limit, ordered) for label, about, limit in _BLOCKS]


def _build_block(
    label: BlockLabel, description: str, limit: int, records: list[Record]
) -> ProfileBlock:
    lines: list[str] = []
    sources: list[str] = []
    room, left_out = limit, 0
    for record in records:
        if memory_kind(record.kind).profile_block != label:
            continue
        line = pin_line(record)
        if len(line) + bool(lines) > room:
            left_out += 1
            continue
        room -= len(line) + bool(lines)
        lines.append(line)
        sources.append(record.id)
    return ProfileBlock(label, description, "\n".join(lines), limit, tuple(sources), left_out)
