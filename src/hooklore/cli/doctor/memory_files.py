"""Counts the memories that come from agents' own memory files, and says so: one line for each agent."""

from collections.abc import Mapping
from contextlib import closing

from hooklore.agents.check import Check
from hooklore.agents.registry import MODULES
from hooklore.broker.broker import Broker
from hooklore.cli.doctor.facts import Facts, MemoryFileCount, known, noted, passed
from hooklore.config import StoreLocation, load_settings
from hooklore.records import keys
from hooklore.records.draft import PERSON
from hooklore.records.record import is_from_memory_file
from hooklore.text.plural import format_count, select_form

_MAX_COUNTED = 4_000


def count_memory_files(place: StoreLocation) -> Mapping[str, MemoryFileCount]:
    """Return the counts by agent. Nothing is written."""
    counts: dict[str, MemoryFileCount] = {}
    if not place.log.exists():
        return counts
    with closing(Broker(place, load_settings(place.config))) as broker:
        broker.refresh()
        owner = broker.as_reader(PERSON)
        for agent in MODULES:
            kept = owner.history(keys.kept_by(agent), _MAX_COUNTED)
            found = [r for r in kept if is_from_memory_file(r) and not owner.is_ended(r)]
            standing = len(owner.select_in_force(found))
            counts[agent] = MemoryFileCount(standing, sum(bool(r.waits) for r in found))
    return counts


def memory_files(facts: Facts) -> Check:
    """Tell how many memories come from the agent's own memory files."""
    count = known(facts.memory_files).get(facts.agent.id, MemoryFileCount())
    if facts.agent.memory_files() is None:
        return passed("its client keeps none that are read")
    told = f"{format_count(count.standing, 'memory')} of its own files, told to other agents"
    if not count.waiting:
        return passed(told)
    waits = select_form(count.waiting, "waits", "wait")
    return noted(f"{told}; {count.waiting} {waits} for you", "hooklore pending")
