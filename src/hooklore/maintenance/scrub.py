"""Scan a whole store with today's redaction rules and a person's literals, and redact the findings.

The scan runs beside the live store. All changes happen in one short hold of the append lock. Their order
is: redaction records in the log, an empty index, rewritten segments, then spool and quarantine. After a
kill at any step the next scrub finishes the work.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hooklore.broker import rules_version
from hooklore.broker.broker import AppendLog, Broker
from hooklore.config import Settings, StoreLocation
from hooklore.errors import LogError
from hooklore.index import erase
from hooklore.index.projector import Progress, hold_projector
from hooklore.log import files, rewrite
from hooklore.log.line import decode_line
from hooklore.log.reader import Line, LogReader
from hooklore.maintenance import audit
from hooklore.maintenance.side_files import SideFiles, redact_line
from hooklore.memories.append import append_all
from hooklore.records.draft import PERSON, Draft
from hooklore.records.record import Body, Record
from hooklore.redaction import RULES_VERSION
from hooklore.redaction.literals import Literals
from hooklore.redaction.record_redactor import RecordRedactor, reserved_words
from hooklore.redaction.rules.vendor_tokens import is_certain

PERSON_ACTOR = "person"
RESIDENT_ACTOR = "resident"
"""Actors of a scrub. The resident scans by itself after the rules have changed."""

MAX_REDACTION_TARGETS = 1_000
"""Ids in one redaction record."""

_MAX_ATTEMPTS = 5
"""Attempts to take the lock with every finding announced. Writers of the same secret meanwhile are rare."""

_LINES_PER_CANCEL_CHECK = 50

CancelCheck = Callable[[], bool]
"""Called now and then during a long scan. True cancels the scan."""


class ScanCancelled(Exception):
    """The scan was cancelled before it changed anything."""


class ScrubHit(NamedTuple):
    """A line to change: the rules that match, and the record's id, None for a damaged line."""

    rules: frozenset[str]
    id: str | None


@dataclass(slots=True)
class SegmentScan:
    """The scan of one segment: its file, the offset read up to, and the hits by offset.

    `copied` counts the hits that the segment's copy has.
    """

    inode: int = 0
    until: int = 0
    copied: int = 0
    hits: dict[int, ScrubHit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScrubReport:
    """The findings of a scrub as ids, rules and places, without text. `written` says that they are gone.

    `records` counts the records to change, and `rules` the findings of each rule. `damaged` counts
    lines that are no records. `places` are files beside the log. `left` are files of the user's own,
    which stay as they are.
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
        """True when nothing is to be changed."""
        return not (self.records or self.damaged or self.places)


class Scrub:
    """One scrub of one store: first `look`, then `write`."""

    def __init__(
        self, broker: Broker, literals: Iterable[str] = (), *, actor: str = PERSON_ACTOR,
        should_cancel: CancelCheck | None = None, is_certain_only: bool = False,
        queued: Sequence[Path] = (),
    ) -> None:  # fmt: skip
        """Prepare a scrub. Raise HookloreError for a literal that every store contains.

        `queued` are files of writes that wait on this machine for a gateway.
        With `is_certain_only` it removes where a private key or a vendor's token is found, and leaves the rest to
        a person.
        """
        self._concerns = is_certain if is_certain_only else bool
        named = Literals(literals, reserved_words())
        self._broker = broker
        self._place = broker.place
        self._actor = actor
        self._should_cancel = should_cancel or (lambda: False)
        self._redactor = RecordRedactor(named)
        self._side_files = SideFiles(broker.place, self._redactor, named, self._concerns, queued)
        self._reader = LogReader(broker.place)
        self._scans: dict[int, SegmentScan] = {}
        self._looked_at = 0
        self._announced: set[str] = set()
        self._redaction_lines: list[bytes] = []
        self._appended_ids: list[str] = []

    def look(self, progress: Progress | None = None) -> ScrubReport:
        """Scan the store without a change. Raise StoreUnreadable, or ScanCancelled."""
        self._scan_log(progress)
        self._side_files.look()
        return self._report()

    def _scan_log(self, progress: Progress | None = None) -> None:
        """Read the unread part of every segment that is there now."""
        closed = files.closed_segments(self._place)
        for segment in (*closed, closed[-1] + 1 if closed else 1):
            inode = rewrite.segment_inode(self._place, segment)
            scan = self._scans.get(segment)
            if scan is None or scan.inode != inode:
                scan = self._scans[segment] = SegmentScan(inode)
            for line in self._reader.lines(files.make_position(segment, scan.until)):
                if files.split_position(line.pos)[0] != segment:
                    break
                self._scan_line(line, scan)
                if self._looked_at % _LINES_PER_CANCEL_CHECK:
                    continue
                if self._should_cancel():
                    raise ScanCancelled
                if progress is not None:
                    progress(self._looked_at)

    def _scan_line(self, line: Line, scan: SegmentScan) -> None:
        found = redact_line(self._redactor, line.raw)
        offset = files.split_position(line.pos)[1]
        if found is not None and self._concerns(found.rules):
            scan.hits[offset] = ScrubHit(found.rules, found.id)
        if audit.REDACTION_MARKER in line.raw:
            self._redaction_lines.append(line.raw)
        scan.until = offset + len(line.raw) + 1
        self._looked_at += 1

    def _report(self, *, written: bool = False) -> ScrubReport:
        hits = [hit for scan in self._scans.values() for hit in scan.hits.values()]
        ids = sorted(hit.id for hit in hits if hit.id is not None)
        rules = Counter(rule for hit in hits for rule in hit.rules)
        rules.update(rule for found in self._side_files.found.values() for rule in found)
        return ScrubReport(
            looked_at=self._looked_at,
            records=len(ids),
            rules=dict(sorted(rules.items())),
            segments=sum(bool(scan.hits) for scan in self._scans.values()),
            damaged=len(hits) - len(ids),
            places=tuple(sorted(self._side_files.found)),
            left=self._side_files.left(),
            ids=tuple(ids),
            written=written,
        )

    # ---- writing

    def write(self) -> ScrubReport:
        """Redact every finding. The caller holds the index's writer lock, and updates the index afterwards.

        Raise LogError. The next scrub finishes a scrub that failed.
        """
        rewrite.remove_leftover_copies(self._place)
        self._scan_log()
        if not self._report().is_clean:
            self._rewrite()
            self._announce()
            self._broker.refresh()
        if self._place.directory.is_dir():
            erase.remove_old_generations(self._place)
            audit.append_to_audit(self._place, self._redaction_records())
            rules_version.write_rules_version(self._place)
        self._reader.close()
        return self._report(written=True)

    def _rewrite(self) -> None:
        """Announce the findings, then change the segments.

        A finding that comes in between is announced before the lock is taken again.
        """
        copies: dict[int, rewrite.SegmentCopy] = {}
        try:
            for attempt in range(_MAX_ATTEMPTS):
                self._announce()
                self._scan_log()
                for segment in self._changed_since(copies):
                    if files.closed_path(self._place, segment).exists():
                        copies[segment] = self._copy(segment)
                with self._broker._writer.appending(None):
                    self._scan_log()
                    self._side_files.look()
                    is_announced = {*self._targets(), *self._places()} <= self._announced
                    if is_announced or attempt == _MAX_ATTEMPTS - 1:
                        copies |= {s: self._copy(s) for s in self._changed_since(copies)}
                        erase.erase_index(self._place)
                        rewrite.activate_copies(self._place, copies.values())
                        self._side_files.write()
                        erase.republish_generation(self._place)
                        return
        finally:
            rewrite.discard_copies(copies.values())

    def _changed_since(self, copies: dict[int, rewrite.SegmentCopy]) -> list[int]:
        """Return the segments with hits that have no copy yet, or a copy that lacks some hits."""
        return [
            segment
            for segment, scan in self._scans.items()
            if scan.hits and (segment not in copies or scan.copied != len(scan.hits))
        ]

    def _copy(self, segment: int) -> rewrite.SegmentCopy:
        hits = self._scans[segment].hits
        self._scans[segment].copied = len(hits)

        def redact_hit(line: Line) -> bytes | None:
            if files.split_position(line.pos)[1] not in hits:
                return None
            found = redact_line(self._redactor, line.raw)
            return None if found is None else found.raw

        return rewrite.write_segment_copy(self._place, segment, redact_hit)

    # ---- redaction records

    def _announce(self) -> None:
        """Append `redaction` records for the findings that have none yet. Raise LogError."""
        drafts = list(self._draft_redactions())
        announced = {*self._targets(), *self._places()}
        receipts = append_all(
            self._broker, drafts, lambda reason: LogError(str(self._place.log), reason)
        )
        self._announced |= announced
        self._appended_ids += [receipt.id for receipt in receipts if receipt.id is not None]

    def _redaction_records(self) -> Iterable[Record]:
        """Return every redaction record: those that were scanned, and those that were appended."""
        owner = self._broker.as_reader(PERSON)
        found = {r.id: r for r in map(decode_line, self._redaction_lines) if r}
        found |= {id_: owner.get(id_) for id_ in self._appended_ids}
        return (record for record in found.values() if record.kind == "redaction")

    def _draft_redactions(self) -> Iterable[Draft]:
        """Yield the drafts of redaction records. Records with the same rules share a draft."""
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
        """Return the matching rules by each record's id."""
        hits = (hit for scan in self._scans.values() for hit in scan.hits.values())
        return {hit.id: hit.rules for hit in hits if hit.id is not None}

    def _places(self) -> dict[str, frozenset[str]]:
        """Return the matching rules by place: segments with damaged lines, and files beside the log."""
        places = dict(self._side_files.found)
        for segment, scan in self._scans.items():
            damaged = [hit.rules for hit in scan.hits.values() if hit.id is None]
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
    """Scan a store, redact every finding, and update the index.

    Raise LogError while another process indexes: the resident must be stopped first.
    """
    scrub = Scrub(broker, literals, actor=actor)
    scrub.look(progress)
    return apply_scrub(scrub, broker.place, progress)


def apply_scrub(
    scrub: Scrub, place: StoreLocation, progress: Progress | None = None
) -> ScrubReport:
    """Redact the findings of a scrub, and update the index. Raise LogError as `scrub_store` does."""
    if not place.directory.is_dir():
        return scrub.look()
    with hold_projector(place) as projector:
        report = scrub.write()
        projector.advance(progress)
    return report


def describe_outdated_scan(place: StoreLocation) -> str | None:
    """Return why a store is to be scanned again; None where it is empty, or was scanned with today's rules."""
    version = rules_version.read_rules_version(place)
    if version == RULES_VERSION or not LogReader(place).size():
        return None
    since = "unknown rules" if version is None else f"rules {version}"
    return f"what is kept was last scanned with {since}, today's are {RULES_VERSION}"


def rescan_store(
    place: StoreLocation, should_cancel: CancelCheck, log: AppendLog | None = None
) -> bool:
    """Scan a store again with today's rules, in the process that indexes. Return False when cancelled.

    What is certain leaves every file at once; the janitor reports the rest (seed 000 §8).

    `log` is called with each append. Raise HookloreError.
    """
    broker = Broker(place, Settings(), log=log)
    try:
        with contextlib.closing(broker):
            scrub = Scrub(
                broker, actor=RESIDENT_ACTOR, should_cancel=should_cancel, is_certain_only=True
            )
            scrub.look()
            scrub.write()
    except ScanCancelled:
        return False
    return True
