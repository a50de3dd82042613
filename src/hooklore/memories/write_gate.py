"""The write gate: validate, access, refuse, same and near-same, then append (seed 000 §5)."""

import os
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from hooklore.broker import conflicts, versions
from hooklore.broker.broker import Broker
from hooklore.errors import RecordInvalid
from hooklore.index.record_keys import version_line_key
from hooklore.memories import content_lint, dedupe_key, deduplication
from hooklore.memories.event_schema import KNOWN_AGENTS, validate_event
from hooklore.memories.scope import default_scope, draft_in_scope
from hooklore.memories.write_result import SimilarMemory, WriteResult
from hooklore.records import keys
from hooklore.records.draft import Draft, Principal, ProjectKeys, Receipt
from hooklore.records.record import Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.redaction.secret_refusal import find_refusal

_OF_BODY = ("content_md", "tags", "paths")
_NOT_KEPT = ("stake", "idempotency_key")
_PROVISIONAL = ("todo", "log", "bug")
"""Kinds that may be unsure without waiting for anybody (decision C17)."""

_LOOKED_BACK = 200


def remember(
    broker: Broker, raw: Mapping[str, Any], who: Principal, keys: ProjectKeys | None = None
) -> WriteResult:
    """Keep what somebody says on purpose, in the form of seed 000 §6 or seed 004.

    Without a scope it belongs to the project of `keys`; outside of one to everybody when a person says
    it, else to its agent. Raises RecordInvalid for what is no memory event: field and shape, no value.
    """
    broker.refresh()
    event = _event(broker, raw, who, keys)
    draft = draft_in_scope(broker, _fields(event), keys)
    found = find_refusal(draft.record)
    if found is not None:
        return _refused(str(found))
    known = deduplication.find_similar_memories(broker, draft, who)
    same = deduplication.find_repeat(broker, known, draft, who)
    if same is not None:
        return _repeated(broker, same)
    alike = deduplication.suggest_superseded(broker, known, draft)
    draft = _with_reasons(broker, draft, event, who)
    receipt = broker.append([_with_fresh_delivery(broker, draft, event)])[0]
    return _answer(broker, receipt, alike)


def _event(
    broker: Broker, raw: Mapping[str, Any], who: Principal, keys: ProjectKeys | None
) -> Record:
    given = Record(raw)
    if "agent_id" not in given:
        given = given.with_fields(agent_id="person" if who.person else who.agent_id)
    if given.extra("scope") is None:
        given = given.with_fields(scope=default_scope(broker, given, who, keys))
    settings = broker.settings.curated
    now = datetime.fromisoformat(broker.now())
    agents, registry = (*KNOWN_AGENTS, *settings.agents), str(broker.place.config)
    event = validate_event(given.to_json(), now, agents, registry, settings.scopes)
    if not who.person:
        _check_access(event, who)
    return event


def _check_access(event: Record, who: Principal) -> None:
    scope = str(event.scope)
    if event.agent_id != who.agent_id:
        raise RecordInvalid(["agent_id: it is another agent than the one that asks"])
    if scope.startswith("agent:") and scope[6:] != who.agent_id:
        raise RecordInvalid(["scope: it is another agent's own"])


def _fields(event: Record) -> Record:
    body = {name: event.extra(name) for name in _OF_BODY if name in event}
    envelope = event.without(*_OF_BODY, *_NOT_KEPT)
    if event.extra("idempotency_key"):
        name = f"said|{event.agent_id}|{event.extra('idempotency_key')}"
        envelope = envelope.with_fields(natural_key=name)
    return Record({"v": SCHEMA_VERSION, "stream": "memory", "body": body, **envelope.to_json()})


def _with_reasons(broker: Broker, draft: Draft, event: Record, who: Principal) -> Draft:
    """With what it waits for, if anything, and what it replaces when its writer need not say so."""
    reason = _why_it_waits(broker, event, who)
    if reason is not None:
        draft = draft.with_fields(waits=reason)
    newest = versions.latest_active_version(broker.view, deduplication.version_line(broker, draft))
    if newest is not None and not draft.record.supersedes and _is_own(event, newest, who):
        draft = draft.with_fields(supersedes=newest.id)
    return draft


def _is_own(event: Record, newest: Record, who: Principal) -> bool:
    """A person replaces what stands; an agent what it said itself in this run."""
    if who.person and event.agent_id == "person":
        return True
    run = event.run_id
    return run is not None and (newest.agent_id, newest.run_id) == (
        event.agent_id,
        run,
    )


def _why_it_waits(broker: Broker, event: Record, who: Principal) -> str | None:
    """Why a person must approve it first; None when it is confirmed (seed 000 W-0, W-1; row AC-22)."""
    is_said = who.person and event.agent_id == "person"
    if event.extra("stake") == "high" and event.kind in ("decision", "constraint"):
        return "high_stake"
    if not is_said and event.kind not in _PROVISIONAL:
        reason = content_lint.find_rejection_reason(event.extra("content_md"))
        if reason is not None:
            return reason
    if event.kind not in _PROVISIONAL and event.basis == "inferred":
        return "inferred"
    if event.kind not in _PROVISIONAL and event.confidence != "high":
        return "unconfirmed"
    return None if is_said or not _is_over_limit(broker, event) else "run_limit"


def _is_over_limit(broker: Broker, event: Record) -> bool:
    """Whether agents have said enough in this run since the last prompt (decision C37)."""
    run = event.run_id or event.session_id
    if run is None:
        return False
    prompts = (r.id for r in broker.view.lookup(keys.in_session(run), _LOOKED_BACK)
               if r.kind == "prompt")  # fmt: skip
    since = next(prompts, "")
    said = broker.view.lookup(keys.in_run(run), _LOOKED_BACK)
    count = sum(1 for r in said if r.id > since and r.agent_id != "person")
    return count >= broker.settings.curated.run_limit


def _with_fresh_delivery(broker: Broker, draft: Draft, event: Record) -> Draft:
    """A statement that was made before, and no longer stands, is a new one: it gets a name of its own."""
    if event.extra("idempotency_key") or not deduplication.was_stated_before(broker, draft):
        return draft
    return draft.with_fields(delivery_id=os.urandom(16).hex())


def _refused(reason: str) -> WriteResult:
    return WriteResult(
        "refused",
        reason=reason,
        hint="say where it is kept instead of what it is, without the value",
    )


def _repeated(broker: Broker, same: Record) -> WriteResult:
    """It is there already, or a person has said no to it."""
    warnings: list[str] = []
    enders = {r.kind for r in broker.view.lookup(keys.end_of(same.id), 4)}
    if "tombstone" in enders:
        warnings.append("forgotten_before")
    elif "approval" in enders:
        warnings.append("rejected_before")
    return WriteResult(
        "duplicate",
        same.id,
        same.dedupe_key,
        same.scope,
        tuple(warnings),
        waits=same.waits if not enders else None,
    )


def _answer(broker: Broker, receipt: Receipt, similar: tuple[SimilarMemory, ...]) -> WriteResult:
    if receipt.status in ("refused", "lost", "spooled") or receipt.id is None:
        return WriteResult(receipt.status, receipt.id, reason=receipt.reason, similar=similar)
    broker.refresh()
    record = versions.find_by_id(broker.view, receipt.id) or broker.get(receipt.id)
    if receipt.status == "duplicate":
        return _repeated(broker, record)
    warnings = [*_lint(record), *record.warnings]
    common = (record.id, record.dedupe_key, record.scope)
    waits = record.waits
    if waits:
        hint = f"a person decides: `hooklore approve {record.id}` or `hooklore reject {record.id}`"
        warnings += [waits] if waits not in warnings else []
        return WriteResult("pending", *common, tuple(warnings), similar, waits=waits, hint=hint)
    return _stored_result(broker, record, common, warnings, similar)


def _stored_result(
    broker: Broker,
    record: Record,
    common: tuple[str, str | None, str],
    warnings: list[str],
    similar: tuple[SimilarMemory, ...],
) -> WriteResult:
    other = conflicts.find_overwritten(broker.view, record)
    made = _conflict_of(broker, record)
    if other is not None or made is not None:
        hint = (
            f"`hooklore resolve {made} --keep A|B|both`"
            if made
            else f"name what it replaces: supersedes={other.id if other else ''}"
        )
        return WriteResult(
            "conflict", *common, tuple(warnings), similar,
            supersedes=other.id if other else None, conflict=made, hint=hint,
        )  # fmt: skip
    if record.supersedes or versions.previous_version(broker.view, record) is not None:
        named = record.supersedes
        return WriteResult("updated", *common, tuple(warnings), similar, supersedes=named)
    return WriteResult("stored", *common, tuple(warnings), similar)


def _conflict_of(broker: Broker, record: Record) -> str | None:
    """The open conflict that this memory is a side of."""
    about = (
        [version_line_key(record)]
        if conflicts.find_overwritten(broker.view, record) is not None
        else []
    )
    for tag in about:
        found = conflicts.open_conflict_on_line(broker.view, tag)
        if found is not None:
            return found.id
    for made in broker.view.lookup(keys.conflict_with(record.id), 1):
        return str(made.id)
    return None


def _lint(record: Record) -> list[str]:
    key = record.dedupe_key
    found = content_lint.lint_content_style(record.body.content_md)
    found += dedupe_key.lint_dedupe_key(key) if key else []
    if record.agent_id == "person" and record.kind not in _PROVISIONAL:
        reason = content_lint.find_rejection_reason(record.body.content_md)
        found += [f"not_worth_keeping:{reason}"] if reason else []
    if record.trust:
        found.append("gives_orders")
    return found
