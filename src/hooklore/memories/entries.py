"""Read memories by key: the current version, earlier versions, tags, and why a key is not found (seed 004)."""

from collections import Counter
from dataclasses import dataclass

from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record, list_projects
from hooklore.broker.principal_reader import Reader
from hooklore.errors import HookloreError
from hooklore.memories.agent_registry import registered_agents
from hooklore.memories.dedupe_key import put_into_form
from hooklore.memories.pins import places_with_superprojects
from hooklore.records import keys
from hooklore.records.draft import PERSON, Principal
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record
from hooklore.text.near_names import find_near_names

_MAX_MEMORIES = 10_000
_MAX_ENDERS = 4


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """A memory by its key (seed 004): its current version, and the `versions` before, newest first."""

    record: Record
    versions: tuple[Record, ...]

    @property
    def created_at(self) -> str:
        """The moment at which the first version was written."""
        return str(self.record.created_at or self.record.ts)

    @property
    def updated_at(self) -> str:
        """The moment at which the current version was written."""
        return str(self.record.ts)


def get_entry(
    reader: Reader, key: str, places: list[str] | None = None, *, versions: bool = False
) -> MemoryEntry:
    """Return the entry with a key, or an id, of the most specific place that has one.

    `places` are those to look in, None for all of the reader's. Raise HookloreError with the command
    that finds the key.
    """
    if is_record_id(key):
        record: Record | None = get_record(reader, key)
    else:
        record = find_current(reader, key, places or places_with_superprojects(reader.principal))
    if record is None:
        raise HookloreError(
            f"could not find `{key}`: no memory with this key here",
            fix=f"run `hooklore find {key}`",
        )
    if not reader.principal.person and not reader.is_in_force(record):
        raise HookloreError(
            f"could not read `{key}`: it has been replaced or ended",
            fix=f"run `hooklore find {key}`",
        )
    return MemoryEntry(record, tuple(reader.earlier_versions(record) if versions else ()))


def find_current(reader: Reader, key: str, places: list[str]) -> Record | None:
    """Return the memory in force with a key, of the first place that has one, or None.

    A key in another form means the one that a writer's would become.
    """
    key = put_into_form(key)
    for place in places:
        for audience in _audiences(reader.principal):
            found = reader.lookup(keys.version_line(place, key, audience), 1)
            if found:
                return found[0]
    return None


def _audiences(who: Principal) -> list[str]:
    """Return the audiences of a key's version lines that `who` may read, the narrowest first."""
    found = [""]
    if who.session_id:
        found.insert(0, f"|session:{who.session_id}")
    if not who.person:
        own = [f"|private:{who.agent_id}"] if who.asks else []
        return [*own, *found[:-1], f"|role:{who.role}", ""]
    return ["|private:person", *found]


@dataclass(frozen=True, slots=True)
class KeyLocation:
    """The place of a key, or of a similar one.

    `reason` is one of current, waits, replaced, forgotten, archived, expired, elsewhere, similar.
    `command` shows the record or makes it current.
    """

    reason: str
    record: Record
    command: str


def locate_key(
    broker: Broker, key: str, who: Principal = PERSON, limit: int = 10
) -> list[KeyLocation]:
    """Return where a key is: another project, a near spelling, the archive, a replaced version (seed 004)."""
    broker.refresh()
    here = set(places_with_superprojects(who))
    exact: list[KeyLocation] = []
    others: dict[str, Record] = {}
    for record in _list_keyed(broker, who):
        name = str(record.dedupe_key)
        if name == key:
            exact.append(_locate(broker, record, here))
        else:
            others.setdefault(name, record)
    best = _best_of(exact)
    if any(location.reason == "current" for location in best):
        return best[:limit]
    near = find_near_names(key, others, limit)
    near += [name for name in others if name not in near and (key in name or name in key)]
    return [*best, *(_locate_similar(broker, others[name], here) for name in near)][:limit]


def _list_keyed(broker: Broker, who: Principal) -> list[Record]:
    """Return the newest version of every keyed memory that `who` may read, ended or waiting ones too."""
    reader = broker.as_reader(who)
    places = ["global", *(f"project:{project.id}" for project in list_projects(reader))]
    places += [place for place in places_with_superprojects(who) if place not in places]
    found = _history_of(reader, places)
    if who.person:
        found += reader.history(keys.ALL_WAITING, _MAX_MEMORIES)
        agents = registered_agents(broker.settings)
        found += _history_of(reader, [f"agent:{name}" for name in agents])
    return [record for record in found if record.dedupe_key]


def _history_of(reader: Reader, places: list[str]) -> list[Record]:
    return [r for p in places for r in reader.history(keys.memories_at(p), _MAX_MEMORIES)]


def _locate(broker: Broker, record: Record, here: set[str]) -> KeyLocation:
    reason, id_ = end_reason(broker, record), record.id
    place = f"project:{record.project}" if record.project else str(record.scope)
    if reason == "current" and place not in here:
        command = f"hooklore get {record.dedupe_key} --scope {record.scope}"
        return KeyLocation("elsewhere", record, command)
    if reason == "archived":
        return KeyLocation(reason, record, f"hooklore restore {id_}")
    if reason == "waits":
        return KeyLocation(reason, record, f"hooklore approve {id_}")
    return KeyLocation(reason, record, f"hooklore show {id_}")


def end_reason(broker: Broker, record: Record) -> str:
    """Return what ended a memory: forgotten, archived, answered, replaced, expired; else waits or current."""
    owner = broker.as_reader(PERSON)
    enders = [ender.kind for ender in owner.history(keys.end_of(record.id), _MAX_ENDERS)]
    if "tombstone" in enders:
        return "forgotten"
    if "archive" in enders and not owner.has(keys.restoration_of(record.id)):
        return "archived"
    if record.waits:
        return "answered" if enders else "waits"
    if enders or not owner.is_current_version(record):
        return "replaced"
    expires = record.expires_at
    return "expired" if isinstance(expires, str) and expires < broker.now() else "current"


def _best_of(locations: list[KeyLocation]) -> list[KeyLocation]:
    order = ("current", "elsewhere", "waits", "expired", "archived", "forgotten", "replaced")
    known = [location for location in locations if location.reason in order]
    unique = {location.record.id: location for location in known}
    return sorted(unique.values(), key=lambda location: order.index(location.reason))


def _locate_similar(broker: Broker, record: Record, here: set[str]) -> KeyLocation:
    location = _locate(broker, record, here)
    if location.reason == "current":
        return KeyLocation("similar", record, f"hooklore get {record.dedupe_key}")
    return location


def count_tags(broker: Broker, who: Principal = PERSON) -> list[tuple[str, int]]:
    """Return (tag, how many memories in force have the tag), the most used tag first."""
    broker.refresh()
    found: Counter[str] = Counter()
    for record in list_current_memories(broker, who):
        found.update(str(tag) for tag in record.body.tags)
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def list_tagged(reader: Reader, tag: str, limit: int = 100) -> list[Record]:
    """Return the memories in force with a tag, newest first."""
    return reader.lookup(keys.tagged(tag), limit)


def list_current_memories(broker: Broker, who: Principal = PERSON) -> list[Record]:
    """Return every memory in force that `who` may read, the newest of each place first."""
    reader = broker.as_reader(who)
    places = ["global", *(f"project:{project.id}" for project in list_projects(reader))]
    if who.person:
        places += [f"agent:{name}" for name in registered_agents(broker.settings)]
    places += [place for place in places_with_superprojects(who) if place not in places]
    return [r for p in places for r in reader.lookup(keys.memories_at(p), _MAX_MEMORIES)]
