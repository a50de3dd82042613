"""Select and set pins: the short memories that every run reads first, derived from the log (seed 000 §2, §7)."""

from collections.abc import Iterable
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.broker.leading import lead
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.index.memories import memory_line_key
from hooklore.memories.append import append_all
from hooklore.memories.decisions.authorization import (
    Problem,
    get_decided,
    require_possible,
    standing_problem,
)
from hooklore.prompt.frame import describe_contradiction
from hooklore.prompt.pin_rule import (
    MAX_PINS_SHOWN,
    extract_pin_text,
    is_auto_pinned,
    may_be_pinned,
    pin_length_problem,
)
from hooklore.records import keys
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION

PIN_SCAN_LIMIT = 200
"""Memories of one place, the newest, that pins are selected from."""


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins of a reader, at most a page. `left_out` counts the others."""

    records: tuple[Record, ...]
    left_out: int = 0

    @property
    def markdown(self) -> str:
        """The pins as a Markdown list."""
        return "\n".join(map(pin_line, self.records))


def format_pin(record: Record) -> str:
    """Return the text of a pin in one line."""
    return extract_pin_text(record).replace("\n", " / ")


def pin_line(record: Record) -> str:
    """Return a pin as a bullet, with what contradicts it."""
    mark = describe_contradiction(record)
    return f"- {format_pin(record)} ({mark})" if mark else f"- {format_pin(record)}"


def select_pins(reader: Reader, memories: list[Record]) -> Pins:
    """Return the pins among these memories, those that a person pinned first."""
    marks = reader.pin_marks()
    by_hand: list[Record] = []
    others: list[Record] = []
    for record in memories:
        mark = marks.get(memory_line_key(record))
        if mark and may_be_pinned(record) and pin_length_problem(record) is None:
            by_hand.append(record)
        elif mark is None and is_auto_pinned(record):
            others.append(record)
    found = lead(reader, [*by_hand, *others])
    return Pins(tuple(found[:MAX_PINS_SHOWN]), max(len(found) - MAX_PINS_SHOWN, 0))


def select_by_hand(reader: Reader, pins: Iterable[Record]) -> list[Record]:
    """Return those of some pins that a person pinned."""
    marks = reader.pin_marks()
    return [record for record in pins if marks.get(memory_line_key(record))]


def reader_places(who: Principal) -> list[str]:
    """Return the places of which `who` reads and writes memories, the most specific first."""
    projects = dict.fromkeys(filter(None, (who.project, *who.projects)))
    return [*(f"project:{each}" for each in projects), "global", f"agent:{who.agent_id}"]


def places_with_superprojects(who: Principal) -> list[str]:
    """Return the places in which `who` finds memories, the most specific first.

    Of superprojects these are rules and decisions alone (`records/access.py`).
    """
    own = reader_places(who)
    return [*own[:-2], *(f"project:{id_}" for id_ in who.around), *own[-2:]]


def list_memories(reader: Reader, places: list[str], limit: int = PIN_SCAN_LIMIT) -> list[Record]:
    """Return the memories in force of these places, the newest of each place first, `limit` of each at most.

    Of a superproject these are some of its newest `limit`: most of them are read by no submodule.
    """
    outer = [f"project:{id_}" for id_ in reader.principal.around]
    lists = (
        reader.lookup_among(keys.memories_at(place), limit)
        if place in outer
        else reader.lookup(keys.memories_at(place), limit)
        for place in places
    )
    return [record for found in lists for record in found]


def pin(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Pin a memory and return it. Raise HookloreError if it is too long, unconfirmed or ended."""
    return _record_pin_mark(broker, prefix, who, "pin")


def unpin(broker: Broker, prefix: str, who: Principal = PERSON) -> Record:
    """Take a memory off the pins and return it, also one that nobody pinned by hand."""
    return _record_pin_mark(broker, prefix, who, "unpin")


def _record_pin_mark(broker: Broker, prefix: str, who: Principal, kind: str) -> Record:
    reader, record = get_decided(broker, prefix, who, kind)
    if kind == "pin" or record.stream != "memory":
        require_possible(kind, record, _pin_problem(reader, record))
    mark = Draft.of(
        v=SCHEMA_VERSION, stream="control", kind=kind, scope=record.scope,
        agent_id="person", project=record.project, basis="user",
        source={"system": "cli", "detail": kind},
        body=Body.of(targets=[record.id], lines=[memory_line_key(record)]),
    )  # fmt: skip
    append_all(
        broker,
        [mark],
        lambda reason: HookloreError(f"could not {kind} `{record.id}`: {reason}"),
    )
    broker.refresh()
    return record


def _pin_problem(reader: Reader, record: Record) -> Problem | None:
    """Return (problem, fix) of a record that cannot be pinned, or None when it can."""
    problem = standing_problem(reader, record)
    if problem is not None:
        return problem
    if not may_be_pinned(record):
        return (
            "it is not confirmed",
            f"say it again with `hooklore remember --key {record.dedupe_key or 'KEY'}`",
        )
    long = pin_length_problem(record)
    return (long, "say it in a line or two, and the rest after a blank line") if long else None
