"""Propose to share memories of one session or role that are old enough (seed 003).

Time alone shares nothing: a memory that becomes more public by itself would break trust. A private memory,
and an agent's own, is never proposed.
"""

from datetime import datetime, timedelta

from hooklore.broker.broker import Broker
from hooklore.maintenance.cleanup import all_reader_places
from hooklore.memories.promotion import may_be_shared
from hooklore.memories.proposals import propose_sharing
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import Record

_MAX_MEMORIES = 10_000


def propose_old_memories(broker: Broker) -> int:
    """Propose to share what is older than `sharing.share_after_days`. Return how many proposals wait then."""
    found = _find_old_memories(broker)
    proposals = [propose_sharing(broker, record) for record in found]
    owner = broker.as_reader(PERSON)
    return sum(not owner.is_ended(proposal) for proposal in proposals)


def _find_old_memories(broker: Broker) -> list[Record]:
    days = broker.settings.sharing.share_after_days
    if not days:
        return []
    oldest = datetime.fromisoformat(broker.now()) - timedelta(days=days)
    before, reader = oldest.strftime("%Y-%m-%dT%H:%M:%S"), broker.as_reader(PERSON)
    return [
        record
        for place in all_reader_places(broker, PERSON)
        for record in reader.lookup(keys.memories_at(place), _MAX_MEMORIES)
        if str(record.ts) < before and may_be_shared(reader, record)
    ]
