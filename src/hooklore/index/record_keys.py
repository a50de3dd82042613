"""The exact keys under which a record is found: one list for the catalog and for the tail."""

import hashlib

from hooklore.agents.registry import DEFAULT_AGENT_ID
from hooklore.failures.error_signature import candidate_lines
from hooklore.failures.project_failure import is_project_failure
from hooklore.records import keys
from hooklore.records.record import Body, Record
from hooklore.text.contradiction import extract_subjects
from hooklore.text.work_references import (
    branch_references,
    document_reference,
    find_work_references,
)


def key_hash(key: str) -> int:
    """Return 64 bits of a key, signed as in SQLite. A collision is noticed, because the record is read."""
    digest = hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def record_keys(record: Record) -> list[str]:
    """Return every exact key of a record."""
    return [key for key in _plain_keys(record) + _keys_of_texts(record) if key]


def has_key(record: Record, key: str) -> bool:
    """Return whether a record has this exact key. Its texts are read for keys only where that decides."""
    return key in _plain_keys(record) or key in _keys_of_texts(record)


def _plain_keys(record: Record) -> list[str]:
    """Return the keys of a record that need none of its texts; some are empty."""
    found, session = [event_key(record)], record.session_id
    if session:
        found.append(keys.in_session(session))
    if record.stream != "observation":
        return found
    kind = record.kind
    if kind == "tool_result" and record.body.outcome == "success":
        found.append(_run_key(record, record.project or "-"))
    if kind in _TURNS and session:
        found.append(keys.turns_in(session))
        found.append(keys.goal_of(session) if record.body.goal else "")
    if kind == "task" and session:
        found.append(keys.tasks_in(session))
    if kind in _OF_A_SESSION:
        found.append(keys.of_kind(kind, record.project or "-"))
    if kind == "session_end" and session:
        found.append(keys.end_in(session))
    return found


_TURNS = ("prompt", "answer", "turn")
_OF_A_SESSION = ("session_end", "answer", "session_start")


def _keys_of_texts(record: Record) -> list[str]:
    """Return the keys that are made of the texts of a record; some are empty."""
    return _OF_STREAM[record.stream](record, record.body)


def event_key(record: Record) -> str:
    """Return the key that two deliveries of one event share: the agent's name for the event, or the delivery id."""
    key = record.natural_key or record.delivery_id
    return keys.of_event(key) if key else ""


def statement_digest(content: str) -> str:
    """Return a short digest of a memory's text, for (scope, dedupe_key, content)."""
    return hashlib.blake2b(content.strip().encode("utf-8", "replace"), digest_size=8).hexdigest()


def _of_observation(record: Record, body: Body) -> list[str]:
    """Return the keys of a failure, or those by which a session is found that takes up the same work."""
    kind, project, branch = record.kind, record.project, record.branch
    if kind == "error":
        return _of_failure(record, project or "-") if is_project_failure(record) else []
    if not project:
        return []
    if kind == "tool_result":
        artifacts = body.artifacts
        named = document_reference(str(artifacts[0])) if artifacts else None
        return [keys.naming(project, named)] if named else []
    found = []
    if kind in ("prompt", "answer") and body.text:
        found += [keys.naming(project, each) for each in find_work_references(body.text)]
    if branch and (kind == "session_end" or (kind == "prompt" and body.goal)):
        found.append(keys.on_branch(project, branch))
        found += [keys.naming(project, each) for each in branch_references(branch)]
    return found


def _of_failure(record: Record, project: str) -> list[str]:
    body = record.body
    return [
        *(keys.error_line(project, line) for line in candidate_lines(body)),
        keys.failing_step(project, body.key) if body.key else "",
        _run_key(record, project),
        keys.errors_in(record.session_id) if record.session_id else "",
    ]


def _run_key(record: Record, project: str) -> str:
    """Return the key of a command that ended, empty for one with limited readers: it would crowd out others."""
    is_open = record.visibility == "public" and not record.is_private
    return keys.command_runs(project) if record.body.command and is_open else ""


def scope_key(record: Record) -> str:
    """Return the place of a memory: `project:<id>` under any name of the project, or its scope."""
    return str(record.scope) if not record.project else f"project:{record.project}"


def version_line_key(record: Record) -> str:
    """Return the key that all versions of a keyed memory share, empty without a `dedupe_key`.

    A version with limited readers has a line of its own, so that it cannot hide the version that others see.
    """
    key = record.dedupe_key
    return keys.version_line(scope_key(record), key, audience(record)) if key else ""


def audience(record: Record) -> str:
    """Return the part of a version line that says who may read it, empty for everybody."""
    visibility = record.visibility
    if record.is_private:
        return f"|private:{record.agent_id}"
    if visibility == "session":
        return f"|session:{record.session_id}"
    return f"|role:{record.role}" if visibility == "agent-only" else ""


def _of_memory(record: Record, body: Body) -> list[str]:
    place, key = scope_key(record), record.dedupe_key
    found = [keys.memory_id(record.id)]
    if record.agent_id != "person":
        found.append(keys.kept_by(record.agent_id))
    if key:
        found.append(keys.statement(place, key, statement_digest(body.content_md)))
    if record.waits:
        # A waiting memory replaces no other one before its approval.
        return [
            *found,
            keys.waiting_at(place),
            keys.ALL_WAITING,
            keys.waiting_for(version_line_key(record)),
        ]
    found += [keys.memories_at(place), version_line_key(record)]
    found.append(keys.in_run(record.run_id) if record.run_id else "")
    found += [keys.about_subject(place, subject) for subject in extract_subjects(record)]
    found += [keys.tagged(tag) for tag in body.tags or ()]
    found += [
        keys.end_of(record.extra(name)) for name in ("supersedes", "approves") if record.extra(name)
    ]
    found.append(keys.restoration_of(record.restores) if record.restores else "")
    return found


def _of_synthesis(record: Record, body: Body) -> list[str]:
    project = record.project or "-"
    found = [keys.of_kind(record.kind, project)]
    if record.kind == "conflict_resolution":
        found.append(keys.conflict_about(body.about))
        found += [
            keys.memory_id(record.id),
            keys.ALL_CONFLICTS,
            keys.conflicts_at(scope_key(record)),
        ]
        found += [keys.conflict_with(source) for source in body.sources]
    if record.kind == "fix":
        found += [keys.fix_of(source) for source in body.failures]
        found += [keys.fix_of_line(project, s) for s in body.signatures]
        if body.key:
            found.append(keys.fix_of_step(project, body.key))
    return found


def _of_control(record: Record, body: Body) -> list[str]:
    kind, targets = record.kind, body.targets
    if kind in ("tombstone", "supersede", "archive", "approval"):
        # An approval ends the waiting of a memory or a conflict.
        found = [keys.end_of(target) for target in targets]
        found.append(keys.ALL_ARCHIVES if kind == "archive" else "")
        found.append(keys.ended_by(body.extra("by")) if body.extra("by") else "")
        return [*found, keys.grant_digest(body.grant)] if body.grant else found
    if kind == "proposal":
        return [keys.ALL_PROPOSALS]
    if kind in ("pin", "unpin"):
        return [keys.ALL_PINS, *(keys.pinning_of(kind, line) for line in body.lines)]
    if kind == "access":
        found = [keys.shown_in(record.session_id), keys.answer_to(body.delivery)]
        if body.trigger == "prompt":
            found += [keys.recalls_of(target) for target in targets]
        found += [keys.asked_about(id_) for id_ in body.asked]
        return [*found, keys.snapshot_access(body.snapshot_id)] if body.snapshot_id else found
    if kind == "project_alias":
        return [keys.alias_of(body.key), keys.with_slug(body.slug), keys.ALL_ALIASES]
    return []


_OF_STREAM = {
    "observation": _of_observation,
    "memory": _of_memory,
    "synthesis": _of_synthesis,
    "control": _of_control,
}


PREFIX = "hook:"


def hook_name(record: Record) -> str | None:
    """Return `hook:<event>`, with the agent's id before the event of any but the default agent, or None.

    The events of several clients share their names.
    """
    detail = record.source_detail
    if not isinstance(detail, str) or not detail.startswith(PREFIX):
        return None
    if record.agent_id == DEFAULT_AGENT_ID:
        return detail
    return f"{PREFIX}{record.agent_id} {detail.removeprefix(PREFIX)}"
