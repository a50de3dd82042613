"""Pins: the short memories that every run reads first, derived from the log (seed 000 §2, §7)."""

from dataclasses import dataclass
from typing import Any

from hooklore.broker import versions
from hooklore.broker.broker import Broker
from hooklore.index.memories import line_key
from hooklore.prompt.pin_rule import (
    PAGE,
    is_pin_by_itself,
    may_stand_first,
    pin_text,
    too_long,
)
from hooklore.records.draft import Principal

Fields = dict[str, Any]

LOOKED_AT = 200
"""Memories of one place that are looked at for pins, the newest."""


@dataclass(frozen=True, slots=True)
class Pins:
    """What is pinned for a reader, at most a page; `left_out` is how many more there are."""

    records: tuple[Fields, ...]
    left_out: int = 0

    @property
    def markdown(self) -> str:
        """A bullet for each."""
        return "\n".join(f"- {bullet(record)}" for record in self.records)


def bullet(record: Fields) -> str:
    """What a pin says, in one line."""
    return " / ".join(pin_text(record).split("\n"))


def pins(broker: Broker, memories: list[Fields]) -> Pins:
    """The pins among these memories, those that somebody pinned first."""
    marks = versions.pin_marks(broker.view)
    by_hand: list[Fields] = []
    others: list[Fields] = []
    for record in memories:
        said = marks.get(line_key(record))
        if said and may_stand_first(record) and too_long(record) is None:
            by_hand.append(record)
        elif said is None and is_pin_by_itself(record):
            others.append(record)
    found = [*by_hand, *others]
    return Pins(tuple(found[:PAGE]), max(len(found) - PAGE, 0))


def places(who: Principal) -> list[str]:
    """Where an agent reads memories from, the most specific first."""
    found = ["global", f"agent:{who.agent_id}"]
    return [f"project:{who.project}", *found] if who.project else found


def memories(broker: Broker, who: Principal, of: list[str]) -> list[Fields]:
    """What stands in these places, the newest of each place first."""
    return [r for place in of for r in broker.lookup(f"memory:{place}", who, LOOKED_AT)]
