"""Pins: the short memories that every run reads first, derived from the log (seed 000 §2, §7)."""

from dataclasses import dataclass

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.index.memories import memory_line_key
from hooklore.prompt.pin_rule import (
    MAX_PINS_SHOWN,
    extract_pin_text,
    is_auto_pinned,
    may_be_pinned,
    pin_length_problem,
)
from hooklore.records import keys
from hooklore.records.draft import Principal
from hooklore.records.record import Record

PIN_SCAN_LIMIT = 200
"""Memories of one place that are looked at for pins, the newest."""


@dataclass(frozen=True, slots=True)
class Pins:
    """What is pinned for a reader, at most a page; `left_out` is how many more there are."""

    records: tuple[Record, ...]
    left_out: int = 0

    @property
    def markdown(self) -> str:
        """A bullet for each."""
        return "\n".join(f"- {format_pin(record)}" for record in self.records)


def format_pin(record: Record) -> str:
    """What a pin says, in one line."""
    return " / ".join(extract_pin_text(record).split("\n"))


def select_pins(broker: Broker, memories: list[Record]) -> Pins:
    """The pins among these memories, those that somebody pinned first."""
    marks = versions.pin_marks(broker.view)
    by_hand: list[Record] = []
    others: list[Record] = []
    for record in memories:
        said = marks.get(memory_line_key(record))
        if said and may_be_pinned(record) and pin_length_problem(record) is None:
            by_hand.append(record)
        elif said is None and is_auto_pinned(record):
            others.append(record)
    found = [*by_hand, *others]
    return Pins(tuple(found[:MAX_PINS_SHOWN]), max(len(found) - MAX_PINS_SHOWN, 0))


def reader_places(who: Principal) -> list[str]:
    """Where an agent reads memories from, the most specific first."""
    found = ["global", f"agent:{who.agent_id}"]
    return [f"project:{who.project}", *found] if who.project else found


def list_memories(broker: Broker, who: Principal, of: list[str]) -> list[Record]:
    """What stands in these places, the newest of each place first."""
    return [r for place in of for r in broker.lookup(keys.memories_at(place), who, PIN_SCAN_LIMIT)]
