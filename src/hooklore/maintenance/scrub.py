"""Everything kept, scanned again with today's rules and with what a person names, and made to lack it.

Finding happens beside the running store. What changes a byte is done in one short hold of the append
lock, in an order in which a kill at any step leaves nothing that the next scrub does not finish: say
it in the log, empty the index, let rewritten segments take their places, then spool and quarantine.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from hooklore.broker import rules_version
from hooklore.broker.broker import Broker
from hooklore.broker.record_redactor import RecordRedactor, reserved_words
from hooklore.config import Settings, StoreLocation
from hooklore.errors import LogError
from hooklore.index import erase
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Progress, Projector
from hooklore.log import files, rewrite
from hooklore.log.line import decode_line
from hooklore.log.reader import Line, LogReader
from hooklore.maintenance import audit
from hooklore.maintenance.side_files import SideFiles
from hooklore.records.draft import ACKNOWLEDGED, Draft
from hooklore.records.record import Body, Record
from hooklore.redaction import RULES_VERSION
from hooklore.redaction.literals import Literals

PERSON_ACTOR = "person"
RESIDENT_ACTOR = "resident"
"""Who scrubs: the rule that changed does it by itself in the resident."""

MAX_REDACTION_TARGETS = 1_000
"""Ids in one redaction record."""

_ATTEMPTS = 5
"""To find nothing new under the lock that has not been said; writers of the same secret are rare."""

_LINES_PER_CANCEL_CHECK = 50

CancelCheck = Callable[[], bool]
"""Called now and then during a long look; true when it is to end."""


class ScanCancelled(Exception):
    """The look was told to end; nothing has changed."""


class ScrubHit(NamedTuple):
    """A line to change: the rules that found something, and its record's id, None of a damaged one."""

    rules: frozenset[str]
    id: str | None


@dataclass(slots=True)
class SegmentScan:
    """What a look at one segment found: which file it was, how far it was read, the lines to change.

    `copied` is how many of them the segment's copy has changed.
    """

    inode: int = 0
    until: int = 0
    copied: int = 0
    hits: dict[int, ScrubHit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScrubReport:
    """What was found, and (`written`) is gone. No text: ids, rules, places.

    `records` counts those to change and `rules` them by rule; `damaged` lines of the log are no
    records; `places` are files beside the log, `left` files of the user's own, which stay as they are.
    """

    looked_at: int
    records: int
    rules: dict[str, int]
    segments: int
    damaged: int
    places: tuple[str, ...]
    left: tuple[str, ...]
    ids: tuple[str, ...]
    written: bool = False

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to change."""
        return not (self.records or self.damaged or self.places)


class Scrub:
    """One scrub of one store: `look`, then `write`."""

    def __init__(
        self, broker: Broker, literals: Iterable[str] = (), *, actor: str = PERSON_ACTOR,
        breathe: CancelCheck | None = None,
    ) -> None:  # fmt: skip
        """Raises HookloreError for a literal that no store could be free of."""
        named = Literals(literals, reserved_words())
        self._broker = broker
        self._place = broker.place
        self._actor = actor
        self._breathe = breathe or (lambda: False)
        self._masking = RecordRedactor(named)
        self._outside = SideFiles(broker.place, self._masking, named)
        self._reader = LogReader(broker.place)
        self._seen: dict[int, SegmentScan] = {}
        self._looked_at = 0
        self._announced: set[str] = set()
        self._redactions: list[bytes] = []
        self._said: list[str] = []

    def look(self, progress: Progress | None = None) -> ScrubReport:
        """Find what is to change; nothing is written. Raises StoreUnreadable, Abandoned."""
        self._look_on(progress)
        self._outside.look()
        return self._report()

    def _look_on(self, progress: Progress | None = None) -> None:
        """Read what has not been read yet, in every segment that is there now."""
        closed = files.closed_segments(self._place)
        for segment in (*closed, closed[-1] + 1 if closed else 1):
            inode = rewrite.segment_inode(self._place, segment)
            seen = self._seen.get(segment)
            if seen is None or seen.inode != inode:
                seen = self._seen[segment] = SegmentScan(inode)
            for line in self._reader.lines(files.make_position(segment, seen.until)):
                if files.split_position(line.pos)[0] != segment:
                    break
                self._look_at(line, seen)
                if self._looked_at % _LINES_PER_CANCEL_CHECK == 0:
                    self._rest(progress)

    def _look_at(self, line: Line, seen: SegmentScan) -> None:
        found = self._masking.line(line.raw)
        offset = files.split_position(line.pos)[1]
        if found is not None:
            seen.hits[offset] = ScrubHit(found.rules, found.id)
        if audit.REDACTION_MARKER in line.raw:
            self._redactions.append(line.raw)
        seen.until = offset + len(line.raw) + 1
        self._looked_at += 1

    def _rest(self, progress: Progress | None) -> None:
        if self._breathe():
            raise ScanCancelled
        if progress is not None:
            progress(self._looked_at)

    def _report(self, *, written: bool = False) -> ScrubReport:
        hits = [hit for seen in self._seen.values() for hit in seen.hits.values()]
        ids = sorted(hit.id for hit in hits if hit.id is not None)
        rules = Counter(rule for hit in hits for rule in hit.rules)
        rules.update(rule for found in self._outside.found.values() for rule in found)
        return ScrubReport(
            looked_at=self._looked_at,
            records=len(ids),
            rules=dict(sorted(rules.items())),
            segments=sum(bool(seen.hits) for seen in self._seen.values()),
            damaged=len(hits) - len(ids),
            places=tuple(sorted(self._outside.found)),
            left=self._outside.left(),
            ids=tuple(ids),
            written=written,
        )

    # ---- writing

    def write(self) -> ScrubReport:
        """Make it so. The index's writer lock is held by the caller, who then brings the index up to date.

        Raises LogError; what was begun is finished by the next scrub.
        """
        rewrite.remove_leftover_copies(self._place)
        self._look_on()
        if not self._report().is_clean:
            self._rewrite()
            self._announce()
            self._broker.refresh()
        if self._place.directory.is_dir():
            erase.remove_old_generations(self._place)
            audit.append_redactions(self._place, self._told())
            rules_version.write_rules_version(self._place)
        self._reader.close()
        return self._report(written=True)

    def _rewrite(self) -> None:
        """Say it first, then do it: what comes in between is said before the lock is taken again."""
        copies: dict[int, rewrite.SegmentCopy] = {}
        try:
            for attempt in range(_ATTEMPTS):
                self._announce()
                self._look_on()
                closed = [s for s in self._changed_since(copies) if self._is_closed(s)]
                copies |= {segment: self._copy(segment) for segment in closed}
                with self._broker._writer.appending(None):
                    self._look_on()
                    self._outside.look()
                    if self._is_said() or attempt == _ATTEMPTS - 1:
                        copies |= {s: self._copy(s) for s in self._changed_since(copies)}
                        self._put_in_force(copies.values())
                        return
        finally:
            rewrite.discard_copies(copies.values())

    def _put_in_force(self, copies: Iterable[rewrite.SegmentCopy]) -> None:
        erase.erase_index(self._place)
        rewrite.activate_copies(self._place, copies)
        self._outside.write()
        erase.republish_generation(self._place)

    def _is_closed(self, segment: int) -> bool:
        return files.closed_path(self._place, segment).exists()

    def _changed_since(self, copies: dict[int, rewrite.SegmentCopy]) -> list[int]:
        """Segments with hits of which there is no copy yet, or one that lacks some of them."""
        return [
            segment
            for segment, seen in self._seen.items()
            if seen.hits and (segment not in copies or seen.copied != len(seen.hits))
        ]

    def _copy(self, segment: int) -> rewrite.SegmentCopy:
        hits = self._seen[segment].hits
        self._seen[segment].copied = len(hits)

        def masked(line: Line) -> bytes | None:
            if files.split_position(line.pos)[1] not in hits:
                return None
            found = self._masking.line(line.raw)
            return None if found is None else found.raw

        return rewrite.write_segment_copy(self._place, segment, masked)

    # ---- saying so

    def _announce(self) -> None:
        """Append what is found and not said yet as `redaction` records. Raises LogError."""
        drafts = list(self._drafts())
        said = {*self._targets(), *self._places()}
        receipts = self._broker.append(drafts) if drafts else []
        for receipt in receipts:
            if receipt.status not in ACKNOWLEDGED:
                raise LogError(str(self._place.log), receipt.reason or receipt.status)
        self._announced |= said
        self._said += [receipt.id for receipt in receipts if receipt.id is not None]

    def _told(self) -> Iterable[Record]:
        """Every redaction record: those that were read, and those that were appended."""
        told = {record.id: record for record in map(decode_line, self._redactions) if record}
        told |= {id_: self._broker.get(id_) for id_ in self._said}
        return (record for record in told.values() if record.kind == "redaction")

    def _is_said(self) -> bool:
        return not (set(self._targets()) | set(self._places())) - self._announced

    def _drafts(self) -> Iterable[Draft]:
        """Records with the same rules share a redaction record."""
        groups: dict[frozenset[str], list[str]] = {}
        for target, rules in self._targets().items():
            if target not in self._announced:
                groups.setdefault(rules, []).append(target)
        for rules, targets in groups.items():
            for start in range(0, len(targets), MAX_REDACTION_TARGETS):
                yield self._draft(rules, targets[start : start + MAX_REDACTION_TARGETS])
        for where, rules in self._places().items():
            if where not in self._announced:
                yield self._draft(rules, [], [where])

    def _targets(self) -> dict[str, frozenset[str]]:
        """The rules by each record's id."""
        hits = (hit for seen in self._seen.values() for hit in seen.hits.values())
        return {hit.id: hit.rules for hit in hits if hit.id is not None}

    def _places(self) -> dict[str, frozenset[str]]:
        """The rules by what is no record: damaged lines of a segment, files beside the log."""
        places = dict(self._outside.found)
        for segment, seen in self._seen.items():
            damaged = [hit.rules for hit in seen.hits.values() if hit.id is None]
            if damaged:
                places[f"segment {segment}"] = frozenset().union(*damaged)
        return places

    def _draft(
        self, rules: frozenset[str], targets: list[str], places: list[str] | None = None
    ) -> Draft:
        agent = "person" if self._actor == PERSON_ACTOR else "hooklore"
        return Draft.of(
            stream="control",
            kind="redaction",
            agent_id=agent,
            scope="global",
            basis="user" if self._actor == PERSON_ACTOR else "tool",
            source={"system": "cli", "detail": "scrub"},
            body=Body.of(targets=targets, places=places, rules=sorted(rules), actor=self._actor),
        )


def scrub_store(
    broker: Broker, literals: Iterable[str] = (), progress: Progress | None = None,
    *, actor: str = PERSON_ACTOR,
) -> ScrubReport:  # fmt: skip
    """Scan everything kept and make it lack what is found; then make the index again.

    Raises LogError while another process indexes: stop the resident first.
    """
    work = Scrub(broker, literals, actor=actor)
    work.look(progress)
    return apply_scrub(work, broker.place, progress)


def apply_scrub(work: Scrub, place: StoreLocation, progress: Progress | None = None) -> ScrubReport:
    """Write what a look has found, and bring the index up to date. Raises LogError as `scrub` does."""
    if not place.directory.is_dir():
        return work.look()
    lock = WriterLock(place)
    with lock.held() as mine:
        if not mine:
            raise LogError(
                str(place.directory), f"pid {lock.holder()} indexes it", fix="run `hooks stop`"
            )
        report = work.write()
        projector = Projector(place)
        try:
            projector.advance(progress)
        finally:
            projector.close()
    return report


def rescan_reason(place: StoreLocation) -> str | None:
    """Why what is kept is to be scanned again; None when it was kept under today's rules."""
    kept = rules_version.read_rules_version(place)
    if kept == RULES_VERSION or not LogReader(place).size():
        return None
    since = "unknown rules" if kept is None else f"rules {kept}"
    return f"what is kept was last scanned with {since}, today's are {RULES_VERSION}"


def rescan_store(place: StoreLocation, breathe: CancelCheck) -> bool:
    """Scan again by today's rules, in the process that indexes; false when it was told to end.

    Raises HookloreError.
    """
    broker = Broker(place, Settings())
    try:
        with contextlib.closing(broker):
            work = Scrub(broker, actor=RESIDENT_ACTOR, breathe=breathe)
            work.look()
            work.write()
    except ScanCancelled:
        return False
    return True
