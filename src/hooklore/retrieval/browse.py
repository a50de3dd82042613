"""List and search what memory holds, as the command line asks for it."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from hooklore.broker.broker import format_timestamp
from hooklore.broker.fetch import list_projects, require_project
from hooklore.broker.principal_reader import Reader
from hooklore.config import Settings
from hooklore.errors import ArgumentInvalid
from hooklore.index import words
from hooklore.memories.agent_registry import registered_agents
from hooklore.memories.pins import list_memories
from hooklore.records import keys
from hooklore.records.ids import unpack_id
from hooklore.records.record import Record
from hooklore.records.schema import KINDS
from hooklore.records.visible_prefix import take_visible
from hooklore.redaction.id_redaction import redact_id
from hooklore.retrieval.result_order import Hit, order_for_listing, select_for_reading
from hooklore.text.parse_time import parse_time

_MANY = 10_000
_MAX_PROJECTLESS_STARTS = 500


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Conditions on records, none for an empty field. `project` is an id, `since` RFC 3339 in UTC.

    `session` and `run` may be the beginning of an id. Control records are left out unless their
    stream or a kind of theirs is named.
    """

    kinds: Collection[str] = ()
    stream: str | None = None
    session: str | None = None
    project: str | None = None
    since: str | None = None
    run: str | None = None

    def __post_init__(self) -> None:
        """Ask for ids as they are recorded: an id without an id's form is recorded as its hash."""
        object.__setattr__(self, "session", self.session and redact_id(self.session))
        object.__setattr__(self, "run", self.run and redact_id(self.run))

    def checked(self, reader: Reader) -> "RecordFilter":
        """Return a filter as it was typed with the id of its project and its time.

        Raise ArgumentInvalid for a kind or a stream that no record has.
        """
        known = {kind for of_stream in KINDS.values() for kind in of_stream}
        for kind in self.kinds:
            if kind not in known:
                raise ArgumentInvalid("kind", f"`{kind}` is no kind of record")
        if self.stream and self.stream not in KINDS:
            raise ArgumentInvalid("stream", f"`{self.stream}` is none of {', '.join(KINDS)}")
        return replace(
            self,
            stream=self.stream or None,
            project=require_project(reader, self.project).id if self.project else None,
            since=parse_time(self.since) if self.since else None,
        )

    def matches(self, record: Record) -> bool:
        """Return whether a record meets every condition."""
        if self.kinds and record.kind not in self.kinds:
            return False
        is_hidden = record.stream == "control" and not self.kinds
        if record.stream != self.stream and (self.stream or is_hidden):
            return False
        if self.session and not (record.session_id or "").startswith(self.session):
            return False
        if self.run and not (record.run_id or "").startswith(self.run):
            return False
        if self.project and record.project != self.project:
            return False
        return self.since is None or record.ts >= self.since


def list_newest(reader: Reader, record_filter: RecordFilter) -> Iterator[Record]:
    """Yield the records in force that pass a filter, newest first."""
    for record in _candidates(reader, record_filter):
        since, appended_ns = record_filter.since, unpack_id(record.id)[0] * 1_000_000
        if since and format_timestamp(appended_ns) < since:
            return  # ids ascend with time, so that the other records are older still
        if record_filter.matches(record) and reader.is_in_force(record):
            yield record


def list_for_reading(
    reader: Reader, record_filter: RecordFilter, limit: int, writers: Collection[str] = ()
) -> list[Record]:
    """Return the newest records in force that pass a filter, memories first.

    Up to half of the `limit` are the newest memories, however much has happened since.
    """
    newest = list(islice(list_newest(reader, record_filter), limit))
    if len(newest) < limit:
        return order_for_listing(newest)
    places = _places(reader, record_filter, writers or registered_agents(Settings()))
    # A project among the places is named by its id.
    scopes = [p if p == "global" or ":" in p else f"project:{p}" for p in places]
    kept = [r for r in list_memories(reader, scopes) if record_filter.matches(r)]
    kept = _newest_first(kept)[: (limit + 1) // 2]
    first = {record.id: record for record in (*kept, *newest)}
    return order_for_listing(_newest_first(islice(first.values(), limit)))


def _newest_first(records: Iterable[Record]) -> list[Record]:
    return sorted(records, key=lambda record: record.id, reverse=True)


def _candidates(reader: Reader, record_filter: RecordFilter) -> Iterator[Record]:
    """Yield the records of a session or a run that is named in full, else all, newest first."""
    if record_filter.session:
        found = reader.lookup(keys.in_session(record_filter.session), _MANY)
        if found and len(found) < _MANY:
            yield from found
            return
    if record_filter.run:
        names = (keys.in_session(record_filter.run), keys.in_run(record_filter.run))
        of_run = {r.id: r for name in names for r in reader.lookup(name, _MANY)}
        if of_run and len(of_run) < _MANY:
            yield from (of_run[id_] for id_ in sorted(of_run, reverse=True))
            return
    yield from reader.newest()


def search_records(
    reader: Reader,
    query: str,
    record_filter: RecordFilter,
    limit: int = 20,
    writers: Collection[str] = (),
) -> list[tuple[float, Record]]:
    """Return (score, record) of records in force that pass a filter and share words with `query`.

    Memories are first, then what happened, each best first. `writers` are those whose own records
    a person may search, by default the built-in ones.
    """
    writers = writers or registered_agents(Settings())
    terms, places = reader.terms(query), sorted(_places(reader, record_filter, writers))
    bins = [f"{group}|{place}" for group in words.SEARCH_GROUPS for place in places]

    def find(among: Collection[str]) -> list[Hit]:
        return take_visible(
            lambda most: reader.search(terms, among, most),
            limit,
            lambda hit: record_filter.matches(hit[1]),
        )

    found = find(bins)
    known = {record.id for _, record in found}
    of_memories = find([name for name in bins if words.is_bin_of_memories(name)])
    found += [hit for hit in of_memories if hit[1].id not in known]
    return select_for_reading(found, limit)


def search_memories_at(
    reader: Reader, query: str, place: str, limit: int, may_see: Callable[[Record], bool]
) -> list[Record]:
    """Return the memories of one place that share words with `query` and pass `may_see`, best first."""
    bins = [f"memory|{place.removeprefix('project:')}"]
    terms = reader.terms(query)
    found = take_visible(
        lambda most: reader.search(terms, bins, most), limit, lambda hit: may_see(hit[1])
    )
    return [record for _, record in found]


def _places(reader: Reader, record_filter: RecordFilter, writers: Iterable[str]) -> set[str]:
    """Return the places that a filter lets through: a project by its id, and scopes."""
    if record_filter.project:
        return {record_filter.project}
    strays = reader.lookup(keys.of_kind("session_start", "-"), _MAX_PROJECTLESS_STARTS)
    places = {"global", *(f"agent:{name}" for name in writers)}
    places |= {str(record.scope) for record in strays}
    places |= {project.id for project in list_projects(reader)}
    return places.union(reader.principal.around)


def newest_session(reader: Reader) -> str | None:
    """Return the id of the session that recorded something last."""
    for record in reader.newest(ended=True):
        if record.stream == "observation" and record.session_id:
            return str(record.session_id)
    return None
