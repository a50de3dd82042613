"""The standing memories that a step is compared with, and by which words a step finds them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hooklore.broker.leading import lead
from hooklore.broker.principal_reader import Reader
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record
from hooklore.records.standing import standing_of
from hooklore.retrieval.brief_memories import list_applicable_memories
from hooklore.retrieval.near_duplicates import drop_overridden_by_words
from hooklore.text.forbidden_code import forbids_code
from hooklore.text.prohibition import find_prohibitions

if TYPE_CHECKING:
    from hooklore.retrieval.step_order import StepOrder

_MAY_SAY_ORDER = re.compile(
    r"\b(?:before|prior|ahead|until|unless|without|with|only|after\w*|first|then|next|order|sequence|once|"
    r"preceded|waits?|when\w*|if|un\w+ed|hasn|haven|isn|has not|yourself|your own)\b|->|=>|→|⇒|"
    r"前|まえ|後|あと|から|まで|ずに|なし|なく|ない|順|先に|まず|次に|たら|際|とき|時|なら|勝手|無断|黙って",
    re.IGNORECASE,
)
_MAX_READ = 600


@dataclass(frozen=True, slots=True)
class StandingMemories:
    """The standing memories of a reader, in the order of its places, each place's newest first.

    `forbidding` are the user's rules that forbid something in a plain form, and `ordering` the memories that say
    an order of steps. `placed` are the numbers of the memories that are for some files, and `by_term` those of
    the memories that have a term.
    """

    records: list[Record]
    forbidding: list[Record]
    ordering: list[Record]
    placed: list[int]
    by_term: dict[str, list[int]]

    def with_term_or_files(self, terms: Iterable[str]) -> list[Record]:
        """Return the memories that have one of `terms`, or are for some files, in their order."""
        numbers = set(self.placed)
        for term in terms:
            numbers.update(self.by_term.get(term, ()))
        return [self.records[number] for number in sorted(numbers)]


def is_rule(record: Record) -> bool:
    """Return whether a memory is a rule to the steps of agents, by whose word it is."""
    return standing_of(record).at_step == "rule"


def order_of(record: Record) -> "tuple[StepOrder, ...]":
    """Return the orders of steps that a memory says. Who reads them is loaded where a memory may say one."""
    text = record.body.content_md
    is_rule = memory_kind(record.kind).told_in_brief
    if not is_rule or _MAY_SAY_ORDER.search(text[:_MAX_READ]) is None:
        return ()
    from hooklore.retrieval.step_order import find_step_orders

    return find_step_orders(text)


def list_standing(reader: Reader) -> StandingMemories:
    """Return the standing memories in force: one value for all sessions that may read the same."""
    return reader.derive("standing", _read)


def _forbids(record: Record) -> bool:
    """Return whether a rule forbids something at every step: `never X before Y` forbids X at some."""
    text = record.body.content_md
    is_order = any(order.is_ban for order in order_of(record))
    return not is_order and (bool(find_prohibitions(text)) or forbids_code(text))


def _read(reader: Reader) -> StandingMemories:
    applicable = drop_overridden_by_words(list_applicable_memories(reader))
    standing = [r for r in applicable if memory_kind(r.kind).standing]
    # A step is told what leads, which has the words that the other has.
    records = [record for record in lead(reader, standing) if not record.contradicted_by]
    by_term: dict[str, list[int]] = {}
    for number, record in enumerate(records):
        for term in reader.terms_of(record):
            by_term.setdefault(term, []).append(number)
    return StandingMemories(
        records,
        [r for r in records if is_rule(r) and _forbids(r)],
        [r for r in records if standing_of(r).at_step != "never" and order_of(r)],
        [number for number, record in enumerate(records) if record.body.paths],
        by_term,
    )
