"""Offer to bring back the rules that a later rule of a prompt replaced without contradicting them.

One key for all tools of a kind made `never use yarn` replace `never use npm`. What was lost so is proposed to the
person, once: a proposal is answered by `hooklore approve` or `reject`, and the same one is never made again.
"""

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.memories.append import append_draft
from hooklore.memories.archive import draft_restored
from hooklore.memories.decisions.replacement import is_contradicted
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record
from hooklore.records.schema import FROM_A_PROMPT
from hooklore.text.similarity import comparison_terms

_LOOKED_AT = 1_000
"""The newest memories of a place among which lost rules are looked for."""


def list_lost_rules(broker: Broker, places: list[str]) -> list[Record]:
    """Return the rules of these places that were lost, newest first."""
    owner = broker.as_reader(PERSON)
    found = (r for place in places for r in owner.history(keys.memories_at(place), _LOOKED_AT))
    return [record for record in found if is_lost(owner, record)]


def is_lost(owner: Reader, record: Record) -> bool:
    """Return whether a rule of a prompt was ended by a later one alone, which does not contradict it."""
    is_learnt = record.source_detail == FROM_A_PROMPT and memory_kind(record.kind).is_rule
    if not is_learnt or record.waits:
        return False
    enders = owner.history(keys.end_of(record.id), 2)
    if len(enders) != 1 or enders[0].stream != "memory" or enders[0].restores == record.id:
        return False
    text, later = str(record.body.content_md), str(enders[0].body.content_md)
    is_said_by_later = comparison_terms(text) <= comparison_terms(later)
    is_by_key = enders[0].source_detail == FROM_A_PROMPT and not is_said_by_later
    return is_by_key and not is_contradicted(owner, record, enders[0])


def bring_back(broker: Broker, record: Record) -> Record:
    """Let a lost rule stand again, without the key that its successor has, and return it. Raise HookloreError."""
    return append_draft(broker, draft_restored(record.without("dedupe_key"), broker.now()))
