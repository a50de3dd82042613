"""Find memories that contradict each other, on write and on read, one record each (seed 000 C-3).

A conflict is open until a person resolves it (`approval`), or one of its sides is forgotten.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from hooklore.broker import versions
from hooklore.index.record_keys import audience, scope_key, version_line_key
from hooklore.index.view import View
from hooklore.index.words import bin_name
from hooklore.prompt.title import title_of
from hooklore.records import keys
from hooklore.records.access import inherit_visibility, may_read
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.ids import short_id
from hooklore.records.memory_kind import memory_kind
from hooklore.records.record import Record
from hooklore.records.standing import may_replace
from hooklore.text.contradiction import extract_subjects
from hooklore.text.token_estimate import truncate_text

_LOOKED_AT = 20
_SHARING_WORDS = 12
_MAX_TERMS = 8
_MOST_DRAFTED = 3
"""Conflicts that one memory makes: those with the nearest. A thousand that say the same are as many resolved."""
_MOST = 1_000
_EXCERPT = 100


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two memories that cannot both hold: `a` was there first, `b` is the newer one.

    `key` is what both are called, None when they are about one path or command (`subject`).
    """

    record: Record
    a: Record
    b: Record
    key: str | None
    subject: str | None

    @property
    def id(self) -> str:
        """The id of the conflict's record."""
        return str(self.record.id)

    @property
    def leader(self) -> Record:
        """The side that is told first: the newer one, unless a higher word stands against it."""
        return self.b if may_replace(self.b, self.a) else self.a


def draft_conflicts(view: View, record: Record) -> list[Draft]:
    """Return the drafts of the conflicts that a memory makes, without those that are recorded."""
    if record.waits or not versions.is_current_version(view, record):
        return []
    contradicted: list[tuple[Record, str, str | None]] = [*_beside_its_line(view, record)]
    overwritten = find_overwritten(view, record)
    if overwritten is not None:
        contradicted.insert(0, (overwritten, version_line_key(record), None))
    drafts = (
        _draft(record, other, about, subject)
        for other, about, subject in contradicted
        if open_conflict_about(view, about) is None and not _was_resolved(view, about, record)
    )
    return list(islice(drafts, _MOST_DRAFTED))


def find_overwritten(view: View, record: Record) -> Record | None:
    """Return the version with other content that a memory overwrote without naming it, or None."""
    other = versions.previous_version(view, record)
    if other is None or record.supersedes == other.id or record.resolves:
        return None
    return other if versions.has_different_content(record, other) else None


def open_conflict_about(view: View, about: str) -> Conflict | None:
    """Return the open conflict about a line, or about a pair of memories; None when there is none."""
    found = (load_conflict(view, record) for record in view.lookup(keys.conflict_about(about), 1))
    return next(found, None)


def find_contradicted(view: View, record: Record) -> list[Record]:
    """Return the memories that a memory, written or not yet, contradicts beside its key's own versions."""
    return [other for other, _, _ in _beside_its_line(view, record)]


def load_conflict(view: View, record: Record) -> Conflict | None:
    """Return a conflict with its two sides as they are now. Return None when it is settled."""
    if view.has(keys.end_of(record.id)):
        return None
    named = (versions.find_by_id(view, str(id_)) for id_ in record.body.sources[:2])
    sides = [side for side in named if side is not None and side.stream == "memory"]
    if len(sides) < 2:
        return None
    a, b = sides
    line = version_line_key(b)
    if line and line == record.body.about:
        return _load_conflict_on_line(view, record, a, line)
    if not (_is_active(view, a) and _is_active(view, b)):
        return None
    return Conflict(record, a, b, None, record.body.subject)


def _load_conflict_on_line(view: View, record: Record, a: Record, line: str) -> Conflict | None:
    """Return the conflict of a memory with what its key says now, None when it is settled."""
    newest = versions.latest_active_version(view, line)
    if newest is None or not versions.has_different_content(a, newest):
        return None
    if any(r.id != record.id for r in view.lookup(keys.conflict_about(line), 1)):
        return None  # a later one says what it is about now
    if any(r.kind == "tombstone" for r in view.lookup(keys.end_of(a.id), 4)):
        return None
    return Conflict(record, a, newest, str(newest.dedupe_key), None)


def open_conflicts(view: View, who: Principal = PERSON, place: str = "") -> Iterator[Conflict]:
    """Yield unsettled conflicts, newest first, of which `who` may see both sides.

    `place` is `global`, `agent:<agent_id>` or `project:<id>`; empty for every one.
    """
    for record in view.lookup(keys.conflicts_at(place) if place else keys.ALL_CONFLICTS, _MOST):
        conflict = load_conflict(view, record) if may_read(record, who) else None
        if conflict and may_read(conflict.a, who) and may_read(conflict.b, who):
            yield conflict


def describe_conflict(conflict: Conflict) -> str:
    """Return one line for a brief: both sides, and the command that settles the conflict."""
    return (
        f"Two memories contradict each other: {_quote_side(conflict.a)} Newer: {_quote_side(conflict.b)} "
        f"Ask the user which holds, then `hooklore resolve {short_id(conflict.id)} --keep newer|older|both`"
    )


def _quote_side(record: Record) -> str:
    return f"“{truncate_text(_text(record), _EXCERPT)}” ({record.agent_id}, {record.ts[:10]})."


def _beside_its_line(view: View, record: Record) -> Iterator[tuple[Record, str, str]]:
    """Yield the memory that `record` names as contradicted, then those that its words contradict, each once."""
    named = versions.find_by_id(view, str(record.contradicts)) if record.contradicts else None
    if named is not None and named.stream == "memory" and _is_active(view, named):
        yield named, _pair(named, record), named.dedupe_key or title_of(named)
    told = {named.id} if named is not None else set()
    for near, subject in _candidates(view, record):
        if near.id not in told and _is_active(view, near) and speaks_against(record, near):
            told.add(near.id)
            yield near, _pair(near, record), subject


def _pair(earlier: Record, later: Record) -> str:
    return f"pair:{earlier.id}|{later.id}"


def _candidates(view: View, record: Record) -> list[tuple[Record, str]]:
    """Return (earlier memory of the same readers, subject) of those that a memory may contradict, newest first.

    They share a path, a command or rare words with it, or lead one that does: of a thousand that say the same
    the newest is among them.
    """
    place, terms = scope_key(record), view.terms(_text(record))
    found = [
        (near, subject)
        for subject in extract_subjects(record)
        for near in view.lookup(keys.about_subject(place, subject), _LOOKED_AT)
    ]
    sharing = view.search(terms, [bin_name(record)], _SHARING_WORDS, most=_MAX_TERMS)
    found += [(near, title_of(near)) for _, near in sharing]
    found += [(later, subject) for near, subject in found for later in _newest_against(view, near)]
    known = {near.id: (near, subject) for near, subject in reversed(found)}
    beside = [each for each in known.values() if _is_beside(record, each[0])]
    return sorted(beside, key=lambda each: str(each[0].id), reverse=True)


def _is_beside(record: Record, near: Record) -> bool:
    """Return whether a memory is an earlier one for the same readers, and no version of the same line."""
    line = version_line_key(record)
    is_earlier = not record.id or near.id < record.id
    is_replaced = record.supersedes == near.id or (bool(line) and version_line_key(near) == line)
    is_for_same = scope_key(near) == scope_key(record) and audience(near) == audience(record)
    return is_earlier and not is_replaced and is_for_same


def _newest_against(view: View, record: Record) -> list[Record]:
    """Return the newer side of the newest conflict of a memory, nothing without one."""
    newest = view.lookup(keys.conflict_with(record.id), 1)
    ids = [str(id_) for each in newest for id_ in each.body.sources[1:2]]
    return [found for id_ in ids if (found := versions.find_by_id(view, id_)) is not None]


def speaks_against(later: Record, earlier: Record) -> bool:
    """Return whether what a memory says cannot hold beside an earlier one. Of two rules their own words judge."""
    said, known = _text(later), _text(earlier)
    if "episodic" in (memory_kind(later.kind).layer, memory_kind(earlier.kind).layer):
        return False  # what happened, or is to be done, happens again
    # Their expressions are for memories alone, which few hooks write.
    from hooklore.text.opposite_statements import is_contradiction
    from hooklore.text.rule_relation import relate_rules

    if not (memory_kind(later.kind).is_rule and memory_kind(earlier.kind).is_rule):
        return is_contradiction(known, said)

    is_against = relate_rules(known, said) != "adds"
    are_orders = memory_kind(later.kind).told_in_brief and memory_kind(earlier.kind).told_in_brief
    return is_against or (not are_orders and is_contradiction(known, said))


def _is_active(view: View, record: Record) -> bool:
    return versions.is_current_version(view, record) and not view.has(keys.end_of(record.id))


def _text(record: Record) -> str:
    return str(record.body.content_md)


def _was_resolved(view: View, about: str, record: Record) -> bool:
    """Return whether this version was one side of a settled conflict."""
    for known in view.lookup(keys.conflict_about(about), 1):
        closed = view.has(keys.end_of(known.id))
        return closed and (record.id < known.id or record.id in known.body.sources)
    return False


def _draft(record: Record, other: Record, about: str, subject: str | None) -> Draft:
    name = record.dedupe_key if subject is None else subject
    made = Record.of(
        **record.pick(
            "agent_id", "role", "project", "scope", "session_id", "run_id", "visibility",
            "is_private", "ts", "v",
        ),
        stream="synthesis",
        kind="conflict_resolution",
        basis="tool",
        delivery_id=f"{record.id}.conflict" if about == version_line_key(record) else f"{about}.conflict",
        source={"system": "other", "detail": "conflicts"},
        body={
            "text": f"Two memories about `{name}` contradict each other: "
            f"{_quote_side(other)} {_quote_side(record)}",
            "sources": [other.id, record.id],
            "about": about,
            "subject": subject,
        },
    )  # fmt: skip
    return Draft(inherit_visibility(made, [other, record]))
