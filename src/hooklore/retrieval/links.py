"""Where `[[key]]` and ids lead: by exact keys alone, without words or vectors (row RF-18)."""

import difflib

from hooklore.broker.broker import Broker
from hooklore.memories.pins import reader_places
from hooklore.records.draft import Principal
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record
from hooklore.records.schema import KINDS
from hooklore.retrieval import wikilinks

_MOST = 5
"""Links of one text that are followed."""


def resolve_links(broker: Broker, text: str, who: Principal) -> list[Record]:
    """What a text names, as far as `who` may see it and it is in force; in the order of the text."""
    found = (resolve_link(broker, name, who) for name in wikilinks.find_references(text)[:_MOST])
    return list({record.id: record for record in found if record is not None}.values())


def resolve_link(broker: Broker, name: str, who: Principal) -> Record | None:
    """The record with this id, the memory with this key, or the only one whose key is `<kind>:<name>`."""
    if is_record_id(name):
        found = broker.view.find(name)
        seen = [r for r in found if r.stream != "control" and broker.is_in_force(r, who)]
        return seen[0] if len(seen) == 1 else None
    exact = _current(broker, name, who)
    if exact is not None or ":" in name:
        return exact
    kinds = (_current(broker, f"{kind}:{name}", who) for kind in KINDS["memory"])
    every = [record for record in kinds if record is not None]
    return every[0] if len(every) == 1 else None


def find_broken_links(broker: Broker, text: str, who: Principal) -> list[tuple[str, list[str]]]:
    """(link, keys much like it) of every link in a text that leads nowhere for `who`."""
    lost = [name for name in wikilinks.find_links(text) if resolve_link(broker, name, who) is None]
    return [(name, suggest_keys(broker, name, who)) for name in lost]


def suggest_keys(broker: Broker, name: str, who: Principal, most: int = 3) -> list[str]:
    """Keys that `who` may read and that are spelt much like this one, with or without their kind."""
    from hooklore.memories.entries import list_current_memories

    keys = [str(r.dedupe_key) for r in list_current_memories(broker, who) if r.dedupe_key]
    by_name = {key.partition(":")[2] or key: key for key in reversed(keys)}
    close = difflib.get_close_matches(name, keys, n=most)
    close += [by_name[n] for n in difflib.get_close_matches(name, by_name, n=most)]
    return list(dict.fromkeys(close))[:most]


def _current(broker: Broker, key: str, who: Principal) -> Record | None:
    from hooklore.memories.entries import find_current

    return find_current(broker, key, who, reader_places(who))
