"""Show again what a session was shown: the log keeps ids, and the same records make the same text."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Literal

from hooklore.agents.program_name import PROGRAM
from hooklore.broker.leading import mark_as_told
from hooklore.broker.principal_reader import Reader
from hooklore.prompt.frame import make_excerpt, make_note, render_frame
from hooklore.prompt.note import make_section
from hooklore.records import keys
from hooklore.records.draft import Principal
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Body, Record
from hooklore.retrieval.brief_parts import PART_NAMES, PartName, make_part, note_part
from hooklore.retrieval.brief_text import BriefText, frame_brief
from hooklore.retrieval.file_history import render_again
from hooklore.retrieval.left_work import render_left_work, split_left_work
from hooklore.retrieval.notes import note_token_limit, quotable_text
from hooklore.retrieval.open_items import render_open_items_again
from hooklore.text.plural import format_count

_MANY = 10_000


@dataclass(frozen=True, slots=True)
class AccessReport:
    """One answer that was put before a model: when, for which trigger and context, and its text again.

    `ended` are ids of notes that have been forgotten or replaced since, `missing` those whose
    records are no longer in the log. An answer that was not `delivered` has no notes. A brief that
    `is_late` came with a prompt. `snapshot_id` lists the answer again.
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
    snapshot_id: str | None = None


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
    records = [mark_as_told(reader, r, access.id) for _, found in targets for r in found]
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
        snapshot_id=body.snapshot_id,
    )


_OTHERS = "Also"
_PART_OF_KIND: dict[str, PartName] = {
    "compaction": "state", "fix": "again", "error": "again", "session_end": "open",
}  # fmt: skip

_Parts = dict[PartName | Literal[""], list[Record]]
"""The records of a brief by the part that they stand in."""


def _render_again(reader: Reader, records: list[Record], access: Record) -> str:
    """Return the notes as they were printed: the log keeps no text, but the same records make the same text.

    Of the index of a brief only the number of its titles is known.
    """
    body = access.body
    if body.trigger in ("session_start", "agent_start", "snapshot"):
        return _render_brief_again(reader, records, access)
    who = Principal(project=access.project, branch=access.branch)
    left, found = split_left_work(records, body)
    resumed = render_left_work(reader, left, access.branch, access.id)
    limit = note_token_limit(body.trigger) if body.trigger else None
    notes = render_again(found, body, who, limit)
    return render_frame([resumed, ("", notes)], _MANY, is_bare=body.extra("bare") is True)[0]


def _render_brief_again(reader: Reader, records: list[Record], access: Record) -> str:
    body, branch = access.body, access.branch
    parts = _split_into_parts(records, body)
    told = {name: note_part(name, reader, parts[name], branch, access.id) for name in PART_NAMES}
    told["open"] = render_open_items_again(reader, parts["open"], parts["state"], branch, access.id)
    sections = [make_part(name, told[name]) for name in PART_NAMES]
    others = [make_note(r, make_excerpt(quotable_text(r))) for r in parts[""]]
    sections.append(make_section(_OTHERS, others))
    titles = body.extra("titles")
    if titles:
        sections.append(("", [("", f"(and an index of {format_count(titles, 'title')})")]))
    asked = body.extra("keep_line")
    tool = asked if isinstance(asked, str) else ""
    brief = BriefText(
        sections,
        asks_to_keep=asked is True or bool(tool),
        keep_tool=tool,
        program=body.extra("program") or PROGRAM,
        is_bare=body.extra("bare") is True,
    )
    return "" if brief.is_empty else frame_brief(brief, body.extra("wake_up") or "")


def _split_into_parts(records: list[Record], body: Body) -> _Parts:
    """Return the records of each part of a brief or a snapshot, under "" those of no part.

    An older version counts pins and checks alone: the part of another record follows from its kind.
    """
    parts = body.extra("parts")
    counts = parts if isinstance(parts, list) else [body.extra("pinned"), body.extra("checked")]
    known = (count if isinstance(count, int) else 0 for count in counts[: len(PART_NAMES)])
    ends = list(accumulate(known))
    found: _Parts = {"": [], **{name: [] for name in PART_NAMES}}
    for record in records:
        place = bisect_right(ends, body.targets.index(record.id))
        if place < len(ends):
            found[PART_NAMES[place]].append(record)
        elif record.kind in _PART_OF_KIND:
            found[_PART_OF_KIND[record.kind]].append(record)
        else:
            is_rule = record.stream == "memory" and memory_kind(record.kind).told_in_brief
            found["rules" if is_rule else ""].append(record)
    return found
