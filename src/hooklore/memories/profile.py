"""The profile: what memories say of the person and their work, in blocks (seed 003, seed 002 §4).

Derived whenever it is asked for, from what stands: nothing of it is stored, so a rebuilt store gives
the same one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.memories.pins import format_pin, list_memories, reader_places, select_pins
from hooklore.prompt.pin_rule import may_be_pinned
from hooklore.records.draft import PERSON, Principal
from hooklore.records.record import Record

_BLOCKS = (
    ("preferences", "How the person likes things done.", ("preference",), 2_000),
    ("rules", "What holds for the work until it is replaced.",
     ("constraint", "workflow", "deprecation"), 2_000),
    ("facts", "What is so, and what was decided.", ("fact", "config", "decision"), 3_000),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProfileBlock:
    """A part of the profile: `value` is a line for each memory, at most `limit` characters.

    `sources` are the ids of those memories; `left_out` is how many more there was no room for.
    """

    label: str
    description: str
    value: str
    limit: int
    sources: tuple[str, ...]
    left_out: int

    @property
    def used(self) -> int:
        """How many characters of the limit are taken."""
        return len(self.value)

    @property
    def problem(self) -> str | None:
        """What goes beyond the limit, with what is used of it; None when everything fits."""
        if not self.left_out:
            return None
        more = "1 memory more" if self.left_out == 1 else f"{self.left_out} memories more"
        return (
            f"could not fit {more} into `{self.label}`: "
            f"{self.used:,} of {self.limit:,} characters are used"
        )


def build_profile(
    broker: Broker, who: Principal = PERSON, of: list[str] | None = None
) -> list[ProfileBlock]:
    """The blocks for a reader: confirmed memories of these places (by default all of theirs).

    What is pinned comes first, then the newest of each place, the most specific place first.
    """
    broker.refresh()
    found = list_memories(broker, who, of or reader_places(who))
    confirmed = [record for record in found if may_be_pinned(record) and not _is_private(record)]
    first = {record.id for record in select_pins(broker, confirmed).records}
    ordered = sorted(confirmed, key=lambda record: record.id not in first)
    return [_block(name, about, kinds, limit, ordered) for name, about, kinds, limit in _BLOCKS]


def _is_private(record: Record) -> bool:
    """A profile is made to be handed on: what is private is in none, the person's own neither."""
    return bool(record.is_private)


def _block(
    label: str, description: str, kinds: Iterable[str], limit: int, records: list[Record]
) -> ProfileBlock:
    lines: list[str] = []
    sources: list[str] = []
    room, left_out = limit, 0
    for record in records:
        if record.kind not in kinds:
            continue
        line = f"- {format_pin(record)}"
        if len(line) + bool(lines) > room:
            left_out += 1
            continue
        room -= len(line) + bool(lines)
        lines.append(line)
        sources.append(record.id)
    return ProfileBlock(label, description, "\n".join(lines), limit, tuple(sources), left_out)
