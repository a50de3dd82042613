"""Write a memory: validate, check access, refuse secrets, find duplicates, then append (seed 000 §5)."""

import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from hooklore.broker.broker import Broker
from hooklore.broker.leading import find_leader
from hooklore.broker.principal_reader import Reader
from hooklore.errors import Forbidden, RecordInvalid
from hooklore.index.record_keys import version_line_key
from hooklore.memories import content_lint, dedupe_key
from hooklore.memories.claims import ClaimRefused, Word
from hooklore.memories.corroboration import as_corroborated, is_corroboration
from hooklore.memories.decisions.doubt import find_waiting_reason, has_hazard
from hooklore.memories.decisions.replacement import end_replaced, select_replaced
from hooklore.memories.deduplication import Neighbours, find_neighbours, in_place, tell_beside
from hooklore.memories.memory_event import MemoryEvent
from hooklore.memories.scope import default_scope, draft_in_scope
from hooklore.memories.session_evidence import is_backed_by_user, is_shown_by_tool
from hooklore.memories.write_result import WriteResult
from hooklore.prompt.frame import sanitize_for_prompt
from hooklore.records import keys
from hooklore.records.access import may_be_quoted_in
from hooklore.records.draft import PERSON, Draft, Principal, ProjectKeys, Receipt
from hooklore.records.record import Record
from hooklore.records.schema import SCHEMA_VERSION
from hooklore.records.standing import is_above, is_confirmed, may_replace, rung_of
from hooklore.redaction.id_redaction import redact_ids
from hooklore.redaction.private_parts import without_private_in
from hooklore.redaction.secret_refusal import find_refusal
from hooklore.text.unicode_cleaning import has_hidden_characters

_BODY_FIELDS = ("content_md", "title", "emotion", "when", "tags", "paths")
_LABELS = ("title", "when")
_IDS = frozenset(("run_id", "session_id", "task_id", "subagent_id", "supersedes", "contradicts"))
_NOT_STORED = ("stake", "idempotency_key")
_OF_THE_SAME = (
    "kind", "basis", "through", "confidence", "approved_by", "promoted_by", "expires_at", "ttl_days",
    "self_named", "also_said_by", "agent_id", "session_id", "run_id", "source",
)  # fmt: skip
"""Fields that a memory keeps when it is said again with a title or phrases."""

_BASIS: Mapping[Word, str] = {
    "user": "user",
    "tool": "tool",
    "shown": "tool",
    "agent": "agent",
    "inferred": "inferred",
}

_REPEATED = (None, "inferred", "after_foreign", "agents_word")
"""The reasons to wait of a memory that stands once a higher rung says its words."""

_NO_WHEN = (
    "say it again with --when PHRASE: what somebody would type who needs it and does not know it "
    "(3 to 60 characters, again for another, at most 8)"
)
_MAX_ENDERS = 4
_MAX_BESIDE = 5
"""Memories that a write's answer names as contradicted."""


def remember(
    broker: Broker,
    raw: Mapping[str, Any],
    who: Principal,
    project_keys: ProjectKeys | None = None,
    *,
    word: Word | None = None,
    is_typed: bool = False,
) -> WriteResult:
    """Append a memory that somebody writes on purpose, in the form of seed 000 §6 or seed 004.

    An event without a scope goes to the project of `project_keys`. Outside of a project a person's
    event is global, and an agent's its own. `word` is what the write becomes (`claims.py`); without it the
    event's basis stands. With `is_typed` the words are those of the user's prompt, which may order.
    Raise RecordInvalid, which names fields and never values, and ClaimRefused for what no step shows.
    """
    broker.refresh()
    owner = broker.as_reader(PERSON)
    event = _validate(broker, raw, who, project_keys)
    event = _as_word(owner, event, who, word).with_fields(self_named=who.is_self_named or None)
    draft = draft_in_scope(broker, _record_of(event), project_keys)
    refused = _refuse(draft.record)
    if refused is not None:
        return refused
    found = find_neighbours(broker, draft, who)
    repeated = found.repeated
    if repeated is not None and not _raises(owner, event, repeated):
        if is_corroboration(owner, event, repeated):
            draft = as_corroborated(draft, repeated)
        elif _adds_labels(owner, draft, repeated) and not has_hazard(event):
            event = _as_known(event, repeated)
            draft = replace(draft, record=_as_known(draft.record, repeated))
        elif _leads_again(owner, draft, repeated):
            draft = draft.with_fields(supersedes=repeated.id)
        else:
            return _duplicate_result(owner, repeated)
    draft = _with_wait(broker, draft, event, who, found, is_typed=is_typed)
    if repeated is not None and draft.record.waits and draft.record.also_said_by:
        return _duplicate_result(owner, repeated)  # what must wait itself confirms nothing
    draft = _as_update(owner, draft, event, who, found)
    if found.same and not event.extra("idempotency_key"):
        # One that says the words of a memory which no longer stands is an event of its own.
        draft = draft.with_fields(delivery_id=os.urandom(16).hex())
    return _appended_result(broker, who, broker.append([draft])[0], found)


def _leads_again(owner: Reader, draft: Draft, repeated: Record) -> bool:
    """Return whether a memory is said again that stands behind another: what is said last leads."""
    if repeated.waits or find_leader(owner, repeated) is None:
        return False
    return may_replace(draft.record, repeated)


def _as_word(owner: Reader, event: Record, who: Principal, word: Word | None) -> Record:
    """Return an event with the basis that it has as this word, by what the session of its writer shows."""
    text = str(event.extra("content_md"))
    if word == "relayed":
        word = "through" if is_backed_by_user(owner, who.session_id, text) else "agent"
    if word == "shown" and not is_shown_by_tool(owner, who.session_id, text):
        raise ClaimRefused("tool", who)
    if word == "through":
        confidence = "med" if event.confidence == "high" else event.confidence
        return event.with_fields(basis="user", through=who.agent_id, confidence=confidence)
    return event if word is None else event.with_fields(basis=_BASIS[word])


def _adds_labels(owner: Reader, draft: Draft, repeated: Record) -> bool:
    """Return whether a draft gives a standing memory another title, or other phrases.

    An agent's own word keeps the labels that this agent gave it, and no lower word labels a higher one.
    """
    is_of_another = rung_of(repeated) == "agent" and repeated.agent_id != draft.record.agent_id
    is_lower = is_above(rung_of(repeated), rung_of(draft.record))
    is_not_its = is_of_another or (is_lower and rung_of(draft.record) != "through")
    if repeated.waits or is_not_its or owner.is_ended(repeated):
        return False
    new, old = draft.record.body, repeated.body
    return bool((new.title and new.title != old.title) or (new.when and new.when != old.when))


def _raises(owner: Reader, event: Record, repeated: Record) -> bool:
    """Return whether a memory is said again by somebody whose word stands higher."""
    is_open = repeated.waits in _REPEATED and not owner.is_ended(repeated)
    return is_open and is_above(rung_of(event), rung_of(repeated))


def _as_known(said: Record, repeated: Record) -> Record:
    """Return the same words said again, as well known as they were: only their labels are new."""
    known = {name: repeated.extra(name) for name in _OF_THE_SAME if name in repeated}
    return said.without(*_OF_THE_SAME).with_fields(**known)


def _as_update(
    owner: Reader, draft: Draft, event: Record, who: Principal, found: Neighbours
) -> Draft:
    """Return the draft with the memory that it replaces, and with the title and phrases of that memory.

    A memory that some readers of the draft may not read keeps its labels to itself.
    """
    line = version_line_key(in_place(draft.record, found.place)) if found.place else ""
    current, repeated = owner.latest_active_version(line), found.repeated
    # What the writer names ends in place of a guess that says the same, which goes on waiting.
    is_guess_beside_named = repeated is not None and repeated.waits and draft.record.supersedes
    if repeated is not None and not is_guess_beside_named:
        draft = draft.with_fields(supersedes=repeated.id)
    elif current is not None and not draft.record.supersedes and _may_replace(event, current, who):
        draft = draft.with_fields(supersedes=current.id)
    named = draft.record.supersedes
    earlier = owner.find_by_id(named) if named else current
    if earlier is None or not may_be_quoted_in(earlier, in_place(draft.record, found.place)):
        return draft
    body, old = draft.record.body, earlier.body
    labels = {n: old.extra(n) for n in _LABELS if not body.extra(n) and n in old}
    return draft.with_fields(body=body.with_fields(**labels)) if labels else draft


def _validate(
    broker: Broker, raw: Mapping[str, Any], who: Principal, project_keys: ProjectKeys | None
) -> Record:
    public, _ = without_private_in(dict(raw))
    given = Record({name: redact_ids(v) if name in _IDS else v for name, v in public.items()})
    if "agent_id" not in given:
        given = given.with_fields(agent_id="person" if who.person else who.agent_id)
    if given.extra("scope") is None:
        given = given.with_fields(scope=default_scope(broker, given, who, project_keys))
    now = datetime.fromisoformat(broker.now())
    registry = str(broker.place.config)
    event = MemoryEvent.read(given.to_json(), now, broker.settings, registry)
    scope = str(event.scope)
    if not who.person and event.agent_id != who.agent_id:
        raise RecordInvalid(["agent_id: it is another agent than the one that asks"])
    own = f"agent:{who.agent_id}"
    if not who.person and scope.startswith("agent:") and scope != own:
        raise RecordInvalid(["scope: it is another agent's own"])
    if who.write_scopes is not None and scope not in (own, *who.write_scopes):
        raise Forbidden(
            f"could not keep it for `{scope}`: the token does not open it",
            fix=f"name one of: {', '.join((*who.write_scopes, own))}",
        )
    return event


def _record_of(event: Record) -> Record:
    body = {name: event.extra(name) for name in _BODY_FIELDS if name in event}
    envelope = event.without(*_BODY_FIELDS, *_NOT_STORED)
    if event.extra("idempotency_key"):
        name = f"said|{event.agent_id}|{event.extra('idempotency_key')}"
        envelope = envelope.with_fields(natural_key=name)
    return Record({"v": SCHEMA_VERSION, "stream": "memory", "body": body, **envelope.to_json()})


def is_free_to_stand(broker: Broker, draft: Draft) -> bool:
    """Return whether a waiting memory contradicts none that it may not replace."""
    found = find_neighbours(broker, draft, PERSON)
    return _against_the_user(draft, found) is None


def _with_wait(
    broker: Broker,
    draft: Draft,
    event: Record,
    who: Principal,
    found: Neighbours,
    *,
    is_typed: bool,
) -> Draft:
    reason = find_waiting_reason(broker, event, who, is_typed=is_typed)
    if reason is None and not who.person and rung_of(event) in ("through", "agent"):
        reason = _against_the_user(draft, found)
    return draft if reason is None else draft.with_fields(waits=reason)


def _may_replace(event: Record, current: Record, who: Principal) -> bool:
    """Return whether an event replaces a memory without naming it.

    A person replaces any memory, an agent those that it wrote in the same run.
    """
    if who.person and event.agent_id == "person":
        return True
    writer = (event.agent_id, event.run_id)
    return event.run_id is not None and (current.agent_id, current.run_id) == writer


def _against_the_user(draft: Draft, found: Neighbours) -> str | None:
    """Return why an agent's word waits: a word that it may not replace says otherwise.

    One that names the value of a memory as past knew that memory. Where an agent wrote that down as the user's
    word, in another language maybe, both stand and the user is asked: to wait would leave the revoked one alone.
    """
    contradicted = [each for each in found.contradicted if not _is_named_as_past(each, draft)]
    against = [*contradicted, *(each.record for each in found.related)]
    return None if all(may_replace(draft.record, each) for each in against) else "over_the_user"


def _is_named_as_past(record: Record, draft: Draft) -> bool:
    """Return whether a memory is the user's word through an agent, and a draft says that its value is past."""
    if rung_of(record) != "through" or is_confirmed(record):
        return False
    from hooklore.text.past_value import names_as_past

    return names_as_past(record.body.content_md, draft.record.body.content_md)


def refuse_secrets(event: Record) -> WriteResult | None:
    """Return the refusal of an event, before its labels are put into form, that holds a secret; else None."""
    return _refuse(_record_of(event))


def _refuse(record: Record) -> WriteResult | None:
    refusal = find_refusal(record)
    if refusal is None:
        return None
    return WriteResult(
        "refused",
        reason=str(refusal),
        refusal=asdict(refusal),
        hint="say where it is kept instead of what it is, without the value",
    )


def _duplicate_result(owner: Reader, known: Record) -> WriteResult:
    """Return the result for a memory that is there already, or that a person has ended."""
    warnings: list[str] = []
    enders = {ender.kind for ender in owner.history(keys.end_of(known.id), _MAX_ENDERS)}
    if "tombstone" in enders:
        warnings.append("forgotten_before")
    elif "approval" in enders:
        warnings.append("rejected_before")
    found = WriteResult("duplicate", known.id, known.dedupe_key, known.scope, tuple(warnings))
    return found if enders or not known.waits else _waiting_result(found, known.waits)


def _appended_result(
    broker: Broker, who: Principal, receipt: Receipt, found: Neighbours
) -> WriteResult:
    if receipt.status in ("refused", "lost", "spooled") or receipt.id is None:
        return WriteResult(receipt.status, receipt.id, reason=receipt.reason, similar=found.similar)
    broker.refresh()
    owner = broker.as_reader(PERSON)
    record = owner.find_by_id(receipt.id) or owner.get(receipt.id)
    if receipt.status == "duplicate":
        return _duplicate_result(owner, record)
    warnings = (*_lint(record), *record.warnings)
    near = tuple(each for each in found.near if each.id != record.supersedes)
    title = sanitize_for_prompt(record.body.title or "").casefold()
    if title and any(each.title.casefold() == title for each in near):
        warnings = (*warnings, "title_taken")
    stored = WriteResult(
        "stored",
        record.id,
        record.dedupe_key,
        record.scope,
        warnings,
        similar=found.similar,
        near=near,
        no_when=None if record.body.when else _NO_WHEN,
    )
    if record.waits:
        return replace(_waiting_result(stored, record.waits), status="pending")
    return _placed_result(owner, record, _with_related(broker, record, who, found, stored))


def _with_related(
    broker: Broker, record: Record, who: Principal, found: Neighbours, stored: WriteResult
) -> WriteResult:
    """End the rules that a rule replaces by its words, and return the result with them and with those beside it."""
    replaced = select_replaced(record, found.related_here)
    end_replaced(broker, record, [each.record for each in replaced])
    told = [
        (each, tell_beside(each.record, who, each.earlier, each.later))
        for each in found.related_here
    ]
    known = {record.supersedes, *(each.record.id for each in found.related_here)}
    others = (tell_beside(r, who) for r in found.contradicted if r.id not in known)
    beside = [*(memory for each, memory in told if each not in replaced), *others]
    return replace(
        stored,
        replaces=tuple(memory for each, memory in told if memory and each in replaced),
        beside=tuple(memory for memory in beside if memory)[:_MAX_BESIDE],
    )


def _waiting_result(found: WriteResult, waits: str) -> WriteResult:
    """Return the result for a memory that waits, with the reason and who decides."""
    hint = f"a person decides: `hooklore approve {found.id}` or `hooklore reject {found.id}`"
    warnings = found.warnings if waits in found.warnings else (*found.warnings, waits)
    return replace(found, warnings=warnings, waits=waits, hint=hint)


def _placed_result(owner: Reader, record: Record, stored: WriteResult) -> WriteResult:
    """Return the result for a memory that took its place: `conflict`, `updated` or `stored`."""
    overwritten = owner.find_overwritten(record)
    conflict = _conflict_id(owner, record, overwritten)
    if overwritten is not None or conflict is not None:
        replaced = overwritten.id if overwritten else None
        hint = (
            f"`hooklore resolve {conflict} --keep newer|older|both`"
            if conflict
            else f"name what it replaces: supersedes={replaced or ''}"
        )
        return replace(stored, status="conflict", supersedes=replaced, conflict=conflict, hint=hint)
    if record.supersedes or owner.previous_version(record) is not None:
        return replace(stored, status="updated", supersedes=record.supersedes)
    return stored


def _conflict_id(owner: Reader, record: Record, overwritten: Record | None) -> str | None:
    """Return the id of the open conflict that a memory is a side of, or None."""
    if overwritten is not None:
        found = owner.open_conflict_on_line(version_line_key(record))
        if found is not None:
            return found.id
    for conflict in owner.history(keys.conflict_with(record.id), 1):
        return str(conflict.id) if owner.load_conflict(conflict) else None
    return None


def _lint(record: Record) -> list[str]:
    key = record.dedupe_key
    found = content_lint.lint_content_style(record.body.content_md)
    found += dedupe_key.lint_dedupe_key(key) if key else []
    if record.agent_id == "person":
        reason = content_lint.find_rejection_reason(record.body.content_md)
        found += [f"not_worth_keeping:{reason}"] if reason else []
    if record.trust:
        found.append("gives_orders")
    if has_hidden_characters(record.body.content_md):
        found.append("hidden_characters")
    if record.body.extra("redacted"):
        found.append("masked")
    return found
