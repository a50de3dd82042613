"""Counts the memories that come from agents' own memory files, and says so: one line for each agent."""

from collections.abc import Mapping

from hooklore.agents.registry import MODULES
from hooklore.broker.broker import Broker
from hooklore.cli.doctor.facts import Facts, MemoryFileCount, known
from hooklore.cli.doctor.finding import Finding, noted, passed
from hooklore.config import StoreLocation, load_settings
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import is_from_memory_file
from hooklore.text.plural import format_count, select_form

_MAX_COUNTED = 4_000


def count_memory_files(place: StoreLocation) -> Mapping[str, MemoryFileCount]:
    """Return the counts by agent. Nothing is written."""
    if not place.log.exists():
        return {}
    broker = Broker(place, load_settings(place.config))
    try:
        broker.refresh()
        return {agent: _count(broker, agent) for agent in MODULES}
    finally:
        broker.close()


def _count(broker: Broker, agent: str) -> MemoryFileCount:
    owner = broker.as_reader(PERSON)
    kept = owner.history(keys.kept_by(agent), _MAX_COUNTED)
    found = [r for r in kept if is_from_memory_file(r) and not owner.is_ended(r)]
    waiting = [r for r in found if r.waits]
    return MemoryFileCount(len(owner.select_in_force(found)), len(waiting))


def memory_files(facts: Facts) -> Finding:
    """Tell how many memories come from the agent's own memory files."""
    count = known(facts.memory_files).get(facts.agent.id, MemoryFileCount())
    if facts.agent.memory_files() is None:
        return passed("its client keeps none that are read")
    told = f"{format_count(count.standing, 'memory')} of its own files, told to other agents"
    if not count.waiting:
        return passed(told)
    waits = select_form(count.waiting, "waits", "wait")
    return noted(f"{told}; {count.waiting} {waits} for you", "hooklore pending")
