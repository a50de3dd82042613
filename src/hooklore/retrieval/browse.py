"""List, search and show again what memory holds, as the command line asks for it."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Literal

from hooklore.broker.broker import format_timestamp
from hooklore.broker.fetch import list_projects
from hooklore.broker.principal_reader import Reader
from hooklore.broker.visible_prefix import take_visible
from hooklore.config import Settings
from hooklore.index import keys, words
from hooklore.memories.agent_registry import registered_agents
from hooklore.prompt.frame import make_excerpt, make_note, render_frame
from hooklore.prompt.note import make_section
from hooklore.records.ids import unpack_id
from hooklore.records.record import Body, Record
from hooklore.redaction.id_redaction import redact_id
from hooklore.retrieval.brief_memories import RULE_KINDS
from hooklore.retrieval.brief_parts import PART_NAMES, PartName, make_part, note_part
from hooklore.retrieval.brief_text import BY_TOOL, BriefText, frame_brief
from hooklore.retrieval.file_history import render_again
from hooklore.retrieval.left_work import left_notes, render_left_work, split_left_work
from hooklore.retrieval.notes import note_token_limit, quotable_text
from hooklore.retrieval.open_items import render_open_items_again
from hooklore.text.plural import format_count

_MANY = 10_000
_MAX_PROJECTLESS_STARTS = 500


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Conditions on records, none for an empty field. `project` is an id, `since` RFC 3339 in UTC.

    `session` and `run` may be the beginning of an id. Control records are left out unless their
    stream or a kind of theirs is named.
    """

    kinds: frozenset[str] = frozenset()
    stream: str | None = None
    session: str | None = None
    project: str | None = None
    since: str | None = None
    run: str | None = None

    def __post_init__(self) -> None:
        """Ask for ids as they are recorded: an id without an id's form is recorded as its hash."""
        object.__setattr__(self, "session", self.session and redact_id(self.session))
        object.__setattr__(self, "run", self.run and redact_id(self.run))

    def matches(self, record: Record) -> bool:
        """Return whether a record meets every condition."""
        if self.kinds and record.kind not in self.kinds:
            return False
        if record.stream != self.stream and (self.stream or self._hides(record)):
            return False
        if self.session and not (record.session_id or "").startswith(self.session):
            return False
        if self.run and not (record.run_id or "").startswith(self.run):
            return False
        if self.project and record.project != self.project:
            return False
        return self.since is None or record.ts >= self.since

    def _hides(self, record: Record) -> bool:
        return record.stream == "control" and not self.kinds


def list_newest(reader: Reader, record_filter: RecordFilter) -> Iterator[Record]:
    """Yield the records in force that pass a filter, newest first."""
    for record in _candidates(reader, record_filter):
        if record_filter.since and _appended_at(record) < record_filter.since:
            return  # ids ascend with time, so that the other records are older still
        if record_filter.matches(record) and reader.is_in_force(record):
            yield record


def _appended_at(record: Record) -> str:
    return format_timestamp(unpack_id(record.id)[0] * 1_000_000)


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
    """Return (score, record) of records in force that pass a filter and share words with `query`, best first.

    `writers` are those whose own records a person may search, by default the built-in ones.
    """
    writers = writers or registered_agents(Settings())
    terms, bins = reader.terms(query), _bins(reader, record_filter, writers)
    return take_visible(
        lambda most: reader.search(terms, bins, most),
        limit,
        lambda hit: record_filter.matches(hit[1]),
    )


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


def _bins(reader: Reader, record_filter: RecordFilter, writers: Iterable[str]) -> list[str]:
    if record_filter.project:
        places = {record_filter.project}
    else:
        strays = reader.lookup(keys.of_kind("session_start", "-"), _MAX_PROJECTLESS_STARTS)
        places = {"global", *(f"agent:{name}" for name in writers)}
        places |= {str(record.scope) for record in strays}
        places |= {project.id for project in list_projects(reader)}
    return [f"{group}|{place}" for group in words.SEARCH_GROUPS for place in sorted(places)]


@dataclass(frozen=True, slots=True)
class AccessReport:
    """One answer that was put before a model: when, for which trigger and context, and its text again.

    `ended` are ids of notes that have been forgotten or replaced since, `missing` those whose
    records are no longer in the log. An answer that was not `delivered` has no notes. A brief that
    `is_late` came with a prompt.
    """

    ts: str
    trigger: str
    session_id: str
    subagent_id: str | None
    tokens: int
    ids: tuple[str, ...]
    text: str
    ended: tuple[str, ...]
    missing: tuple[str, ...]
    delivered: bool = True
    is_late: bool = False


def newest_session(reader: Reader) -> str | None:
    """Return the id of the session that recorded something last."""
    for record in reader.newest(ended=True):
        if record.stream == "observation" and record.session_id:
            return str(record.session_id)
    return None


def newest_shown_session(reader: Reader) -> str | None:
    """Return the id of the session that was shown something last, among the newest 10,000 records."""
    for record in islice(reader.newest(ended=True), _MANY):
        if record.kind == "access" and record.session_id and _showed_something(record):
            return str(record.session_id)
    return None


def list_shown(reader: Reader, session: str) -> list[AccessReport]:
    """Return everything that a session was shown, oldest first. `session` is an id in full."""
    accesses = reader.history(keys.shown_in(session), _MANY)
    return [describe_access(reader, a) for a in reversed(accesses) if _showed_something(a)]


def _showed_something(access: Record) -> bool:
    """Return whether an answer held anything, or did not arrive: the snapshot at a start may be of nothing."""
    is_missed = access.body.extra("delivered") is False
    return is_missed or bool(access.body.targets or access.body.tokens)


def describe_access(reader: Reader, access: Record) -> AccessReport:
    """Return what one `access` record says was shown."""
    body = access.body
    targets = [(str(id_), reader.find(str(id_))[:1]) for id_ in body.targets]
    targets = [(id_, found) for id_, found in targets if found or reader.principal.person]
    records = [record for _, found in targets for record in found]
    return AccessReport(
        ts=access.ts,
        trigger=body.trigger or "",
        session_id=access.session_id or "",
        subagent_id=access.subagent_id,
        tokens=body.tokens or 0,
        ids=tuple(id_ for id_, _ in targets),
        text=_render_again(reader, records, access),
        ended=tuple(r.id for r in records if not reader.is_in_force(r)),
        missing=tuple(id_ for id_, found in targets if not found),
        delivered=body.extra("delivered") is not False,
        is_late=body.extra("late") is True,
    )


_OTHERS = "Also"


def _render_again(reader: Reader, records: list[Record], access: Record) -> str:
    """Return the notes as they were printed: the log keeps no text, but the same records make the same text.

    Of the index of a brief only the number of its titles is known.
    """
    body, branch = access.body, access.branch
    if body.trigger not in ("session_start", "agent_start", "snapshot"):
        limit = note_token_limit(body.trigger) if body.trigger else None
        left, found = split_left_work(records, body)
        notes = render_again(found, body, branch, limit)
        resumed = render_left_work(reader, left, branch, access.id)
        return render_frame([resumed, ("", notes)], _MANY)[0]
    parts = _split_into_parts(records, body)
    told = {name: note_part(name, reader, parts[name], branch) for name in PART_NAMES}
    told["open"] = render_open_items_again(reader, parts["open"], parts["state"], branch, access.id)
    told["branch"] = [n for r in parts["branch"] for n in left_notes(reader, r, branch, access.id)]
    others = [make_note(r, make_excerpt(quotable_text(r))) for r in parts[""]]
    sections = [
        *(make_part(name, told[name]) for name in PART_NAMES),
        make_section(_OTHERS, others),
    ]
    titles = body.extra("titles")
    if titles:
        sections.append(("", [("", f"(and an index of {format_count(titles, 'title')})")]))
    asked = body.extra("keep_line")
    brief = BriefText(sections, asks_to_keep=asked in (True, BY_TOOL), has_tool=asked == BY_TOOL)
    if brief.is_empty:
        return ""
    return frame_brief(brief, str(body.snapshot_id), body.extra("wake_up") or "")


def _split_into_parts(
    records: list[Record], body: Body
) -> dict[PartName | Literal[""], list[Record]]:
    """Return the records of each part of a brief or a snapshot, under "" those of no part."""
    ends = list(accumulate(_counts(body)))
    found: dict[PartName | Literal[""], list[Record]] = {"": []}
    found.update((name, []) for name in PART_NAMES)
    for record in records:
        place = bisect_right(ends, body.targets.index(record.id))
        found[PART_NAMES[place] if place < len(ends) else _part_by_kind(record)].append(record)
    return found


def _counts(body: Body) -> list[int]:
    """Return how many records each part has. An older version counts pins and checks alone."""
    parts = body.extra("parts")
    counts = parts if isinstance(parts, list) else [body.extra("pinned"), body.extra("checked")]
    return [count if isinstance(count, int) else 0 for count in counts[: len(PART_NAMES)]]


def _part_by_kind(record: Record) -> PartName | Literal[""]:
    if record.kind == "compaction":
        return "state"
    if record.kind in ("fix", "error"):
        return "again"
    if record.kind == "session_end":
        return "open"
    return "rules" if record.stream == "memory" and record.kind in RULE_KINDS else ""
