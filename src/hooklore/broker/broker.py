"""Check, redact, score and append records, and hand out readers of them.

The same class runs in the resident, in a hook's own process and under the command line.
"""

import functools
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.broker import conflicts, rules_version, versions
from hooklore.broker.admission import check_admission
from hooklore.broker.batch_view import BatchView
from hooklore.broker.derived_lists import DerivedLists
from hooklore.broker.principal_reader import Reader
from hooklore.broker.project_registry import Project, ProjectRegistry
from hooklore.broker.vendor_rows import load_vendor_rows
from hooklore.config import Settings, StoreLocation
from hooklore.errors import HookloreError, LogError, LogWriteFailed, RecordInvalid
from hooklore.failures import fix_links
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Progress, Projector
from hooklore.index.record_keys import event_key, statement_digest
from hooklore.index.view import TAIL_RECORDS, View
from hooklore.log.line import encode_line
from hooklore.log.spool import Spool, SpoolBatch
from hooklore.log.writer import LogWriter, is_disk_full
from hooklore.prompt.injection import mark_untrusted
from hooklore.records import keys
from hooklore.records.access import is_same_event, may_reveal_duplicate
from hooklore.records.draft import Draft, Principal, ProjectKeys, Receipt, Status
from hooklore.records.ids import next_id
from hooklore.records.importance_prior import compute_importance_prior
from hooklore.records.privacy import parse_flag
from hooklore.records.record import Body, Record
from hooklore.records.schema import SCHEMA_VERSION, validate_record
from hooklore.redaction.record_redactor import (
    redact_project_keys,
    redact_record,
    reserved_words,
)
from hooklore.redaction.secret_refusal import Refusal, find_refusal
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
    """The drafts of one append, as far as they are sealed. `by_tag` has the records by the name of their event."""

    ahead: BatchView
    last: str | None
    receipts: list[tuple[Receipt, Record | None]] = field(default_factory=list)
    sealed: list[tuple[Record, bytes]] = field(default_factory=list)
    by_tag: dict[str, Record] = field(default_factory=dict)


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
        self._derived = DerivedLists()
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
        """Append drafts and return one receipt each, in order. Disk errors are receipts, never exceptions.

        Redacts, checks, scores, gives ids and projects, appends all in one flush. A draft of a known
        event is a `duplicate`; one of the wrong shape, or said on purpose with a secret in it,
        `refused`; what the log does not take is `spooled`, and `lost` when no spool takes it either.
        """
        return self._keep_and_log(drafts, self._append_clean)

    def put_aside(self, drafts: list[Draft]) -> list[Receipt]:
        """Spool drafts without the log's lock, redacted as by `append`. The next writer appends them."""
        busy = LogError(str(self.place.log), "too many wait for it")
        return self._keep_and_log(drafts, lambda clean: self._put_in_spool(clean, busy))

    def _keep_and_log(
        self, drafts: list[Draft], keep: Callable[[list[Draft]], list[Receipt]]
    ) -> list[Receipt]:
        receipts = self._keep(drafts, keep)
        self._log_unwritten(drafts, receipts)
        return receipts

    def _keep(
        self, drafts: list[Draft], keep: Callable[[list[Draft]], list[Receipt]]
    ) -> list[Receipt]:
        """Redact drafts, give them to `keep`, and return one receipt each. One with a secret may be refused."""
        refused = [find_refusal(draft.record) for draft in drafts]
        if any(refused):
            return self._keep_others(drafts, refused, keep)
        clean = [self._cleaned(draft) for draft in drafts]
        receipts = keep(clean)
        return [
            Receipt(got.status, got.id, got.reason, got.delivery_id, draft.record)
            for got, draft in zip(receipts, clean, strict=True)
        ]

    def _cleaned(self, draft: Draft) -> Draft:
        """Return the draft as a disk may have it: redacted, finished, and marked when it gives agents orders.

        Fixes, conflicts and aliases, which the broker makes of clean records, do not pass here.
        """
        keys = redact_project_keys(draft.keys) if draft.keys else None
        names = (keys.name, keys.root, keys.branch or "") if keys else ()
        record = mark_untrusted(draft.finish(redact_record(draft.record, self._secrets, names)))
        self._trace("redact", record.delivery_id or "")
        return Draft(record, keys)

    def _append_clean(self, clean: list[Draft]) -> list[Receipt]:
        """Append redacted drafts. Nothing else reaches a disk, the spool included."""
        try:
            with self._writer.appending(self._wait):
                self._view.refresh()
                if self._view.last_id is None and self._writer.is_at_start:
                    rules_version.stamp_new_store(self.place)
                for batch in self._spool.batches():
                    self._append_spooled(batch)
                return self._append_locked(clean)
        except HookloreError as error:
            self.registry.forget()
            return self._put_in_spool(clean, error)
        except OSError as error:
            self.registry.forget()
            failed = LogWriteFailed(str(self.place.log), error)
            failed.__cause__ = error
            return self._put_in_spool(clean, failed)

    def _keep_others(
        self,
        drafts: list[Draft],
        refused: list[Refusal | None],
        keep: Callable[[list[Draft]], list[Receipt]],
    ) -> list[Receipt]:
        """Keep the drafts that hold no secret. A refusal says where a secret stands, never the secret."""
        clean = [draft for draft, why in zip(drafts, refused, strict=True) if why is None]
        receipts = iter(self._keep(clean, keep) if clean else ())
        return [Receipt("refused", None, str(why)) if why else next(receipts) for why in refused]

    def _append_locked(self, drafts: list[Draft]) -> list[Receipt]:
        receipts, sealed = self._sealed(drafts)
        self._write(sealed)
        self._ask_for_failures([r for _, r in receipts if r and r.kind == "tool_result"])
        for _, record in receipts:
            if record is not None and record.kind == "tool_result":
                self._link(record, fix_links.draft_fixes)
        return [receipt for receipt, _ in receipts]

    def _ask_for_failures(self, records: list[Record]) -> None:
        """Ask at once for the failures that several successes may end: each then finds the answer cached."""
        if len(records) > 1:
            self._view.held({key for each in records for key in fix_links.failure_keys(each)})

    def _sealed(
        self, drafts: list[Draft]
    ) -> tuple[list[tuple[Receipt, Record | None]], list[tuple[Record, bytes]]]:
        """Return a receipt and the record of each draft, and the new records with their lines, not yet written."""
        batch = _Batch(BatchView(self._view), self._view.last_id)
        events = [event_key(draft.record) for draft in drafts]
        recorded = self._view.held(filter(None, events)) if len(drafts) > 1 else set(events)
        for draft, event in zip(drafts, events, strict=True):
            is_new = event and event not in recorded and event not in batch.by_tag
            known = None if is_new else self._known(draft, event, batch.by_tag)
            if known is not None:
                receipt = Receipt("duplicate", known.id, None, known.delivery_id)
                batch.receipts.append((receipt, known))
                continue
            added = self._add(batch, draft, event)
            if added is not None and len(drafts) > 1 and added.stream in _BEARS_ON_MEMORIES:
                batch.ahead.add(added)
        return batch.receipts, batch.sealed

    def _add(self, batch: _Batch, draft: Draft, event: str) -> Record | None:
        """Seal a draft into a batch and return its record, None for a draft of the wrong shape."""
        try:
            records = self._seal(draft, batch.last, batch.ahead)
            batch.sealed += [(record, _line(record)) for record in records]
        except RecordInvalid as error:
            self.registry.forget()
            batch.receipts.append((Receipt("refused", None, str(error)), None))
            return None
        record = records[-1]
        batch.last = record.id
        batch.by_tag[event or self._said_tag(draft)] = record
        batch.receipts.append((Receipt("stored", record.id), record))
        return record

    def _known(self, draft: Draft, event: str, batch: dict[str, Record]) -> Record | None:
        """Return the record that a draft's event already has, if the draft's writer may know of it."""
        tag = event or self._said_tag(draft)
        if not tag:
            return None
        held = [batch[tag]] if tag in batch else []
        is_known = is_same_event if event else may_reveal_duplicate
        found = (r for r in held + self._view.lookup(tag, _NAMESAKES) if is_known(r, draft.record))
        return next(found, None)

    def _said_tag(self, draft: Draft) -> str:
        """Return the key of an explicit statement without a delivery: its scope, key and content."""
        key, content = draft.record.dedupe_key, draft.record.body.content_md
        if not key or not isinstance(content, str):
            return ""
        return keys.statement(self._scope_tag(draft), key, statement_digest(content))

    def _scope_tag(self, draft: Draft) -> str:
        project = self.registry.find(draft.keys) if draft.keys else None
        return f"project:{project.id}" if project else draft.record.scope or "global"

    def _seal(self, draft: Draft, last: str | None, ahead: BatchView) -> list[Record]:
        """Return the new aliases of a draft's project, then the draft's record. Raise RecordInvalid."""
        records: list[Record] = []
        record, defaults = draft.record, {}
        if draft.keys is not None:
            project = self.registry.resolve(draft.keys)
            for key in project.new_keys:
                records.append(self._alias(project, key, draft, last))
                last = records[-1].id
            self.registry.learn(project)
            record = _with_project_paths(record, draft.keys.root)
            defaults = {
                "project": project.id,
                "scope": f"project:{project.slug}",
                "branch": draft.keys.branch,
            }
        record = self._finish(record, last, defaults)
        check_admission(record, self._view.find)
        is_said = record.stream == "memory"
        records.append(versions.assign_version(record, ahead) if is_said else record)
        return records

    def _alias(self, project: Project, key: str, draft: Draft, last: str | None) -> Record:
        keys = draft.keys or ProjectKeys((), "", "")
        body = {"key": key, "slug": project.slug, "name": keys.name, "targets": []}
        alias = Record.of(
            stream="control",
            kind="project_alias",
            agent_id=draft.record.agent_id or DEFAULT_AGENT_ID,
            scope=f"project:{project.slug}",
            project=project.id,
            body=body,
        )
        return self._finish(alias, last)

    def _finish(
        self, given: Record, last: str | None, defaults: Mapping[str, str | None] | None = None
    ) -> Record:
        """Return the record with its envelope, prior and id, checked against the schema.

        `defaults` are the fields of its project: the id always, the scope and the branch where it has none.
        """
        now = self._now_ns()
        fields: dict[str, object] = {"v": SCHEMA_VERSION, "id": ""}
        fields["ts"] = given.ts or format_timestamp(now)
        stated = dict(given.to_json())
        for name, value in (defaults or {}).items():
            stated[name] = value if name == "project" else stated.get(name, value)
        fields |= {n: v for n, v in stated.items() if v is not None and n not in _MADE_HERE}
        fields.setdefault("scope", f"agent:{given.agent_id or DEFAULT_AGENT_ID}")
        fields["is_private"] = parse_flag(fields.get("is_private"))
        fields["id"] = next_id(last, now // 1_000_000, int.from_bytes(os.urandom(10), "big"))
        record = Record(fields)
        validate_record(record)
        if "importance" not in record:
            prior = compute_importance_prior(record, self._weights)
            record = record.with_fields(importance=prior)
        self._trace("validate", record.delivery_id or "")
        return record

    def _write(self, sealed: list[tuple[Record, bytes]]) -> None:
        if not sealed:
            # A duplicate may be in the log by a writer that died before it flushed.
            self._writer.flush()
            return
        positions = self._writer.append([line for _, line in sealed])
        for pos, (record, line) in zip(positions, sealed, strict=True):
            self._view.append_to_tail(pos, pos + len(line), record)
            self._trace("append", str(record.delivery_id or ""))
            self._log(record, "stored", record.id)
        for record, _ in sealed:
            if record.stream == "memory":
                self._link(record, conflicts.draft_conflicts)

    def _log_unwritten(self, drafts: list[Draft], receipts: list[Receipt]) -> None:
        """Log what was not written. What was written is logged as it is written."""
        for draft, receipt in zip(drafts, receipts, strict=True):
            if receipt.status != "stored":
                self._log(draft.record, receipt.status, receipt.id)

    def _link(self, record: Record, made: Callable[[View, Record], list[Draft]]) -> None:
        """Append the records that `made` derives from `record`. Their delivery ids make a second try harmless."""
        drafts: list[Draft] = []
        try:
            drafts = made(self._view, record)
            while drafts:
                self._append_link(drafts[0])
                drafts = drafts[1:]
        except HookloreError as error:
            # What they were made from is stored: that must not be told otherwise.
            if drafts:
                self._log_unwritten(drafts, self._put_in_spool(drafts, error))

    def _append_link(self, draft: Draft) -> None:
        if self._known(draft, event_key(draft.record), {}) is None:
            link = self._finish(draft.record, self._view.last_id)
            self._write([(link, _line(link))])

    def _append_spooled(self, batch: SpoolBatch) -> None:
        """Append spooled drafts before new ones, so that the order of each writer is kept."""
        receipts, sealed = self._sealed(batch.drafts)
        self._write(sealed)
        self._log_unwritten(batch.drafts, [receipt for receipt, _ in receipts])
        self._spool.done(batch, keep=any(r.status == "refused" for r, _ in receipts))
        self._writer.restore_reserve()

    def _put_in_spool(self, drafts: list[Draft], error: HookloreError) -> list[Receipt]:
        cause = error.__cause__
        if isinstance(error, LogWriteFailed) and isinstance(cause, OSError) and is_disk_full(cause):
            self._writer.give_up_reserve()
        receipts = [self._checked(draft, str(error)) for draft in drafts]
        kept = [
            self._stamped(d) for d, r in zip(drafts, receipts, strict=True) if r.status == "spooled"
        ]
        try:
            if kept:
                self._spool.put(kept)
        except OSError as failed:
            reason = f"{error}; spool: {failed.strerror or failed}"
            return [r if r.status == "refused" else Receipt("lost", None, reason) for r in receipts]
        return receipts

    def _checked(self, draft: Draft, reason: str) -> Receipt:
        """Return `spooled`, or `refused` for a draft that the log would refuse later."""
        try:
            _line(self._finish(draft.record, None))
        except RecordInvalid as error:
            return Receipt("refused", None, str(error))
        return Receipt("spooled", None, reason)

    def _stamped(self, draft: Draft) -> Draft:
        """Return the draft with its time, and with a delivery id in case a spool file is drained twice."""
        stamped = draft.with_fields(ts=draft.record.ts or format_timestamp(self._now_ns()))
        if event_key(draft.record) or draft.record.dedupe_key:
            return stamped
        return stamped.with_fields(delivery_id=os.urandom(16).hex())

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
        with WriterLock(self.place).held() as mine:
            if not mine:
                return 0
            projector = Projector(self.place)
            try:
                return projector.advance(progress)
            finally:
                projector.close()

    def rebuild(self, progress: Progress | None = None) -> int:
        """Rebuild everything derived and return how many records were indexed.

        Raise LogError while another process indexes.
        """
        lock = WriterLock(self.place)
        with lock.held() as mine:
            if not mine:
                raise LogError(
                    str(self.place.directory), f"pid {lock.holder()} indexes it",
                    fix="run `hooks stop`",
                )  # fmt: skip
            projector = Projector(self.place)
            try:
                return projector.rebuild(progress)
            finally:
                projector.close()


def _with_project_paths(record: Record, root: str) -> Record:
    """Return the record with the paths of its artifacts as its project knows them."""
    paths = record.body.artifacts
    if not isinstance(paths, list):
        return record
    known = [relative_to_root(p, root) if isinstance(p, str) else p for p in paths]
    return record.with_fields(body=record.body.with_fields(artifacts=known))


def _line(record: Record) -> bytes:
    """Return the record's line. Raise RecordInvalid for values that JSON cannot hold: half a character, 2**64."""
    try:
        return encode_line(record)
    except TypeError as error:
        raise RecordInvalid([f"record: {error}"]) from None


def format_timestamp(ns: int) -> str:
    """Return nanoseconds since the epoch as RFC 3339 in UTC with milliseconds."""
    seconds, rest = divmod(ns, 1_000_000_000)
    return f"{_format_second(seconds)}.{rest // 1_000_000:03d}Z"


@functools.lru_cache(64)
def _format_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
