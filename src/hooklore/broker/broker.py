"""Check, redact, score and append records, and hand out readers of them.

The same class runs in the resident, in a hook's own process and under the command line.
"""

import functools
import os
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.broker import conflicts, rules_version, versions
from hooklore.broker.admission import check_admission
from hooklore.broker.derived_lists import DerivedLists
from hooklore.broker.principal_reader import Reader
from hooklore.broker.project_registry import Project, ProjectRegistry
from hooklore.broker.vendor_rows import load_vendor_rows
from hooklore.broker.versions import BatchView
from hooklore.config import Settings, StoreLocation
from hooklore.errors import HookloreError, LogError, LogWriteFailed, RecordInvalid
from hooklore.failures import fix_links
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Progress, Projector, hold_projector
from hooklore.index.record_keys import event_key, statement_digest
from hooklore.index.view import TAIL_RECORDS, View
from hooklore.log.line import Line
from hooklore.log.spool import Spool, SpoolBatch
from hooklore.log.writer import LogWriter, is_disk_full
from hooklore.prompt.injection import mark_untrusted
from hooklore.records import keys
from hooklore.records.access import is_same_event, may_reveal_duplicate
from hooklore.records.draft import Draft, Principal, ProjectKeys, Receipt, Status
from hooklore.records.ids import next_id
from hooklore.records.importance import compute_importance_prior
from hooklore.records.record import Body, Record, parse_flag
from hooklore.records.schema import SCHEMA_VERSION, validate_record
from hooklore.redaction.clean import CleanRecord, clean, made_of_clean
from hooklore.redaction.record_redactor import reserved_words
from hooklore.redaction.secret_refusal import find_refusal
from hooklore.redaction.session_secrets import SessionSecrets
from hooklore.text.project_paths import relative_to_root

WriteTracer = Callable[[str, str], None]
"""Called with each step of a write (redact, validate, append) and its delivery id."""

AppendLog = Callable[[Record, Status, str | None], None]
"""Called with each record of a store, the status of its append, and its id. Must not raise."""


_BEARS_ON_MEMORIES = ("memory", "control")
"""Streams whose records may replace or end a memory later in the same batch."""

_MADE_HERE = ("v", "hash")
"""Fields of a draft that the log's writer makes anew."""

_NAMESAKES = 16
"""Records of one event name that are compared: several agents may have chosen the name."""


@dataclass(slots=True)
class _Batch:
    """The records of one append, as far as they are sealed. `named` has them by the name of their event."""

    ahead: BatchView
    last: str | None
    receipts: list[Receipt] = field(default_factory=list)
    stored: list[Record | None] = field(default_factory=list)
    """What the log has of each record, the earlier one for a duplicate."""
    lines: list[Line] = field(default_factory=list)
    named: dict[str, Record] = field(default_factory=dict)


class Broker:
    """The one door to a store. Not for several threads at once."""

    def __init__(
        self,
        place: StoreLocation,
        settings: Settings | None = None,
        *,
        wait: float | None = None,
        trace: WriteTracer | None = None,
        log: AppendLog | None = None,
        now_ns: Callable[[], int] = time.time_ns,
        secrets: SessionSecrets | None = None,
    ) -> None:
        """`wait` is how long an append may wait for the log's lock, in seconds; None for ever.

        `log` is also called with what the broker appends by itself: fixes, conflicts, projects, the spool.
        `secrets` are those of the sessions so far, by default none.
        """
        os.umask(0o077)  # SQLite and tantivy make their files with the umask's mode
        self.place = place
        self.settings = settings or Settings()
        self._weights = self.settings.importance.weights
        load_vendor_rows(place)
        self._view = View(place)
        self._derived: DerivedLists = {}
        self.registry = ProjectRegistry(self._view.lookup)
        self._view.when_replaced = self.registry.forget
        self._writer = LogWriter(place)
        self._spool = Spool(place)
        self._secrets = secrets or SessionSecrets(reserved_words())
        self._wait = wait
        self._trace = trace or (lambda _step, _delivery: None)
        self._log = log or (lambda _record, _status, _id: None)
        self._now_ns = now_ns

    def close(self) -> None:
        """Close the log and the index."""
        self._writer.close()
        self._view.close()

    # ---- writing

    def append(self, drafts: list[Draft]) -> list[Receipt]:
        """Clean drafts, append them in one flush, and return one receipt each. Disk errors are receipts, too.

        A memory that is said on purpose with a secret in it is `refused`: the refusal says where the secret
        stands, never the secret. For the rest see `append_clean`.
        """
        refused = [find_refusal(draft.record) for draft in drafts]
        kept = [self.clean(d) for d, why in zip(drafts, refused, strict=True) if why is None]
        receipts = iter(self.append_clean(kept) if kept or not drafts else ())
        found: list[Receipt] = []
        for draft, why in zip(drafts, refused, strict=True):
            if why is not None:
                self._log(draft.record, "refused", None)
            found.append(Receipt("refused", None, str(why)) if why else next(receipts))
        return found

    def clean(self, draft: Draft) -> CleanRecord:
        """Return the record of a draft without secrets, those of its session so far among them."""
        found = clean(draft, self._secrets)
        self._trace("redact", found.record.delivery_id or "")
        return found

    def append_clean(self, records: list[CleanRecord]) -> list[Receipt]:
        """Append records in one flush and return one receipt each, in order. Disk errors are receipts.

        Marks what gives agents orders, checks, scores, gives ids and projects. A record of a known event is a
        `duplicate`; one of the wrong shape `refused`; what the log does not take is `spooled`, and `lost` when
        no spool takes it either.
        """
        records = _marked(records)
        try:
            with self._writer.appending(self._wait):
                self._view.refresh()
                if self._view.last_id is None and self._writer.is_at_start:
                    rules_version.stamp_new_store(self.place)
                for batch in self._spool.batches():
                    self._append_spooled(batch)
                receipts = self._append_locked(records)
        except HookloreError as error:
            self.registry.forget()
            receipts = self._put_in_spool(records, error)
        except OSError as error:
            self.registry.forget()
            failed = LogWriteFailed(str(self.place.log), error)
            failed.__cause__ = error
            receipts = self._put_in_spool(records, failed)
        return self._told(records, receipts)

    def put_aside(self, records: list[CleanRecord]) -> list[Receipt]:
        """Spool records without the log's lock. The next writer appends them."""
        records = _marked(records)
        busy = LogError(str(self.place.log), "too many wait for it")
        return self._told(records, self._put_in_spool(records, busy))

    def _told(self, records: list[CleanRecord], receipts: list[Receipt]) -> list[Receipt]:
        """Log what was not written, as what was written is by then, and return the receipts with their records."""
        told = []
        for given, got in zip(records, receipts, strict=True):
            if got.status != "stored":
                self._log(given.record, got.status, got.id)
            told.append(Receipt(got.status, got.id, got.reason, got.delivery_id, given.record))
        return told

    def _append_locked(self, records: list[CleanRecord]) -> list[Receipt]:
        batch = self._sealed(records)
        self._write(batch.lines)
        passed = [each for each in batch.stored if each and each.kind == "tool_result"]
        if len(passed) > 1:
            # One question for the failures that several may end: then each has the answer cached.
            self._view.held({key for each in passed for key in fix_links.failure_keys(each)})
        for record in passed:
            self._link(record, fix_links.draft_fixes)
        return batch.receipts

    def _sealed(self, records: list[CleanRecord]) -> _Batch:
        """Return the batch of these records, the new ones with their lines, not yet written."""
        batch = _Batch(BatchView(self._view), self._view.last_id)
        events = [event_key(each.record) for each in records]
        recorded = self._view.held(filter(None, events)) if len(records) > 1 else set(events)
        for given, event in zip(records, events, strict=True):
            is_new = event and event not in recorded and event not in batch.named
            known = None if is_new else self._known(given, event, batch.named)
            if known is not None:
                batch.receipts.append(Receipt("duplicate", known.id, None, known.delivery_id))
                batch.stored.append(known)
                continue
            added = self._add(batch, given, event)
            if added is not None and len(records) > 1 and added.stream in _BEARS_ON_MEMORIES:
                batch.ahead.add(added)
        return batch

    def _add(self, batch: _Batch, given: CleanRecord, event: str) -> Record | None:
        """Seal a record into a batch and return it, None for one of the wrong shape."""
        try:
            lines = list(map(Line, self._in_project(given, batch.last, batch.ahead)))
        except RecordInvalid as error:
            self.registry.forget()
            batch.receipts.append(Receipt("refused", None, str(error)))
            batch.stored.append(None)
            return None
        batch.lines += lines
        record = lines[-1].record
        batch.last = record.id
        batch.named[event or self._said_tag(given)] = record
        batch.receipts.append(Receipt("stored", record.id))
        batch.stored.append(record)
        return record

    def _known(self, given: CleanRecord, event: str, named: dict[str, Record]) -> Record | None:
        """Return the record that an event already has, if the writer of `given` may know of it."""
        tag = event or self._said_tag(given)
        if not tag:
            return None
        held = [named[tag]] if tag in named else []
        is_known = is_same_event if event else may_reveal_duplicate
        found = (r for r in held + self._view.lookup(tag, _NAMESAKES) if is_known(r, given.record))
        return next(found, None)

    def _said_tag(self, given: CleanRecord) -> str:
        """Return the key of an explicit statement without a delivery: its scope, key and content."""
        key, content = given.record.dedupe_key, given.record.body.content_md
        if not key or not isinstance(content, str):
            return ""
        project = self.registry.find(given.keys) if given.keys else None
        scope = f"project:{project.id}" if project else given.record.scope or "global"
        return keys.statement(scope, key, statement_digest(content))

    def _in_project(
        self, given: CleanRecord, last: str | None, ahead: BatchView
    ) -> list[CleanRecord]:
        """Return the new aliases of a record's project, then the record, all sealed. Raise RecordInvalid."""
        found: list[CleanRecord] = []
        defaults: dict[str, str | None] = {}
        folder = given.keys
        if folder is not None:
            project = self.registry.resolve(folder)
            for key in project.new_keys:
                found.append(self._alias(project, key, given, last))
                last = found[-1].record.id
            self.registry.learn(project)
            body = given.record.body
            if isinstance(body.artifacts, list):  # their paths as the project knows them
                known = [
                    relative_to_root(path, folder.root) if isinstance(path, str) else path
                    for path in body.artifacts
                ]
                placed = given.record.with_fields(body=body.with_fields(artifacts=known))
                given = given.made_into(placed)
            scope = f"project:{project.slug}"
            defaults = {"project": project.id, "scope": scope, "branch": folder.branch}
        sealed = self._seal(given, last, defaults)
        check_admission(sealed.record, self._view.find)
        if sealed.record.stream == "memory":
            sealed = sealed.made_into(versions.assign_version(sealed.record, ahead))
        return [*found, sealed]

    def _alias(
        self, project: Project, key: str, given: CleanRecord, last: str | None
    ) -> CleanRecord:
        name = given.keys.name if given.keys else ""
        alias = Draft.of(
            stream="control",
            kind="project_alias",
            agent_id=given.record.agent_id or DEFAULT_AGENT_ID,
            scope=f"project:{project.slug}",
            project=project.id,
            body={"key": key, "slug": project.slug, "name": name, "targets": []},
        )
        return self._seal(made_of_clean(alias), last)

    def _seal(
        self, given: CleanRecord, last: str | None, defaults: Mapping[str, str | None] | None = None
    ) -> CleanRecord:
        """Return the record in its envelope: with id and prior, checked against the schema.

        `defaults` are the fields of its project: the id always, the scope and the branch where it has none.
        """
        record, now = given.record, self._now_ns()
        fields: dict[str, object] = {"v": SCHEMA_VERSION, "id": ""}
        fields["ts"] = record.ts or format_timestamp(now)
        stated = dict(record.to_json())
        for name, value in (defaults or {}).items():
            stated[name] = value if name == "project" else stated.get(name, value)
        fields |= {n: v for n, v in stated.items() if v is not None and n not in _MADE_HERE}
        fields.setdefault("scope", f"agent:{record.agent_id or DEFAULT_AGENT_ID}")
        fields["is_private"] = parse_flag(fields.get("is_private"))
        fields["id"] = next_id(last, now // 1_000_000, int.from_bytes(os.urandom(10), "big"))
        record = Record(fields)
        validate_record(record)
        if "importance" not in record:
            prior = compute_importance_prior(record, self._weights)
            record = record.with_fields(importance=prior)
        self._trace("validate", record.delivery_id or "")
        return given.made_into(record)

    def _write(self, lines: list[Line]) -> None:
        if not lines:
            # A duplicate may be in the log by a writer that died before it flushed.
            self._writer.flush()
            return
        positions = self._writer.append(lines)
        for pos, line in zip(positions, lines, strict=True):
            record = line.record
            self._view.append_to_tail(pos, pos + len(line.content), record)
            self._trace("append", str(record.delivery_id or ""))
            self._log(record, "stored", record.id)
        for line in lines:
            if line.record.stream == "memory":
                self._link(line.record, conflicts.draft_conflicts)

    def _link(self, record: Record, made: Callable[[View, Record], list[Draft]]) -> None:
        """Append the records that `made` derives from `record`. Their delivery ids make a second try harmless."""
        links: list[CleanRecord] = []
        try:
            links = [made_of_clean(draft) for draft in made(self._view, record)]
            while links:
                if self._known(links[0], event_key(links[0].record), {}) is None:
                    self._write([Line(self._seal(links[0], self._view.last_id))])
                links = links[1:]
        except HookloreError as error:
            # What they were made from is stored: that must not be told otherwise.
            if links:
                self._told(links, self._put_in_spool(links, error))

    def _append_spooled(self, spooled: SpoolBatch) -> None:
        """Append spooled records before new ones, so that the order of each writer is kept."""
        batch = self._sealed(spooled.records)
        self._write(batch.lines)
        self._told(spooled.records, batch.receipts)
        self._spool.done(spooled, keep=any(r.status == "refused" for r in batch.receipts))
        self._writer.restore_reserve()

    def _put_in_spool(self, records: list[CleanRecord], error: HookloreError) -> list[Receipt]:
        cause = error.__cause__
        if isinstance(error, LogWriteFailed) and isinstance(cause, OSError) and is_disk_full(cause):
            self._writer.give_up_reserve()
        receipts = [self._checked(given, str(error)) for given in records]
        kept = [
            self._stamped(given)
            for given, receipt in zip(records, receipts, strict=True)
            if receipt.status == "spooled"
        ]
        try:
            if kept:
                self._spool.put(kept)
        except OSError as failed:
            reason = f"{error}; spool: {failed.strerror or failed}"
            return [r if r.status == "refused" else Receipt("lost", None, reason) for r in receipts]
        return receipts

    def _checked(self, given: CleanRecord, reason: str) -> Receipt:
        """Return `spooled`, or `refused` for a record that the log would refuse later."""
        try:
            Line(self._seal(given, None))
        except RecordInvalid as error:
            return Receipt("refused", None, str(error))
        return Receipt("spooled", None, reason)

    def _stamped(self, given: CleanRecord) -> CleanRecord:
        """Return the record with its time, and with a delivery id in case a spool file is drained twice."""
        record = given.record.with_fields(ts=given.record.ts or format_timestamp(self._now_ns()))
        if not (event_key(record) or record.dedupe_key):
            record = record.with_fields(delivery_id=os.urandom(16).hex())
        return given.made_into(record)

    # ---- reading

    def refresh(self) -> None:
        """Read what other processes wrote. Raise StoreUnreadable."""
        self._view.refresh()

    def prepare_search(self) -> None:
        """Do now, while nobody waits, what the next search would have to do first."""
        self._view.prepare_search()

    def release_memory(self) -> None:
        """Give up memory while nobody asks, at little cost for the next question."""
        self._view.release_memory()

    def as_reader(self, principal: Principal) -> Reader:
        """Return what `principal` may read of this store: the only way to read above the broker."""
        return Reader(self._view, principal, self.now, self._derived)

    def draft_conflicts(self, record: Record) -> list[Draft]:
        """Return the drafts of the conflicts that a memory makes, without those that are recorded."""
        return conflicts.draft_conflicts(self._view, record)

    def now(self) -> str:
        """Return this moment as RFC 3339 in UTC."""
        return format_timestamp(self._now_ns())

    def project_of(self, keys: ProjectKeys | None) -> Project | None:
        """Return the project that a folder's keys belong to; None for an unknown folder."""
        return self.registry.find(keys) if keys is not None else None

    def projects_around(self, keys: ProjectKeys | None) -> tuple[str, ...]:
        """Return the ids of the known superprojects of a folder, the nearest first."""
        if keys is None or not keys.around:
            return ()
        own, *around = map(self.project_of, (keys, *keys.around))
        return tuple(each.id for each in around if each is not None and each != own)

    def trust_claim(self, keys: ProjectKeys) -> Receipt:
        """Append that a folder belongs to the project that it claims: a person says so.

        Raise HookloreError for a folder that claims none.
        """
        claimed = self.registry.claimed(keys)
        if claimed is None:
            raise HookloreError(
                f"could not trust `{keys.root}`: it claims no other project",
                fix="run `hooklore project explain`",
            )
        drafts = [
            Draft.of(
                stream="control", kind="project_alias", agent_id="person", basis="user",
                scope=f"project:{claimed.slug}", project=claimed.id,
                source={"system": "cli", "detail": "trust"},
                body=Body.of(key=key, slug=claimed.slug, name=keys.name, targets=[]).to_json(),
            )
            for key in keys.keys if not key.startswith("remote:")
        ]  # fmt: skip
        receipts = self.append(drafts)
        self.registry.forget()
        return receipts[0]

    @property
    def log_size(self) -> int:
        """Bytes of the log."""
        return self._view.size()

    @property
    def unindexed_count(self) -> int:
        """The number of records that the index lacks, as far as the tail of the log is known."""
        return self._view.lag

    def count_unindexed(self) -> int:
        """Return the number of lines of the log behind the index, all of them: it reads them."""
        return self._view.count_unindexed()

    @property
    def index_problem(self) -> str | None:
        """The reason why the tail answers without the index; None while the index is used."""
        return self._view.problem

    def waiting_in_spool(self) -> int:
        """Return how many batches wait in the spool."""
        return self._spool.waiting()

    # ---- what is derived

    def needs_indexing(self) -> bool:
        """Return whether the tail has grown so long that a process of its own should index it."""
        return self._view.lag > TAIL_RECORDS

    def index(self, progress: Progress | None = None) -> int:
        """Index the tail, unless another process does. Return how many records were indexed."""
        with WriterLock(self.place).held() as mine, closing(Projector(self.place)) as projector:
            return projector.advance(progress) if mine else 0

    def rebuild(self, progress: Progress | None = None) -> int:
        """Rebuild everything derived and return how many records were indexed.

        Raise LogError while another process indexes.
        """
        with hold_projector(self.place) as projector:
            return projector.rebuild(progress)


def _marked(records: list[CleanRecord]) -> list[CleanRecord]:
    """Return records marked where their text gives agents orders."""
    marked = [mark_untrusted(each.record) for each in records]
    return [
        each if record is each.record else each.made_into(record)
        for each, record in zip(records, marked, strict=True)
    ]


def format_timestamp(ns: int) -> str:
    """Return nanoseconds since the epoch as RFC 3339 in UTC with milliseconds."""
    seconds, rest = divmod(ns, 1_000_000_000)
    return f"{_format_second(seconds)}.{rest // 1_000_000:03d}Z"


@functools.lru_cache(64)
def _format_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
