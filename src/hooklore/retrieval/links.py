"""Follow `[[key]]`, `[[key|in other words]]` and ids to records: by exact keys, without words or vectors."""

import re

from hooklore.broker.broker import Broker
from hooklore.broker.principal_reader import Reader
from hooklore.memories.pins import places_with_superprojects
from hooklore.records.draft import Principal
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record
from hooklore.records.schema import KINDS

_MAX_LINKS = 5
"""Links of one text that are followed."""

_LINK = re.compile(r"\[\[\s*([^\[\]|#\n]{1,200}?)\s*(?:[|#][^\[\]\n]{0,200})?\]\]")
_ID = re.compile(
    r"(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![\w-])",
    re.IGNORECASE,
)


def find_links(text: str) -> list[str]:
    """Return the keys, or ids, that a text links to, each once, in their order."""
    return list(dict.fromkeys(_LINK.findall(text)))


def find_references(text: str) -> list[str]:
    """Return the keys and ids that a text names: the links first, then ids outside of links."""
    ids = (found.lower() for found in _ID.findall(text))
    return list(dict.fromkeys((*find_links(text), *ids)))


def parse_sole_link(text: str) -> str | None:
    """Return the key of a text that is one link and nothing else, None for any other text."""
    found = _LINK.fullmatch(text.strip())
    return found[1] if found else None


def resolve_links(reader: Reader, text: str) -> list[Record]:
    """Return the records in force that a text names, each once, in the order of the text."""
    names = find_references(text)[:_MAX_LINKS]
    found = (resolve_link(reader, name) for name in names)
    return list({record.id: record for record in found if record is not None}.values())


def resolve_link(reader: Reader, name: str) -> Record | None:
    """Return the record in force with this id, or the memory with this key.

    A name without a kind leads to the only memory whose key is `<kind>:<name>`. Return None when
    `name` leads to no record, or to several.
    """
    if is_record_id(name):
        found = [r for r in reader.find(name) if r.stream != "control" and reader.is_in_force(r)]
        return found[0] if len(found) == 1 else None
    exact = _find_current(reader, name)
    if exact is not None or ":" in name:
        return exact
    of_kinds = (_find_current(reader, f"{kind}:{name}") for kind in KINDS["memory"])
    current = [record for record in of_kinds if record is not None]
    return current[0] if len(current) == 1 else None


def find_broken_links(broker: Broker, text: str, who: Principal) -> list[tuple[str, list[str]]]:
    """Return (link, similar keys) of every link in a text that leads nowhere for `who`."""
    reader = broker.as_reader(who)
    broken = [name for name in find_links(text) if resolve_link(reader, name) is None]
    return [(name, suggest_keys(broker, name, who)) for name in broken]


def suggest_keys(broker: Broker, name: str, who: Principal, limit: int = 3) -> list[str]:
    """Return keys that `who` may read and that are spelt much like `name`, with or without their kind."""
    from hooklore.memories.entries import list_current_memories
    from hooklore.text.near_names import find_near_names

    keys = [str(r.dedupe_key) for r in list_current_memories(broker, who) if r.dedupe_key]
    by_name = {key.partition(":")[2] or key: key for key in reversed(keys)}
    close = find_near_names(name, keys, limit)
    close += [by_name[n] for n in find_near_names(name, by_name, limit)]
    return list(dict.fromkeys(close))[:limit]


def _find_current(reader: Reader, key: str) -> Record | None:
    from hooklore.memories.entries import find_current

    return find_current(reader, key, places_with_superprojects(reader.principal))
