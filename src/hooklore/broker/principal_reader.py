"""Reading for one principal: the only way to read a store above the broker.

Every answer passes `may_read`, so that what a principal may not see cannot be asked for. Decisions that
are the store's own (which version is current, what has ended) are taken on the whole log: they say the
same to everybody. A decision about the whole store is taken as its owner, `Broker.as_reader(PERSON)`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar, cast

from hooklore.broker import conflicts, versions
from hooklore.broker.conflicts import Conflict
from hooklore.broker.derived_lists import MAX_VALUES, DerivedLists, DerivedValue, of_no_session
from hooklore.errors import NotFound
from hooklore.failures.common_lines import distinctive_lines
from hooklore.index.catalog import Stat
from hooklore.index.lookup_cache import evict_oldest
from hooklore.index.question import AnalyzedQuery
from hooklore.index.text import MAX_QUERY_TERMS
from hooklore.index.view import View
from hooklore.records import keys
from hooklore.records.access import may_read
from hooklore.records.draft import Principal
from hooklore.records.ids import prefix_of_short_id
from hooklore.records.record import Record
from hooklore.records.visible_prefix import DEPTH_AROUND, take_selected

Hit = tuple[float, Record]
"""A score and its record."""

Value = TypeVar("Value")

_MOST_SHARING = 1000
"""Records of one millisecond that are read to find the memories among them."""


class Reader:
    """The records of one store that `principal` may read, as far as the store was refreshed.

    A text is analysed by `question` and `terms` as the index has it, and a record by `terms_of`. `idf` is how
    rare a term is, and `count_in` about how many records bins have, hidden and ended ones among them.
    """

    now: Callable[[], str]
    question: Callable[[str], AnalyzedQuery]
    terms: Callable[[str], list[str]]
    terms_of: Callable[[Record], set[str]]
    idf: Callable[[str], float]
    count_in: Callable[[Collection[str]], int]

    def __init__(
        self,
        view: View,
        principal: Principal,
        now: Callable[[], str],
        derived: DerivedLists | None = None,
    ) -> None:
        """`now` tells this moment as RFC 3339 in UTC: expired records are no longer in force.

        `derived` keeps the values of `derive` for later readers of the same store.
        """
        self._view = view
        self.now = now
        self._derived: DerivedLists = {} if derived is None else derived
        self.principal = principal
        self.question, self.terms, self.terms_of = view.question, view.terms, view.terms_of
        self.idf, self.count_in = view.idf, view.count_in

    # ---- what sessions share

    def derive(self, name: str, make: "Callable[[Reader], Value]") -> Value:
        """Return what `make` makes of memories that this principal reads by exact keys.

        The value is kept under `name` for every session of the principal that may read the same, while no
        memory changes. `make` gets a reader of no session. It must depend on the records of its `lookup`
        and `history` alone, and its value must not be changed.
        """
        session, who = self.principal.session_id, of_no_session(self.principal)
        kept = self._derived.get((name, who))
        if kept is None or kept.revision != self._view.revision or self.now() > kept.until:
            reader = _WatchedReader(self._view, who, self.now)
            kept = reader.derived
            kept.value = make(reader)
            self._derived[name, who] = kept
            evict_oldest(self._derived, MAX_VALUES)
        if session is not None and session in kept.sessions:
            return make(self)
        return cast("Value", kept.value)

    # ---- records in force

    def lookup(self, key: str, limit: int = 100) -> list[Record]:
        """Return the records under an exact key that are in force, newest first."""
        return take_selected(lambda most: self._view.lookup(key, most), limit, self.select_in_force)

    def lookup_among(self, key: str, newest: int) -> list[Record]:
        """Return the records in force among the `newest` ones under an exact key, hidden ones counted."""
        return self.select_in_force(self._view.lookup(key, newest))

    def search(
        self,
        terms: Sequence[str],
        bins: Mapping[str, float] | Iterable[str],
        limit: int,
        *,
        before: int | None = None,
        pairs: Sequence[str] = (),
        most: int = MAX_QUERY_TERMS,
        ended: bool = False,
    ) -> list[tuple[float, Record]]:
        """Return (score, record) of records in force, best first; with `ended` also those that something ended.

        The other parameters are those of `View.search`.
        """
        select = self._readable if ended else self.select_in_force
        weights = dict(bins) if isinstance(bins, Mapping) else dict.fromkeys(bins, 1.0)
        names = (f"memory|{project}" for project in self.principal.around)
        around = {name: weights.pop(name) for name in names if name in weights}

        def find(found_in: Mapping[str, float], enough: int) -> list[Hit]:
            return self._view.search(terms, found_in, enough, before=before, pairs=pairs, most=most)

        def select_hits(hits: list[Hit]) -> list[Hit]:
            ids = {record.id for record in select(record for _, record in hits)}
            return [hit for hit in hits if hit[1].id in ids]

        hits = take_selected(partial(find, weights), limit, select_hits)
        if not around:
            return hits
        few = take_selected(partial(find, around), limit, select_hits, most=DEPTH_AROUND * limit)
        return sorted([*hits, *few], key=lambda hit: -hit[0])[:limit]

    def record_at(self, position: int) -> Record | None:
        """Return the record in force at a position of the log; None when there is none to be seen."""
        record = self._view.record_at(position)
        return record if record is not None and self.is_in_force(record) else None

    def newest(self, *, ended: bool = False) -> Iterator[Record]:
        """Yield the records that may be read, newest first; with `ended` also those that something ended."""
        for record in self._view.newest():
            if not may_read(record, self.principal):
                continue
            if ended or not self._view.has(keys.end_of(record.id)):
                yield record

    def get(self, prefix: str) -> Record:
        """Return the one record whose id begins with `prefix`. Raise NotFound, also for a hidden record."""
        found = self.find(prefix)
        is_shown = self.principal.person or versions.select_current(self._view, found)
        if len(found) != 1 or not is_shown:
            raise NotFound(prefix)
        return found[0]

    def is_in_force(self, record: Record) -> bool:
        """Return whether the principal may see a record, and nothing has ended it."""
        return bool(self.select_in_force([record]))

    def select_in_force(self, records: Iterable[Record]) -> list[Record]:
        """Return those of `records` that are in force, in their order."""
        moment = self.now()
        readable = [record for record in records if may_read(record, self.principal)]
        return versions.select_in_force(self._view, readable, moment) if readable else []

    # ---- records in force or not

    def history(self, key: str, limit: int = 100) -> list[Record]:
        """Return the records under an exact key that may be read, ended ones too, newest first."""
        return take_selected(lambda most: self._view.lookup(key, most), limit, self._readable)

    def find(self, prefix: str) -> list[Record]:
        """Return at most two records that may be read and whose id begins with `prefix`, or has it as short id.

        A short id is that of the memory where a memory and another record share it.
        """
        found = self._readable(self._view.find(prefix)) if prefix else []
        stamp = None if found else prefix_of_short_id(prefix)
        if stamp is None:
            return found
        sharing = self._view.find(stamp, _MOST_SHARING)
        readable = self._readable(sharing)
        memories = [record for record in readable if record.stream == "memory"]
        is_known = len(sharing) < _MOST_SHARING  # else more of them may be memories
        return (memories if memories and (is_known or len(memories) > 1) else readable)[:2]

    def may_read(self, record: Record) -> bool:
        """Return whether the principal may see a record."""
        return may_read(record, self.principal)

    def is_ended(self, record: Record) -> bool:
        """Return whether a tombstone, an archiving or a newer memory has ended a record."""
        return self._view.has(keys.end_of(record.id))

    def has(self, key: str) -> bool:
        """Return whether any record of the log has an exact key; the record itself stays hidden."""
        return self._view.has(key)

    def held(self, keys_: Iterable[str]) -> set[str]:
        """Return those of some exact keys that any record of the log has; the records stay hidden."""
        return self._view.held(keys_)

    # ---- versions and conflicts

    def is_current_version(self, record: Record) -> bool:
        """Return whether a memory is the newest version of its line, and waits for nobody."""
        return versions.is_current_version(self._view, record)

    def latest_active_version(self, line: str) -> Record | None:
        """Return the newest version of a line, unless something has ended it or it is hidden."""
        return self._visible(versions.latest_active_version(self._view, line))

    def earlier_versions(self, record: Record) -> list[Record]:
        """Return the versions before a memory that may be read, newest first."""
        return self._readable(versions.earlier_versions(self._view, record))

    def previous_version(self, record: Record) -> Record | None:
        """Return the version that was current when a memory was written, or None."""
        return self._visible(versions.previous_version(self._view, record))

    def superseded_by(self, record: Record) -> Record | None:
        """Return the memory that took a record's place; None when none did, or it is hidden."""
        return self._visible(versions.superseded_by(self._view, record))

    def find_by_id(self, id_: str) -> Record | None:
        """Return the memory or the conflict with this id in full; None when there is none to be seen."""
        return self._visible(versions.find_by_id(self._view, id_))

    def pin_marks(self) -> dict[str, bool]:
        """Return the lines that somebody pinned (True) or unpinned (False), by what was said last."""
        return versions.pin_marks(self._view)

    def open_conflicts(self, place: str = "") -> Iterator[Conflict]:
        """Yield the unsettled conflicts of which both sides may be read, newest first.

        `place` is `global`, `agent:<agent_id>` or `project:<id>`; empty for every one.
        """
        return conflicts.open_conflicts(self._view, self.principal, place)

    def load_conflict(self, record: Record) -> Conflict | None:
        """Return the open conflict that a record tells of; None when it is settled or a side is hidden."""
        found = conflicts.load_conflict(self._view, record)
        return found if found and len(self._readable([found.a, found.b])) == 2 else None

    def open_conflict_on_line(self, line: str) -> Conflict | None:
        """Return the open conflict about a key; None when there is none, or a side is hidden."""
        found = conflicts.open_conflict_about(self._view, line)
        return found if found and len(self._readable([found.a, found.b])) == 2 else None

    def find_contradicted(self, record: Record) -> list[Record]:
        """Return the readable memories that a draft would contradict beside its key's own versions."""
        return self._readable(conflicts.find_contradicted(self._view, record))

    def find_overwritten(self, record: Record) -> Record | None:
        """Return the version that a memory overwrote without naming it; None when there is none to be seen."""
        return self._visible(conflicts.find_overwritten(self._view, record))

    # ---- failures

    def distinctive_lines(self, failure: Record) -> list[str]:
        """Return the normalised lines that identify a failure, the most telling first."""
        return distinctive_lines(self._view, failure)

    # ---- counts

    @property
    def revision(self) -> str:
        """A mark that changes whenever the memories in force may have changed, but for those that expire."""
        return self._view.revision

    @property
    def documents(self) -> int:
        """The number of indexed records."""
        return self._view.documents

    def stats(self) -> Iterator[Stat]:
        """Yield counts of what is indexed. They mix every record, so they are the person's alone."""
        yield from self._view.stats() if self.principal.person else ()

    def unindexed_at(self) -> list[tuple[int, Record]]:
        """Return (position in the log, record) of the records that may be read and that the index lacks."""
        unindexed = self._view.tail.records()
        return [(pos, r) for pos, r in unindexed if may_read(r, self.principal)]

    def _readable(self, records: Iterable[Record]) -> list[Record]:
        return [record for record in records if may_read(record, self.principal)]

    def _visible(self, record: Record | None) -> Record | None:
        return record if record is not None and may_read(record, self.principal) else None


class _WatchedReader(Reader):
    """A reader that notes which records its answers depend on."""

    def __init__(self, view: View, principal: Principal, now: Callable[[], str]) -> None:
        super().__init__(view, principal, now)
        self.derived = DerivedValue(now(), view.revision)

    def select_in_force(self, records: Iterable[Record]) -> list[Record]:
        found = list(records)
        self.derived.note(found)
        return super().select_in_force(found)

    def _readable(self, records: Iterable[Record]) -> list[Record]:
        found = list(records)
        self.derived.note(found)
        return super()._readable(found)
