"""Find memories that contradict each other, on write and on read, one record each (seed 000 C-3).

A conflict is open until a person resolves it (`approval`), or one of its sides is forgotten.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hooklore.broker import versions
from hooklore.index import keys
from hooklore.index.record_keys import scope_key, version_line_key
from hooklore.index.view import View
from hooklore.prompt.title import title_of
from hooklore.records.access import inherit_visibility, may_read
from hooklore.records.draft import PERSON, Draft, Principal
from hooklore.records.record import Record
from hooklore.text.contradiction import extract_subjects, is_contradiction
from hooklore.text.token_estimate import truncate_text

_LOOKED_AT = 20
_MOST = 1_000
_EXCERPT = 160


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


def draft_conflict(view: View, record: Record) -> Draft | None:
    """Return the draft of the conflict that a memory makes. Return None for no conflict, or a recorded one."""
    if record.waits or not versions.is_current_version(view, record):
        return None
    for other, about, subject in _contradicted(view, record):
        if _open(view, about) is None and not _was_resolved(view, about, record):
            return _draft(record, other, about, subject)
    return None


def find_overwritten(view: View, record: Record) -> Record | None:
    """Return the version with other content that a memory overwrote without naming it, or None."""
    other = versions.previous_version(view, record)
    if other is None or record.supersedes == other.id or record.resolves:
        return None
    return other if versions.has_different_content(record, other) else None


def open_conflict_on_line(view: View, line: str) -> Conflict | None:
    """Return the open conflict about a key, or None."""
    found = _open(view, line)
    return load_conflict(view, found) if found is not None else None


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
    if _was_forgotten(view, a):
        return None
    return Conflict(record, a, newest, str(newest.dedupe_key), None)


def open_conflicts(view: View, who: Principal = PERSON, place: str = "") -> Iterator[Conflict]:
    """Yield unsettled conflicts, newest first, of which `who` may see both sides.

    `place` is `global`, `agent:<agent_id>` or `project:<id>`; empty for every one.
    """
    for record in view.lookup(keys.conflicts_at(place) if place else keys.ALL_CONFLICTS, _MOST):
        if not may_read(record, who) or view.has(keys.end_of(record.id)):
            continue
        conflict = load_conflict(view, record)
        if conflict and may_read(conflict.a, who) and may_read(conflict.b, who):
            yield conflict


def describe_conflict(conflict: Conflict) -> str:
    """Return one line for a brief: both sides, and the command that settles the conflict."""
    name = f"`{conflict.key}`" if conflict.key else f"`{conflict.subject}`"
    return (
        f"Two memories about {name} contradict each other. A: {_quote_side(conflict.a)} "
        f"B (newer, in force): {_quote_side(conflict.b)} "
        f"Ask the user, then `hooklore resolve {conflict.id} --keep A|B|both`"
    )


def _quote_side(record: Record) -> str:
    return f"“{truncate_text(_text(record), _EXCERPT)}” ({record.agent_id}, {record.ts[:10]})."


def _contradicted(view: View, record: Record) -> Iterator[tuple[Record, str, str | None]]:
    """Yield (memory, what the conflict is about, path or command) of each memory that `record` contradicts."""
    other = find_overwritten(view, record)
    if other is not None:
        yield other, version_line_key(record), None
    yield from _beside_its_line(view, record)


def _beside_its_line(view: View, record: Record) -> Iterator[tuple[Record, str, str]]:
    """Yield the memory that `record` names as contradicted, then those about one path or command."""
    place, line = scope_key(record), version_line_key(record)
    named = versions.find_by_id(view, str(record.contradicts)) if record.contradicts else None
    if named is not None and named.stream == "memory" and _is_active(view, named):
        yield named, f"pair:{named.id}|{record.id}", named.dedupe_key or title_of(named)
    for subject in extract_subjects(record):
        for near in view.lookup(keys.about_subject(place, subject), _LOOKED_AT):
            if (record.id and near.id >= record.id) or (line and version_line_key(near) == line):
                continue
            if record.supersedes == near.id or not _is_active(view, near):
                continue
            if is_contradiction(_text(record), _text(near), subject):
                yield near, f"pair:{near.id}|{record.id}", subject


def _is_active(view: View, record: Record) -> bool:
    return versions.is_current_version(view, record) and not view.has(keys.end_of(record.id))


def _text(record: Record) -> str:
    return str(record.body.content_md)


def _open(view: View, about: str) -> Record | None:
    for record in view.lookup(keys.conflict_about(about), 1):
        if not view.has(keys.end_of(record.id)) and load_conflict(view, record) is not None:
            return record
    return None


def _was_resolved(view: View, about: str, record: Record) -> bool:
    """Return whether this version was one side of a settled conflict."""
    for known in view.lookup(keys.conflict_about(about), 1):
        closed = view.has(keys.end_of(known.id))
        return closed and (record.id < known.id or record.id in known.body.sources)
    return False


def _was_forgotten(view: View, record: Record) -> bool:
    return any(r.kind == "tombstone" for r in view.lookup(keys.end_of(record.id), 4))


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
        delivery_id=f"{record.id}.conflict",
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
