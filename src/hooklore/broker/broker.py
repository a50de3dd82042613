"""The broker: checks, redacts, scores, appends, and reads back.

The same class runs in the resident, in a hook's own process and under the command line.
"""

import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from hooklore.broker import fixes
from hooklore.broker.registry import Project, Registry
from hooklore.config import Place, Settings
from hooklore.errors import HookloreError, LogError, LogWriteFailed, NotFound, RecordInvalid
from hooklore.index.catalog import Stat
from hooklore.index.generation import WriterLock
from hooklore.index.projector import Progress, Projector
from hooklore.index.tags import event_tag, statement_digest
from hooklore.index.view import TAIL_RECORDS, View
from hooklore.log.line import encode
from hooklore.log.spool import Spool
from hooklore.log.writer import LogWriter, is_full
from hooklore.model.draft import PERSON, Draft, Principal, ProjectKeys, Receipt
from hooklore.model.ids import next_id
from hooklore.model.record import SCHEMA_VERSION, check
from hooklore.policy.access import may_read
from hooklore.policy.redact import redact_value
from hooklore.policy.score import prior

Fields = dict[str, Any]

Trace = Callable[[str, str], None]
"""Told each step of a write with its delivery: normalise is before us, then redact … append (WF-01)."""


class Broker:
    """One store's memory. Not for several threads at once."""

    def __init__(
        self,
        place: Place,
        settings: Settings | None = None,
        *,
        wait: float | None = None,
        trace: Trace | None = None,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """`wait` is how long an append may wait for the log's lock, in seconds; None for ever."""
        os.umask(0o077)  # SQLite and tantivy make their files with the umask's mode
        self.place = place
        self.settings = settings or Settings()
        self.view = View(place)
        self.registry = Registry(self.view.lookup)
        self._writer = LogWriter(place)
        self._spool = Spool(place)
        self._wait = wait
        self._trace = trace or (lambda _step, _delivery: None)
        self._now_ns = now_ns

    def close(self) -> None:
        """Let files go."""
        self._writer.close()
        self.view.close()

    # ---- writing

    def append(self, drafts: list[Draft]) -> list[Receipt]:
        """Append these drafts; one receipt each, in order. Never raises for what a disk can do.

        Redacts, checks, scores, gives ids and projects, appends all in one flush. A draft of a known
        event is a `duplicate`; one of the wrong shape `refused`; what the log does not take is
        `spooled`, and `lost` when no spool takes it either.
        """
        clean = [self._redacted(draft) for draft in drafts]
        try:
            with self._writer.appending(self._wait):
                self.view.refresh()
                self._drain_spool()
                return self._append_locked(clean)
        except HookloreError as error:
            self.registry.forget()
            return self._put_in_spool(clean, error)

    def _redacted(self, draft: Draft) -> Draft:
        """The choke point: nothing reaches a disk, the spool included, that has not passed here."""
        body, findings = redact_value(draft.fields.get("body", {}))
        self._trace("redact", draft.delivery_id or "")
        if findings:
            body["redacted"] = sorted({finding.rule for finding in findings})
        return draft.with_fields(body=body)

    def _append_locked(self, drafts: list[Draft]) -> list[Receipt]:
        receipts, sealed = self._sealed(drafts)
        self._write(sealed)
        self._link_fixes([record for _, record in receipts if record is not None])
        return [receipt for receipt, _ in receipts]

    def _sealed(
        self, drafts: list[Draft]
    ) -> tuple[list[tuple[Receipt, Fields | None]], list[Fields]]:
        receipts: list[tuple[Receipt, Fields | None]] = []
        sealed: list[Fields] = []
        batch: dict[str, Fields] = {}
        last = self.view.last_id
        for draft in drafts:
            known = self._known(draft, batch)
            if known is not None:
                receipts.append(
                    (Receipt("duplicate", known["id"], None, known.get("delivery_id")), known)
                )
                continue
            try:
                records = self._seal(draft, last)
            except RecordInvalid as error:
                receipts.append((Receipt("refused", None, str(error)), None))
                continue
            last = records[-1]["id"]
            sealed += records
            batch[event_tag(records[-1])] = records[-1]
            receipts.append((Receipt("stored", last), records[-1]))
        return receipts, sealed

    def _known(self, draft: Draft, batch: dict[str, Fields]) -> Fields | None:
        """The record that this draft's event already has."""
        tag = event_tag(draft.fields)
        if tag:
            if tag in batch:
                return batch[tag]
            return next(iter(self.view.lookup(tag, 1)), None)
        return self._said_before(draft)

    def _said_before(self, draft: Draft) -> Fields | None:
        """An explicit statement is known by (scope, key, content)."""
        fields = draft.fields
        key, body = fields.get("dedupe_key"), fields["body"]
        if not key or "content_md" not in body:
            return None
        tag = f"said:{self._scope_tag(draft)}|{key}|{statement_digest(body['content_md'])}"
        return next(iter(self.view.lookup(tag, 1)), None)

    def _scope_tag(self, draft: Draft) -> str:
        project = self.registry.find(draft.keys) if draft.keys else None
        return f"project:{project.id}" if project else str(draft.fields.get("scope", "global"))

    def _seal(self, draft: Draft, last: str | None) -> list[Fields]:
        """The record of a draft, after the aliases of its project that are new. Raises RecordInvalid."""
        records: list[Fields] = []
        fields = dict(draft.fields)
        if draft.keys is not None:
            project = self.registry.resolve(draft.keys)
            for key in project.new_keys:
                records.append(self._alias(project, key, draft, last))
                last = records[-1]["id"]
            self.registry.learn(project, draft.keys.keys)
            fields["project"] = project.id
            fields.setdefault("scope", f"project:{project.slug}")
            fields.setdefault("branch", draft.keys.branch)
        records.append(self._finish(fields, last))
        return records

    def _alias(self, project: Project, key: str, draft: Draft, last: str | None) -> Fields:
        keys = draft.keys or ProjectKeys((), "", "")
        body = {"key": key, "slug": project.slug, "name": keys.name, "targets": []}
        return self._finish(
            {
                "stream": "control",
                "kind": "project_alias",
                "agent_id": draft.fields.get("agent_id", "claude"),
                "scope": f"project:{project.slug}",
                "project": project.id,
                "body": body,
            },
            last,
        )

    def _finish(self, fields: Fields, last: str | None) -> Fields:
        """Envelope, prior, id; checked against the schema."""
        now = self._now_ns()
        body = fields.get("body")
        record: Fields = {"v": SCHEMA_VERSION, "id": "", "ts": fields.get("ts") or timestamp(now)}
        record |= {k: v for k, v in fields.items() if v is not None and k not in ("v", "hash")}
        record.setdefault("scope", f"agent:{record.get('agent_id', 'claude')}")
        if isinstance(body, dict) and record.get("stream") == "observation":
            key = fixes.failing_key(body)
            if key:
                record["body"] = {**body, "key": key}
        if isinstance(body, dict) and "importance" not in record:
            record["importance"] = prior(
                str(record.get("stream")), str(record.get("kind")), str(record.get("basis")), body
            )
        record["id"] = next_id(last, now // 1_000_000, int.from_bytes(os.urandom(10), "big"))
        check(record)
        self._trace("validate", str(record.get("delivery_id") or ""))
        return record

    def _write(self, records: list[Fields]) -> None:
        if not records:
            return
        lines = [encode(record) for record in records]
        positions = self._writer.append(lines)
        for pos, line, record in zip(positions, lines, records, strict=True):
            self.view.saw(pos, pos + len(line), record)
            self._trace("append", str(record.get("delivery_id") or ""))

    def _link_fixes(self, records: list[Fields]) -> None:
        """Record what made failures pass. Its own delivery id makes a second try harmless."""
        for record in records:
            draft = fixes.fix_draft(self.view, record)
            if draft is not None and self._known(draft, {}) is None:
                self._write([self._finish(draft.fields, self.view.last_id)])

    def _drain_spool(self) -> None:
        """What could not be appended earlier goes first, so that each writer's order is kept."""
        for path, drafts in list(self._spool.batches()):
            _, sealed = self._sealed(drafts)
            self._write(sealed)
            path.unlink(missing_ok=True)
            self._writer.restore_reserve()

    def _put_in_spool(self, drafts: list[Draft], error: HookloreError) -> list[Receipt]:
        cause = error.__cause__
        if isinstance(error, LogWriteFailed) and isinstance(cause, OSError) and is_full(cause):
            self._writer.give_up_reserve()
        stamped = [
            d.with_fields(ts=d.fields.get("ts") or timestamp(self._now_ns())) for d in drafts
        ]
        try:
            self._spool.put(stamped)
        except OSError as failed:
            reason = f"{error}; spool: {failed.strerror or failed}"
            return [Receipt("lost", None, reason) for _ in drafts]
        return [Receipt("spooled", None, str(error)) for _ in drafts]

    # ---- reading

    def refresh(self) -> None:
        """See what others wrote. Raises StoreUnreadable."""
        self.view.refresh()

    def project_of(self, keys: ProjectKeys | None) -> Project | None:
        """The project that a folder's keys are known to belong to."""
        return self.registry.find(keys) if keys is not None else None

    def lookup(self, tag: str, who: Principal, limit: int = 100) -> list[Fields]:
        """Records under an exact key that `who` may see and that are still in force, newest first."""
        return [r for r in self.view.lookup(tag, limit) if self.is_in_force(r, who)]

    def is_in_force(self, record: Fields, who: Principal) -> bool:
        """Whether `who` may see this record, and nothing has ended it."""
        return (
            may_read(record, who)
            and not self.view.has(f"gone:{record['id']}")
            and not self._is_expired(record)
        )

    def _is_expired(self, record: Fields) -> bool:
        expires = record.get("expires_at")
        return isinstance(expires, str) and expires < timestamp(self._now_ns())

    def get(self, prefix: str, who: Principal = PERSON) -> Fields:
        """The one record whose id begins so. Raises NotFound, also when `who` may not see it."""
        found = [r for r in self.view.find(prefix) if may_read(r, who)] if prefix else []
        if len(found) != 1 or (self.view.has(f"gone:{found[0]['id']}") and not who.person):
            raise NotFound(prefix)
        return found[0]

    def newest(self, who: Principal = PERSON, *, ended: bool = False) -> Iterator[Fields]:
        """Records that `who` may see, newest first; `ended` brings forgotten and superseded ones too."""
        for record in self.view.newest():
            if may_read(record, who) and (ended or not self.view.has(f"gone:{record['id']}")):
                yield record

    def stats(self) -> list[Stat]:
        """Counts by day and name, of what is indexed."""
        return self.view.stats()

    def waiting_in_spool(self) -> int:
        """Batches that wait in the spool."""
        return self._spool.waiting()

    # ---- what is derived

    def needs_indexing(self) -> bool:
        """Whether the tail has grown so long that a process of its own should index it."""
        return self.view.lag > TAIL_RECORDS

    def index(self, progress: Progress | None = None) -> int:
        """Bring the index up to date, unless another process does; how many records that was."""
        with WriterLock(self.place).held() as mine:
            if not mine:
                return 0
            projector = Projector(self.place)
            try:
                return projector.advance(progress)
            finally:
                projector.close()

    def rebuild(self, progress: Progress | None = None) -> int:
        """Make everything derived again. Raises LogError while another process indexes."""
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


def timestamp(ns: int) -> str:
    """RFC 3339 in UTC with milliseconds."""
    moment = datetime.fromtimestamp(ns / 1e9, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
