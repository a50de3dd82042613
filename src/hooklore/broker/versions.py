"""Decide which version of a memory is current: the newest of its scope and key that does not wait.

The decision follows from the log alone, so that every reader and every rebuild agree (seed 000 C-1).
"""

from collections.abc import Iterable

from hooklore.errors import RecordInvalid
from hooklore.index.record_keys import record_keys, version_line_key
from hooklore.index.view import View
from hooklore.records import keys
from hooklore.records.key_lookup import KeyLookup
from hooklore.records.record import Record
from hooklore.records.standing import is_better_trusted, may_replace
from hooklore.text.similarity import is_same_text

_CONFIDENCE_RANK = {"low": 0, "med": 1, "high": 2}
_MAX_VERSIONS = 1_000
_MARKS = 5_000

CONFIRMATION_FIELDS = ("approves", "resolves")
"""Fields of a version that a person confirmed: it becomes current whatever its basis."""


def find_by_id(view: KeyLookup, id_: str) -> Record | None:
    """Return the memory or the conflict with this id, by its exact key; None when there is none."""
    return next(iter(view.lookup(keys.memory_id(id_), 1)), None)


def is_current_version(view: KeyLookup, record: Record) -> bool:
    """Return whether a memory is the newest version of its line, and waits for nobody.

    A version stays replaced though a newer one was forgotten: it does not come back.
    """
    return bool(select_newest(view, [record]))


def select_newest(view: KeyLookup, memories: Iterable[Record]) -> list[Record]:
    """Return those of `memories` that are the newest versions of their lines, and wait for nobody."""
    lines = [(record, version_line_key(record)) for record in memories if not record.waits]
    newest = {line: view.lookup(line, 1) for _, line in lines if line}
    return [r for r, line in lines if not any(other.id > r.id for other in newest.get(line, ()))]


def select_current(view: KeyLookup, records: Iterable[Record]) -> list[Record]:
    """Return those of `records` that nothing has ended, replaced or made wait, in their order."""
    found = list(records)
    memories = [record for record in found if record.stream == "memory"]
    newest = {record.id for record in select_newest(view, memories)} if memories else set()
    left = [record for record in found if record.stream != "memory" or record.id in newest]
    ends = view.held([keys.end_of(record.id) for record in left])
    return [record for record in left if keys.end_of(record.id) not in ends] if ends else left


def select_in_force(view: KeyLookup, records: Iterable[Record], moment: str) -> list[Record]:
    """Return those of `records` that are current and have not expired at `moment`, in their order."""
    return select_current(view, [r for r in records if not _expired_by(r, moment)])


def latest_active_version(view: KeyLookup, line: str) -> Record | None:
    """Return the newest version of a line, or None when something has ended it."""
    found = view.lookup(line, 1) if line else []
    return found[0] if found and not view.has(keys.end_of(found[0].id)) else None


def previous_version(view: View, record: Record) -> Record | None:
    """Return the version that was current when `record` was written; None when there was none."""
    line = version_line_key(record)
    versions = view.lookup(line, 2) if line else []
    if versions and versions[0].id != record.id:
        versions = [r for r in view.lookup(line, _MAX_VERSIONS) if r.id <= record.id][:2]
    found = versions[1] if len(versions) > 1 else None
    if found is None or _expired_by(found, record.ts):
        return None
    enders = view.lookup(keys.end_of(found.id), 4)
    return None if any(e.id < record.id for e in enders) else found


def assign_version(record: Record, view: KeyLookup) -> Record:
    """Return a memory as it joins its line. Only correct under the log's lock.

    A memory that is weaker than the one it would replace waits, with a warning. `created_at` of the
    line's first version carries over (seed 004). Raise RecordInvalid for a restored memory whose line
    has a current version.
    """
    if record.waits:
        return record
    replaced = _replaced(record, view)
    if record.restores and replaced is not None:
        raise RecordInvalid(["restores: an active entry has its key"])
    if replaced is None:
        is_over = _is_over_waiting(record, view)
        return record.with_fields(warnings=["high_overwrites_low"]) if is_over else record
    now = record
    if version_line_key(record) and version_line_key(record) == version_line_key(replaced):
        now = record.with_fields(created_at=replaced.created_at or replaced.ts)
    if any(record.extra(name) for name in CONFIRMATION_FIELDS):
        return now
    weaker = weaker_reason(record, replaced) or _weaker_than_named(record, replaced, view)
    if weaker is not None:
        return record.without("created_at").with_fields(waits=weaker, warnings=[weaker])
    if _confidence_rank(record) > _confidence_rank(replaced):
        return now.with_fields(warnings=["high_overwrites_low"])
    return now


def weaker_reason(record: Record, other: Record) -> str | None:
    """Return why `record` must not replace `other` without a person; None when it may.

    `low_over_high`: `record` is less sure, and no better trusted by whose word it is. `over_the_user`: the user
    said or confirmed `other`, and an agent said, saw or guessed `record`, however sure it is.
    """
    if (
        _confidence_rank(record) < _confidence_rank(other)
        and _confidence_rank(other) == _CONFIDENCE_RANK["high"]
        and not is_better_trusted(record, other)
    ):
        return "low_over_high"
    return None if may_replace(record, other) else "over_the_user"


def earlier_versions(view: View, record: Record, limit: int = _MAX_VERSIONS) -> list[Record]:
    """Return the versions before a memory, newest first: those of its line, and those it supersedes by name.

    A circle, which only a foreign writer can make, ends where it began.
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
    """Return the memory that replaced `record`, or None."""
    for other in view.lookup(keys.end_of(record.id), 4):
        if other.stream == "memory":
            return other
        if other.body.extra("by"):  # its words ended it
            return find_by_id(view, str(other.body.extra("by")))
    line = version_line_key(record)
    newest = view.lookup(line, 1) if line and not record.waits else []
    return newest[0] if newest and newest[0].id > record.id else None


def pin_marks(view: View) -> dict[str, bool]:
    """Return the lines that somebody pinned (True) or unpinned (False); the last word counts."""
    found: dict[str, bool] = {}
    for mark in view.lookup(keys.ALL_PINS, _MARKS):
        for line in mark.body.lines:
            found.setdefault(str(line), mark.kind == "pin")
    return found


def has_different_content(one: Record, other: Record) -> bool:
    """Return whether two memories differ beyond case, width and punctuation."""
    return not is_same_text(str(one.body.content_md), str(other.body.content_md))


def _replaced(record: Record, view: KeyLookup) -> Record | None:
    """Return the memory that `record` would replace: by its key, else by the id it names."""
    found = latest_active_version(view, version_line_key(record))
    if found is None and record.supersedes:
        named = find_by_id(view, str(record.supersedes))
        found = next(iter(select_current(view, [named] if named else [])), None)
    if found is None or _expired_by(found, record.ts):
        return None
    return found


def _weaker_than_named(record: Record, replaced: Record, view: KeyLookup) -> str | None:
    """Return why `record` must not end the memory that it names beside the version that it replaces."""
    if not record.supersedes or record.supersedes == replaced.id:
        return None
    named = find_by_id(view, str(record.supersedes))
    active = select_current(view, [named] if named else [])
    return weaker_reason(record, active[0]) if active else None


def _is_over_waiting(record: Record, view: KeyLookup) -> bool:
    """Return whether a less sure memory waits under this key, which will hardly be approved now."""
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


class BatchView:
    """The log, and the records of a batch that are about to be appended to it."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._batch: dict[str, list[Record]] = {}

    def add(self, record: Record) -> None:
        """Add a record of the batch, which has the newest id."""
        for tag in record_keys(record):
            self._batch.setdefault(tag, []).append(record)

    def lookup(self, tag: str, limit: int = 100) -> list[Record]:
        """Return the records under an exact key, newest first."""
        held = self._batch.get(tag, [])[-limit:][::-1]
        return held if len(held) == limit else held + self._view.lookup(tag, limit - len(held))

    def has(self, tag: str) -> bool:
        """Return whether a record is under this key."""
        return bool(self.held((tag,)))

    def held(self, tags: Iterable[str]) -> set[str]:
        """Return those of `tags` that a record is under."""
        asked = set(tags)
        return asked & self._batch.keys() | self._view.held(asked)
