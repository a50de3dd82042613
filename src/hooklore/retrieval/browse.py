"""What a person asks of memory from the command line; every answer passes `may_read` (design rule 5)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from hooklore.broker.broker import Broker, format_timestamp
from hooklore.broker.fetch import list_projects
from hooklore.broker.visible_prefix import take_visible
from hooklore.index import words
from hooklore.memories.brief_sections import (
    CHECKS_HEADING,
    PINNED_HEADING,
    append_snapshot_line,
)
from hooklore.memories.event_schema import KNOWN_AGENTS
from hooklore.memories.pins import format_pin
from hooklore.memories.staleness import describe_check
from hooklore.prompt.frame import (
    Section,
    make_excerpt,
    render_frame,
    render_note,
    render_title,
)
from hooklore.prompt.pin_rule import STANDING_KINDS
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import PERSON, Principal
from hooklore.records.ids import unpack_id
from hooklore.records.record import Body, Record
from hooklore.retrieval.notes import quotable_text

_MANY = 10_000
_MAX_PROJECTLESS_STARTS = 500


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records: empty fields ask nothing. `project` is an id; `since` RFC 3339 in UTC.

    `session` and `run` may be the beginning of an id. Control records are left out unless their
    stream or a kind of theirs is named.
    """

    kinds: frozenset[str] = frozenset()
    stream: str | None = None
    session: str | None = None
    project: str | None = None
    since: str | None = None
    run: str | None = None

    def matches(self, record: Record) -> bool:
        """Whether this record is one of them."""
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


def list_newest(broker: Broker, wanted: RecordFilter, who: Principal = PERSON) -> Iterator[Record]:
    """The records that are wanted and still in force, newest first."""
    for record in _candidates(broker, wanted, who):
        if wanted.since and _appended_at(record) < wanted.since:
            return  # ids ascend with time: what comes is older still
        if wanted.matches(record) and broker.is_in_force(record, who):
            yield record


def _appended_at(record: Record) -> str:
    return format_timestamp(unpack_id(record.id)[0] * 1_000_000)


def _candidates(broker: Broker, wanted: RecordFilter, who: Principal) -> Iterator[Record]:
    if wanted.session:
        found = broker.lookup(keys.in_session(wanted.session), who, _MANY)
        if found and len(found) < _MANY:
            yield from found
            return
    if wanted.run:
        tags = (keys.in_session(wanted.run), keys.in_run(wanted.run))
        of_run = {r.id: r for tag in tags for r in broker.lookup(tag, who, _MANY)}
        if of_run and len(of_run) < _MANY:
            yield from (of_run[id_] for id_ in sorted(of_run, reverse=True))
            return
    yield from broker.newest(who)


def search_records(
    broker: Broker, query: str, wanted: RecordFilter, who: Principal = PERSON, limit: int = 20
) -> list[tuple[float, Record]]:
    """(score, record), best first, of what is wanted, in force, and shares words with the query.

    More candidates are taken until enough of them are left, or there are no more.
    """
    terms, bins = broker.view.terms(query), _bins(broker, wanted, who)
    return take_visible(
        lambda most: broker.search(terms, bins, who, most),
        limit,
        lambda hit: wanted.matches(hit[1]),
    )


def _bins(broker: Broker, wanted: RecordFilter, who: Principal) -> list[str]:
    if wanted.project:
        places = {wanted.project}
    else:
        strays = broker.lookup(keys.of_kind("session_start", "-"), who, _MAX_PROJECTLESS_STARTS)
        places = {"global", *(f"agent:{name}" for name in KNOWN_AGENTS)}
        places |= {str(record.scope) for record in strays}
        places |= {project.id for project in list_projects(broker, who)}
    return [f"{group}|{place}" for group in words.SEARCH_GROUPS for place in sorted(places)]


@dataclass(frozen=True, slots=True)
class AccessReport:
    """What one answer put before a model: when, for which trigger and context, and the text again.

    `ended` are ids of notes that have been forgotten or replaced since, `missing` those whose
    records are no longer in the log.
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


def newest_session(broker: Broker, who: Principal = PERSON) -> str | None:
    """The session that recorded something last."""
    for record in broker.newest(who, ended=True):
        if record.stream == "observation" and record.session_id:
            return str(record.session_id)
    return None


def newest_shown_session(broker: Broker, who: Principal = PERSON) -> str | None:
    """The session that was shown something last, if that is not long ago."""
    for record in islice(broker.newest(who, ended=True), _MANY):
        if record.kind == "access" and record.session_id:
            return str(record.session_id)
    return None


def list_shown(broker: Broker, session: str, who: Principal = PERSON) -> list[AccessReport]:
    """Everything that a session was shown, oldest first. `session` is an id in full."""
    found = [r for r in broker.view.lookup(keys.shown_in(session), _MANY) if may_read(r, who)]
    return [describe_access(broker, access, who) for access in reversed(found)]


def describe_access(broker: Broker, access: Record, who: Principal) -> AccessReport:
    """What one `access` record says was shown."""
    body = access.body
    found = [(str(id_), broker.view.find(str(id_))[:1]) for id_ in body.targets]
    found = [(id_, r) for id_, r in found if (may_read(r[0], who) if r else who.person)]
    records = [r[0] for _, r in found if r]
    return AccessReport(
        ts=access.ts,
        trigger=body.trigger or "",
        session_id=access.session_id or "",
        subagent_id=access.subagent_id,
        tokens=body.tokens or 0,
        ids=tuple(id_ for id_, _ in found),
        text=_text_again(broker, records, access),
        ended=tuple(r.id for r in records if not broker.is_in_force(r, who)),
        missing=tuple(id_ for id_, r in found if not r),
    )


_HEADINGS = (
    PINNED_HEADING,
    CHECKS_HEADING,
    "Preferences, policies and constraints:",
    "What failed here before, and what made it pass:",
    "How the last session ended:",
    "Also known (`hooklore show ID` opens one):",
)


def _text_again(broker: Broker, records: list[Record], access: Record) -> str:
    """The notes as they were printed: text is not kept, but the same records make the same text."""
    body, branch = access.body, access.branch
    if body.trigger not in ("session_start", "agent_start", "snapshot"):
        return render_frame([("", _notes(records, branch))], _MANY)[0]
    parts: list[list[Record]] = [[] for _ in _HEADINGS]
    for record in records:
        parts[_part_of_brief(record, body)].append(record)
    sections: list[Section] = [
        (PINNED_HEADING, [(r.id, render_note(r, format_pin(r))) for r in parts[0]]),
        (CHECKS_HEADING, [(r.id, render_note(r, describe_check(broker, r))) for r in parts[1]]),
        *((_HEADINGS[i], _notes(parts[i], branch)) for i in (2, 3, 4)),
        (
            _HEADINGS[5],
            [(r.id, render_title(r, make_excerpt(quotable_text(r), 70))) for r in parts[5]],
        ),
    ]
    text = render_frame(sections, _MANY)[0]
    if "pinned" not in body:
        return text
    return append_snapshot_line(text, str(body.snapshot_id), body.extra("wake_up") or "")


def _part_of_brief(record: Record, body: Body) -> int:
    place = body.targets.index(record.id)
    pinned = body.extra("pinned") or 0
    if place < pinned + (body.extra("checked") or 0):
        return int(place >= pinned)
    if record.stream == "memory":
        return 2 if record.kind in STANDING_KINDS else 5
    return 3 if record.kind == "fix" else 4


def _notes(records: list[Record], branch: str | None) -> list[tuple[str, str]]:
    return [
        (r.id, render_note(r, make_excerpt(quotable_text(r), 600), reader_branch=branch))
        for r in records
    ]
