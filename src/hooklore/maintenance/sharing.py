"""Propose to share memories of one session or role that are old enough (seed 003).

Time alone shares nothing: a memory that becomes more public by itself would break trust. A private memory,
and an agent's own, is never proposed.
"""

from datetime import datetime, timedelta

from hooklore.broker.broker import Broker
from hooklore.maintenance.cleanup import all_reader_places
from hooklore.memories.decisions.proposals import propose_sharing
from hooklore.memories.pins import list_memories
from hooklore.memories.promotion import may_be_shared
from hooklore.records.draft import PERSON

_MAX_MEMORIES = 10_000


def propose_old_memories(broker: Broker) -> int:
    """Propose to share what is older than `sharing.share_after_days`. Return how many proposals wait then."""
    days, owner = broker.settings.sharing.share_after_days, broker.as_reader(PERSON)
    if not days:
        return 0
    oldest = datetime.fromisoformat(broker.now()) - timedelta(days=days)
    before, places = oldest.strftime("%Y-%m-%dT%H:%M:%S"), all_reader_places(broker, PERSON)
    memories = list_memories(owner, places, _MAX_MEMORIES)
    old = [r for r in memories if str(r.ts) < before and may_be_shared(owner, r)]
    proposals = [propose_sharing(broker, record) for record in old]
    return sum(not owner.is_ended(proposal) for proposal in proposals)
