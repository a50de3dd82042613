"""Entries by key: the current version, those before it, tags, and why a key is not found (rows AU-08, RF-25)."""

import difflib
from collections import Counter
from dataclasses import dataclass

from hooklore.broker import versions as standing
from hooklore.broker.broker import Broker
from hooklore.broker.fetch import get_record, list_projects
from hooklore.broker.visible_prefix import take_visible
from hooklore.errors import HookloreError
from hooklore.memories.event_schema import KNOWN_AGENTS
from hooklore.memories.pins import reader_places
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Principal
from hooklore.records.ids import is_record_id
from hooklore.records.record import Record

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """A memory by its key (seed 004): the current version, since when there is one, and when it changed.

    `versions` are those before it, the newest first.
    """

    record: Record
    versions: tuple[Record, ...]

    @property
    def created_at(self) -> str:
        """When the first version was said."""
        return str(self.record.created_at or self.record.ts)

    @property
    def updated_at(self) -> str:
        """When this version was said."""
        return str(self.record.ts)


def get_entry(
    broker: Broker, key: str, who: Principal, of: list[str] | None = None, *, versions: bool = False
) -> MemoryEntry:
    """The entry with this key, of the most specific place that has one; an id works too.

    Raises HookloreError, which says how to find it.
    """
    broker.refresh()
    record = (
        get_record(broker, key, who)
        if is_record_id(key)
        else find_current(broker, key, who, of or reader_places(who))
    )
    if record is None:
        raise HookloreError(
            f"could not find `{key}`: no memory with this key here",
            fix=f"run `hooklore find {key}`",
        )
    if not who.person and not broker.is_in_force(record, who):
        raise HookloreError(
            f"could not read `{key}`: it has been replaced or ended",
            fix=f"run `hooklore find {key}`",
        )
    older = standing.earlier_versions(broker.view, record) if versions else []
    return MemoryEntry(record, tuple(r for r in older if may_read(r, who)))


def find_current(broker: Broker, key: str, who: Principal, of: list[str]) -> Record | None:
    """The memory with this key in the first of these places that has one `who` may read."""
    for place in of:
        for audience in _audiences(who):
            found = broker.lookup(keys.version_line(place, key, audience), who, 1)
            if found:
                return found[0]
    return None


def _audiences(who: Principal) -> list[str]:
    """The lines of a key that a reader may see, the narrowest first."""
    found = [""]
    if who.session_id:
        found.insert(0, f"|session:{who.session_id}")
    if not who.person:
        return [*found[:-1], f"|role:{who.role}", ""]
    return ["|private:person", *found]


@dataclass(frozen=True, slots=True)
class KeyLocation:
    """Where a key, or one much like it, is to be found.

    `reason` is one of current, waits, replaced, forgotten, archived, expired, elsewhere, similar;
    `command` is what leads there.
    """

    reason: str
    record: Record
    command: str


def locate_key(
    broker: Broker, key: str, who: Principal = PERSON, limit: int = 10
) -> list[KeyLocation]:
    """Why a key is or is not found: another project, a near spelling, archived, replaced (seed 004)."""
    broker.refresh()
    here = set(reader_places(who))
    exact: list[KeyLocation] = []
    others: dict[str, Record] = {}
    for record in _keyed(broker, who):
        name = str(record.dedupe_key)
        if name == key:
            exact.append(_trace(broker, record, here))
        else:
            others.setdefault(name, record)
    best = _best_of(exact)
    if any(trace.reason == "current" for trace in best):
        return best[:limit]
    near = difflib.get_close_matches(key, others, n=limit, cutoff=0.6)
    near += [name for name in others if name not in near and (key in name or name in key)]
    return [*best, *(_near(broker, others[name], here) for name in near)][:limit]


def _keyed(broker: Broker, who: Principal) -> list[Record]:
    """The newest version of every keyed memory anywhere, ended or not, and what waits."""
    of = ["global", *(f"project:{p.id}" for p in list_projects(broker, who))]
    of += [place for place in reader_places(who) if place not in of]
    heads = (r for place in of for r in broker.view.lookup(keys.memories_at(place), _MOST))
    waiting = broker.view.lookup(keys.ALL_WAITING, _MOST) if who.person else []
    found = [r for r in (*heads, *waiting) if r.dedupe_key and may_read(r, who)]
    return found if not who.person else [*found, *_of_agents(broker)]


def _of_agents(broker: Broker) -> list[Record]:
    names = (*KNOWN_AGENTS, *broker.settings.curated.agents)
    found = (
        r for name in names for r in broker.view.lookup(keys.memories_at(f"agent:{name}"), _MOST)
    )
    return [r for r in found if r.dedupe_key]


def _trace(broker: Broker, record: Record, here: set[str]) -> KeyLocation:
    reason, id_ = _state(broker, record), record.id
    place = f"project:{record.project}" if record.project else str(record.scope)
    if reason == "current" and place not in here:
        command = f"hooklore get {record.dedupe_key} --scope {record.scope}"
        return KeyLocation("elsewhere", record, command)
    if reason == "archived":
        return KeyLocation(reason, record, f"hooklore restore {id_}")
    if reason == "waits":
        return KeyLocation(reason, record, f"hooklore approve {id_}")
    return KeyLocation(reason, record, f"hooklore show {id_}")


def _state(broker: Broker, record: Record) -> str:
    enders = [r.kind for r in broker.view.lookup(keys.end_of(record.id), 4)]
    if "tombstone" in enders:
        return "forgotten"
    if "archive" in enders and not broker.view.has(keys.restoration_of(record.id)):
        return "archived"
    if record.waits:
        return "answered" if enders else "waits"
    if enders or not standing.is_current_version(broker.view, record):
        return "replaced"
    expires = record.expires_at
    return "expired" if isinstance(expires, str) and expires < broker.now() else "current"


def _best_of(traces: list[KeyLocation]) -> list[KeyLocation]:
    order = ("current", "elsewhere", "waits", "expired", "archived", "forgotten", "replaced")
    known = [trace for trace in traces if trace.reason in order]
    unique = {trace.record.id: trace for trace in known}
    return sorted(unique.values(), key=lambda trace: order.index(trace.reason))


def _near(broker: Broker, record: Record, here: set[str]) -> KeyLocation:
    trace = _trace(broker, record, here)
    if trace.reason == "current":
        return KeyLocation("similar", record, f"hooklore get {record.dedupe_key}")
    return trace


def count_tags(broker: Broker, who: Principal = PERSON) -> list[tuple[str, int]]:
    """(tag, how many memories in force have it), the most used first."""
    broker.refresh()
    found: Counter[str] = Counter()
    for record in list_current_memories(broker, who):
        found.update(str(tag) for tag in record.body.tags)
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def list_tagged(
    broker: Broker, tag: str, who: Principal = PERSON, limit: int = 100
) -> list[Record]:
    """The memories in force with a tag, newest first."""
    broker.refresh()
    gate = broker.is_in_force
    return take_visible(
        lambda most: broker.view.lookup(keys.tagged(tag), most), limit, lambda r: gate(r, who)
    )


def list_current_memories(broker: Broker, who: Principal = PERSON) -> list[Record]:
    """Every memory that stands and may be read, the newest of each place first."""
    of = ["global", *(f"project:{p.id}" for p in list_projects(broker, who))]
    if who.person:
        of += [f"agent:{name}" for name in (*KNOWN_AGENTS, *broker.settings.curated.agents)]
    of += [place for place in reader_places(who) if place not in of]
    return [r for place in of for r in broker.lookup(keys.memories_at(place), who, _MOST)]
