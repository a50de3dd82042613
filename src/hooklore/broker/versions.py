"""Which version of a memory stands: of one scope and key the newest, and nothing that waits (seed 000 C-1).

It follows from the log alone, so that every reader and every rebuild agree, whoever wrote at once.
"""

from typing import Protocol

from hooklore.errors import RecordInvalid
from hooklore.index.record_keys import version_line_key
from hooklore.index.view import View
from hooklore.records import keys
from hooklore.records.record import Record
from hooklore.text.similarity import is_same_text

_CONFIDENCE_RANK = {"low": 0, "med": 1, "high": 2}
_MAX_VERSIONS = 1_000
_MARKS = 5_000

CONFIRMATION_FIELDS = ("approves", "resolves")
"""What a version says that a person has confirmed: it takes its place whatever it rests on."""

_BY_A_PERSON = ("approved_by", "promoted_by")


class RecordLookup(Protocol):
    """Where records are looked up by their exact keys: the log, with or without a batch before it."""

    def lookup(self, tag: str, limit: int = 100) -> list[Record]:
        """Records under an exact key, newest first."""

    def has(self, tag: str) -> bool:
        """Whether a record is under this key."""


def find_by_id(view: RecordLookup, id_: str) -> Record | None:
    """The memory, or the conflict, with this id: by its exact key, not by a search of the log."""
    return next(iter(view.lookup(keys.memory_id(id_), 1)), None)


def is_current_version(view: RecordLookup, record: Record) -> bool:
    """Whether a memory is the newest version of its line, and waits for nobody.

    A version stays behind though a newer one was forgotten: what was replaced does not come back.
    """
    if record.waits:
        return False
    line = version_line_key(record)
    if not line:
        return True
    newest = view.lookup(line, 1)
    return not newest or newest[0].id <= record.id


def latest_active_version(view: RecordLookup, line: str) -> Record | None:
    """The newest version of a line, unless something has ended it."""
    found = view.lookup(line, 1) if line else []
    return found[0] if found and not view.has(keys.end_of(found[0].id)) else None


def previous_version(view: View, record: Record) -> Record | None:
    """The version that stood when this one was written; None when there was none, or it had been ended."""
    line = version_line_key(record)
    versions = view.lookup(line, 2) if line else []
    if versions and versions[0].id != record.id:
        versions = [r for r in view.lookup(line, _MAX_VERSIONS) if r.id <= record.id][:2]
    found = versions[1] if len(versions) > 1 else None
    if found is None or _expired_by(found, record.ts):
        return None
    enders = view.lookup(keys.end_of(found.id), 4)
    return None if any(e.id < record.id for e in enders) else found


def assign_version(record: Record, view: RecordLookup) -> Record:
    """A memory about to be appended, as it takes its place in its line. Only correct under the log's lock.

    It waits when it is weaker than what it would replace, and says so; it carries on since when there
    has been such an entry (`created_at`, seed 004). Raises RecordInvalid for one that is restored
    where another stands.
    """
    replaced = _replaced(record, view)
    if record.restores and replaced is not None:
        raise RecordInvalid(["restores: an active entry has its key"])
    if record.waits:
        return record
    if replaced is None:
        is_over = _is_over_waiting(record, view)
        return record.with_fields(warnings=["high_overwrites_low"]) if is_over else record
    now = record
    if version_line_key(record) and version_line_key(record) == version_line_key(replaced):
        now = record.with_fields(created_at=replaced.created_at or replaced.ts)
    if any(record.extra(name) for name in CONFIRMATION_FIELDS):
        return now
    weaker = weaker_reason(record, replaced)
    if weaker is not None:
        return record.without("created_at").with_fields(waits=weaker, warnings=[weaker])
    if _confidence_rank(record) > _confidence_rank(replaced):
        return now.with_fields(warnings=["high_overwrites_low"])
    return now


def weaker_reason(record: Record, other: Record) -> str | None:
    """Why a memory must not take another's place by itself; None when it may.

    `low_over_high`: it is less sure (decision C16). `over_the_user`: the user said or confirmed the
    other, and an agent has seen or guessed this one, however sure it is.
    """
    if (
        _confidence_rank(record) < _confidence_rank(other)
        and _confidence_rank(other) == _CONFIDENCE_RANK["high"]
    ):
        return "low_over_high"
    may = is_confirmed_by_user(record) or record.agent_id == "person"
    return "over_the_user" if is_confirmed_by_user(other) and not may else None


def is_confirmed_by_user(record: Record) -> bool:
    """Whether the user said a memory, or confirmed it."""
    return record.basis == "user" or any(record.extra(name) for name in _BY_A_PERSON)


def earlier_versions(view: View, record: Record, limit: int = _MAX_VERSIONS) -> list[Record]:
    """The versions before a memory, newest first: those of its line, and those it names as superseded.

    A circle, which only a log that others wrote can have, ends where it began.
    """
    line = version_line_key(record)
    found = {r.id: r for r in view.lookup(line, limit)} if line else {}
    named, seen = record.supersedes, {record.id}
    while isinstance(named, str) and named not in seen and len(seen) < limit:
        seen.add(named)
        older = find_by_id(view, named)
        if older is None or older.stream != "memory":
            break
        found[named] = older
        named = older.supersedes
    older_ones = [r for id_, r in found.items() if id_ < record.id]
    return sorted(older_ones, key=lambda r: str(r.id), reverse=True)[:limit]


def superseded_by(view: View, record: Record) -> Record | None:
    """The memory that took this one's place; None when none did."""
    for other in view.lookup(keys.end_of(record.id), 4):
        if other.stream == "memory":
            return other
    line = version_line_key(record)
    newest = view.lookup(line, 1) if line and not record.waits else []
    return newest[0] if newest and newest[0].id > record.id else None


def pin_marks(view: View) -> dict[str, bool]:
    """Lines that somebody pinned (True) or took off the pins (False), by what was said last."""
    found: dict[str, bool] = {}
    for mark in view.lookup(keys.ALL_PINS, _MARKS):
        for line in mark.body.lines:
            found.setdefault(str(line), mark.kind == "pin")
    return found


def has_different_content(one: Record, other: Record) -> bool:
    """Whether two memories say something else, beyond case, width and punctuation."""
    return not is_same_text(str(one.body.content_md), str(other.body.content_md))


def _replaced(record: Record, view: RecordLookup) -> Record | None:
    """What stands where this memory is to stand: by its key, else what it names."""
    found = latest_active_version(view, version_line_key(record))
    if found is None and record.supersedes:
        named = find_by_id(view, str(record.supersedes))
        if named and is_current_version(view, named) and not view.has(keys.end_of(named.id)):
            found = named
    if found is None or _expired_by(found, record.ts):
        return None
    return found


def _is_over_waiting(record: Record, view: RecordLookup) -> bool:
    """Whether something less sure waits under this key, which will now hardly be approved."""
    line = version_line_key(record)
    waiting = view.lookup(keys.waiting_for(line), 1) if line and not record.approves else []
    return any(
        _confidence_rank(r) < _confidence_rank(record)
        and not view.has(keys.end_of(r.id))
        and has_different_content(r, record)
        for r in waiting
    )


def _confidence_rank(record: Record) -> int:
    return _CONFIDENCE_RANK.get(str(record.confidence), 2)


def _expired_by(record: Record, moment: str) -> bool:
    expires = record.expires_at
    return isinstance(expires, str) and expires < moment
